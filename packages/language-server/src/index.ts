/** The .rpc language for any editor that speaks the Language Server Protocol. */
export { serve, serveSession, type ServerOptions } from "./LanguageServer.ts"
export type { LikelyOf } from "./internal/documents.ts"
export type { SharedSession } from "./SharedSession.ts"
