/** The .rpc language for any editor that speaks the Language Server Protocol. */
export type { FileHost } from "./FileHost.ts"
export type { HostVariables, LanguageHost } from "./LanguageHost.ts"
export { serve, serveProjects, type ServerOptions } from "./LanguageServer.ts"
export { mostCharacters } from "./internal/limits.ts"
export type { HostProject, ProjectHost } from "./ProjectHost.ts"
