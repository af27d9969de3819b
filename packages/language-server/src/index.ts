/** The .rpc language for any editor that speaks the Language Server Protocol. */
export { type EditorText, editorText, importable, parsingSections, replaceText } from "./EditorText.ts"
export { configRefusal, refusedWords } from "./internal/limits.ts"
export type { FileHost } from "./FileHost.ts"
export type { HostVariables, LanguageHost } from "./LanguageHost.ts"
export { serve, serveProjects, type ServerOptions } from "./LanguageServer.ts"
export type { HostProject, ProjectHost } from "./ProjectHost.ts"
