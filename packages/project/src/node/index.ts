/** Projects on this machine's disk. */
export * as AtomicFile from "./AtomicFile.ts"
export { type DiskChoices, diskHost } from "./DiskHost.ts"
export { parseDotEnv } from "./DotEnv.ts"
export { folderNames } from "./FolderNames.ts"
export type { ImportedPlugin, ImportPlugin } from "../LoadPlugins.ts"
export type { SecretHostStore } from "../SecretHosts.ts"
export { canImportAgain, importAgainFrom, importFrom, isMissingPackage } from "./ImportFrom.ts"
export * as FileLock from "./FileLock.ts"
export { findConfig, foreignOwner, projectRoot } from "./FindConfig.ts"
export {
  openProject,
  type Project,
  type ProjectChoices,
  ProjectError,
  type ProjectProblem,
  type ReadChoices,
  readProject,
  showProblem,
} from "./Project.ts"
export { processSurroundings, type Surroundings, variableIn } from "./Surroundings.ts"
export {
  type FileBytes,
  type PipeChoices,
  readPipe,
  readRegularFile,
  readRegularFileSync,
  readTextFile,
  readTextFileSync,
} from "./RegularFile.ts"
export {
  codeOf,
  type JudgeTrust,
  missingPlugins,
  ownPlugins,
  type Trust,
  type TrustedCode,
  type TrustStore,
  trustStore,
} from "./Trust.ts"
export {
  readFileAtHome,
  readTextFileAtHome,
  writesAway,
  readTextFileWithin,
  readTextFileWithinSync,
  type WithinChoices,
} from "./FileWithin.ts"
export { keptFile } from "./KeptFile.ts"
export { makeFolders } from "./makeFolders.ts"
export { secretHostFile } from "./SecretHostFile.ts"
