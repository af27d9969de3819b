/** What a parsed .rpc file means: names, references, order, prices, and params checked against the plugins. */
export type { AbiDocument, AbiFileProblem } from "./AbiDocument.ts"
export { abiFileProblems } from "./internal/abi.ts"
export { compositePriceOf } from "./CompositePrice.ts"
export { accountLimit, assumedPlan, type Limits, networksEverywhere } from "./Accounts.ts"
export {
  type Dollars,
  type Elsewhere,
  priceElsewhere,
  type PricedRequests,
  priceMethodElsewhere,
  showDollars,
  showElsewhere,
} from "./Elsewhere.ts"
export {
  comparedSheets,
  hasPriceSheetFiles,
  type PriceSheetFiles,
  readPriceSheets,
  sheetNamed,
  unknownProvider,
} from "./PriceSheets.ts"
export { type AbiFile, type AbiFolders, readAbiFiles } from "./AbiFiles.ts"
export {
  type Analysis,
  type BoundRequest,
  type EachRow,
  type FileNames,
  type Import,
  requestAt,
  withDependencies,
} from "./Analysis.ts"
export { addNetwork, changeNetwork, type Networks } from "./AddedNetwork.ts"
export { analyze, type AnalyzeOptions, analyzing } from "./Analyze.ts"
export {
  bindParams,
  type BoundPrivates,
  checkScope,
  type NamedResults,
  resultKey,
  rowRequests,
  scopeAt,
} from "./Binding.ts"
export { type CsvProblem, type CsvRecord, readingCsv } from "./Csv.ts"
export { type Row, type RowsDocument } from "./RowsDocument.ts"
export { checking, type CheckOutcome } from "./ItemChecks.ts"
export { isOverRows } from "./RowFunctions.ts"
export { type RowOutcome, rowsCheckScope } from "./RowsCheck.ts"
export { type LikelyAmount, type LikelyPrice, showLikelyPrice, showRequestPrice, showRows } from "./RequestPrice.ts"
export { callText } from "./CallText.ts"
export { priceOfRun, pricesOfRun, type Reused, reusedBy, runsWith } from "./RunPrice.ts"
export { type BlockOf, leastTogether, mostTogether, savesTogether, togetherIn, togetherKey } from "./Together.ts"
export { type ConfigKey, type KeyMove, keysInConfig } from "./ConfigKeys.ts"
export { configSchema } from "./ConfigSchema.ts"
export { priceSheetSchema } from "./PriceSheetSchema.ts"
export {
  type Beside,
  evaluate,
  type Evaluated,
  evaluateValue,
  unitsOf,
  type EvaluatedValue,
  type Scope,
  type Work,
} from "./Evaluate.ts"
export { languageFunctions } from "./functions.ts"
export { rowFunctions } from "./RowFunctions.ts"
export { functionAt, functionsAt, signatureAt, suggestionsAt } from "./FunctionsAt.ts"
export {
  fileName,
  importDirectives,
  importedUri,
  importPath,
  leadsToFiles,
  namedFiles,
  readSources,
  type Sources,
} from "./Imports.ts"
export { sendUnchecked } from "./internal/target.ts"
export { leastPriceOf } from "./internal/draft.ts"
export type { LeastPrice, PricedSettings } from "./internal/leastPrice.ts"
export { abiPaths } from "./internal/abiDirectives.ts"
export { rowsPaths } from "./internal/rowsDirective.ts"
export { workspaceAt } from "./internal/environment.ts"
export { filledUrl } from "./FilledUrl.ts"
export { configuredLedger, ledgerServer, type LedgerServer, ledgerUrl } from "./LedgerUrl.ts"
export { maskKeys } from "./MaskedKeys.ts"
export { mentionedNames, namesOfCheck } from "./MentionedNames.ts"
export {
  type Definition,
  definitionsSeen,
  type Horizon,
  lendersOf,
  type Mention,
  mentionsIn,
  mentionsOfRows,
  resolveName,
  resolveRequest,
  type View,
  viewAt,
} from "./Names.ts"
export { snapshotCheck, type SnapshotCheck, type SnapshotPath, snapshotSummary } from "./SnapshotCheck.ts"
export { decodedMember, type OutcomeMember, outcomeMembers } from "./RequestOutcome.ts"
export { mayChange } from "./MayChange.ts"
export { adviceOnMethod, type NetworksWith, networksWith } from "./NetworksWith.ts"
export { parsePriceSheet } from "./PriceSheetFile.ts"
export {
  comparedHostOf,
  hostOf,
  missingPrivates,
  networkUses,
  type PrivateUse,
  privatesOfUrl,
  type Read,
  readInRun,
  type RunOfFile,
  usesAt,
  usesOf,
  usesOfRun,
} from "./PrivateUses.ts"
export { keyNameOf, secretName } from "./internal/exposed.ts"
export { problem, problemCodes, type ProblemCode } from "./Problem.ts"
export {
  type ConfigFile,
  type ConfigProblem,
  configSpan,
  defaultConfig,
  defaultPlugins,
  type NetworkSettings,
  parseConfig,
  type EnvironmentSettings,
  type NetworkUrls,
  type ProjectConfig,
} from "./ProjectConfig.ts"
export { withSoundFixes } from "./internal/repairs.ts"
export { alternativesAt, alternativesOf, declaredAt, readPath } from "./SchemaPath.ts"
export { measuring, type Size } from "./internal/size.ts"
export { type Settings } from "./Settings.ts"
export {
  type Listening,
  showDuration,
  type StreamBounds,
  streamBounds,
  type StreamPrice,
  streamPrice,
  streamWords,
} from "./StreamRequest.ts"
export { atOnce, inSlices, type SliceOptions, type Steps } from "./Steps.ts"
export {
  aFolder,
  type FileText,
  hiddenWay,
  largestText,
  notRegular,
  textOf,
  tooLarge,
  type Unreadable,
} from "./Unreadable.ts"
export { type UrlKey, urlKeys, urlWith } from "./UrlKey.ts"
export * as Value from "./Value.ts"
export {
  entryOf,
  type EnvironmentScope,
  findFunction,
  callable,
  findMethod,
  unknownName,
  type Workspace,
  type WorkspaceNetwork,
} from "./Workspace.ts"
export type { WorkspaceProblem } from "./WorkspaceProblem.ts"
export { makeWorkspace, readingAbis, type WorkspaceSources } from "./WorkspaceSources.ts"
export { type Allowed, blockersOf, doesWrite, needsBlocked } from "./Skipped.ts"
export { writtenEndpoint } from "./WrittenEndpoint.ts"
export type { Endpoints } from "./Endpoints.ts"
export {
  type Comparison,
  type Pin,
  type PinCall,
  pinKey,
  type PinnedTags,
  pinnedTags,
  type PricedRequest,
  priceParts,
  newPins,
  priceInRun,
  tagOn,
  wholePrice,
} from "./Comparison.ts"
