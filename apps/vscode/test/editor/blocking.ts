/** Measures how long a reply of 10,000 logs keeps the extension host from answering anything else: `pnpm blocking`. */
import { fileURLToPath } from "node:url"

import { runInHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { logFiles, startLogServer } from "./LogServer.ts"

await using server = await startLogServer(10_000)
await runInHost({
  entry: fileURLToPath(new URL("deep/inHost/blocking.ts", import.meta.url)),
  extensions: [packed],
  files: logFiles(server),
  report: (line) => process.stdout.write(`${line}\n`),
})
