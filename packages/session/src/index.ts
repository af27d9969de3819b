/** Open projects and documents, over one interface to their host. */
export {
  applyChanges,
  type EditorText,
  editorText,
  importable,
  parsingSections,
  replaceText,
  wholeText,
} from "./EditorText.ts"
export type { RangeChange, TextChange, TextPosition, TextRange } from "./TextChange.ts"
export { changedText } from "./internal/changedText.ts"
export { configRefusal, lengthRefusal, refusedWords, tooManyCells } from "./internal/limits.ts"
export { plainUri } from "./internal/plainUri.ts"
export {
  type ConfigFile,
  type KnownNames,
  makeProject,
  type Project,
  type ProjectChoices,
  type ProjectProblem,
  type ProjectSources,
  spanOfProblem,
} from "./Project.ts"
export { folderOf, makeProjects, type Projects, type ProjectSource } from "./Projects.ts"
export { readProject } from "./ReadProject.ts"
export {
  type AnalysedText,
  type Cell,
  makeSession,
  type OpenFile,
  type Session,
  type SessionCounts,
  type View,
} from "./Session.ts"
export type {
  FileHost,
  HostVariables,
  LoadedPlugins,
  PluginProblem,
  ProjectHost,
  ProjectPlace,
  Refusal,
  SessionHost,
  Trust,
} from "./SessionHost.ts"
