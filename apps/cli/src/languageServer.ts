/** The language server on this process's own streams. */
import { serve } from "@dotrpc/language-server"
import { createConnection } from "vscode-languageserver/node"
import { nodeHost } from "./languageHost.ts"

/** Takes over stdin and stdout, as `--stdio` on the command line says, and ends the process with the connection. */
export const startLanguageServer = (version: string): void => serve(createConnection(), nodeHost, { version })
