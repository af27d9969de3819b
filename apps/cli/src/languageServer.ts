/** The language server on this process's own streams. */
import { serve } from "@dotrpc/language-server"
import type { Surroundings } from "@dotrpc/project/node"
import { likelyScan } from "@dotrpc/runner"
import { createConnection } from "vscode-languageserver/node"
import { languageHost } from "./languageHost.ts"
import { userScans } from "./UserData.ts"

/** Takes over stdin and stdout, as `--stdio` on the command line says, and ends the process with the connection. */
export const startLanguageServer = (user: Surroundings, version: string): void => {
  const scans = userScans(user)
  serve(createConnection(), languageHost(user), {
    version,
    likelyOf: (analysis) => (request) => likelyScan(analysis, request, scans.get, Date.now()),
  })
}
