/** Projects on this machine's disk. */
export { parseDotEnv } from "./DotEnv.ts"
export { canImportAgain, importAgainFrom, importFrom } from "./ImportFrom.ts"
export {
  findConfig,
  openProject,
  type Project,
  type ProjectChoices,
  ProjectError,
  type ProjectProblem,
  readProject,
  showProblem,
} from "./Project.ts"
