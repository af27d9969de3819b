/** What a parsed .rpc file means: names, references, order, prices, and params checked against the plugins. */
export { type AbiFile, type AbiFolders, readAbiFiles } from "./AbiFiles.ts"
export {
  type Analysis,
  analyze,
  type AnalyzeOptions,
  analyzing,
  type BoundRequest,
  requestAt,
  withDependencies,
} from "./Analysis.ts"
export { bindParams, checkScope, type NamedResults, resultKey, scopeAt } from "./Binding.ts"
export { type ConfigKey, type KeyMove, keysInConfig } from "./ConfigKeys.ts"
export { configSchema } from "./ConfigSchema.ts"
export { evaluate, type Evaluated, evaluateValue, type EvaluatedValue, type Scope, type Work } from "./Evaluate.ts"
export type { FileNames, Import } from "./FileNames.ts"
export { languageFunctions } from "./functions.ts"
export { importDirectives, importedAddress, importPath, leadsToFiles, readSources, type Sources } from "./Imports.ts"
export { abiPaths } from "./internal/abi.ts"
export { workspaceAt } from "./internal/environment.ts"
export { filledAddress } from "./FilledAddress.ts"
export { ledgerAddress } from "./LedgerAddress.ts"
export { maskKeys } from "./MaskedKeys.ts"
export { mentionedNames, namesOfCheck } from "./MentionedNames.ts"
export { type OutcomeMember, outcomeMembers } from "./Outcome.ts"
export { addressUses, hostOf, networkUses, type PrivateUse, privateUses, type PrivateValue } from "./PrivateUses.ts"
export { problem, problemCodes, type ProblemCode } from "./Problem.ts"
export {
  type ConfigProblem,
  configSpan,
  defaultConfig,
  defaultPlugins,
  type NetworkSettings,
  parseConfig,
  type ProjectConfig,
} from "./ProjectConfig.ts"
export { alternativesAt, alternativesOf, declaredAt, readPath } from "./SchemaPath.ts"
export { suggestionsAt } from "./Suggestions.ts"
export { type Settings } from "./Settings.ts"
export { atOnce, inSlices, type SliceOptions, type Steps } from "./Steps.ts"
export { aFolder, type FileText, largestText, notRegular, textOf, tooLarge, type Unreadable } from "./Unreadable.ts"
export * as Value from "./Value.ts"
export {
  findFunction,
  findMethod,
  makeWorkspace,
  unknownName,
  type Workspace,
  type WorkspaceNetwork,
  type WorkspaceProblem,
  type WorkspaceSources,
} from "./Workspace.ts"
