/** The language server on this process's own streams. */
import { serve } from "@dotrpc/language-server"
import type { Surroundings } from "@dotrpc/project/node"
import { likelyScan } from "@dotrpc/runner"
import { createConnection } from "vscode-languageserver/node"
import { languageHost } from "./languageHost.ts"
import { userMemory } from "./ScanMemory.ts"

/** Takes over stdin and stdout, as `--stdio` on the command line says, and ends the process with the connection. */
export const startLanguageServer = (user: Surroundings, version: string): void =>
  serve(createConnection(), languageHost(user), {
    version,
    likelyOf: (analysis) => {
      // A run may have learned something since the document was read last.
      const { known } = userMemory(user)
      return (request) => likelyScan(analysis, request, known, Date.now())
    },
  })
