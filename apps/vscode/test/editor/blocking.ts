/** Measures how long a reply of 10,000 logs keeps the extension host from answering anything else: `pnpm blocking`. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

import { runInHost } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"

const logs = Array.from({ length: 10_000 }, (_, index) => ({
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  topics: [
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    `0x${index.toString(16).padStart(64, "0")}`,
    `0x${(index * 7).toString(16).padStart(64, "0")}`,
  ],
  data: `0x${(index * 1_000_003).toString(16).padStart(64, "0")}`,
  blockNumber: `0x${(index >> 3).toString(16)}`,
  transactionHash: `0x${index.toString(16).padStart(64, "a")}`,
  transactionIndex: "0x0",
  blockHash: `0x${(index >> 3).toString(16).padStart(64, "b")}`,
  logIndex: `0x${index.toString(16)}`,
  removed: false,
}))
const result = JSON.stringify(logs)

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { id } = JSON.parse(await text(request))
  response.writeHead(200, { "content-type": "application/json" })
  response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
}

const server = createServer((request, response) => void answer(request, response))
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address = server.address()
if (typeof address !== "object" || address === null) throw new Error("The server has no port.")

const networks = { main: { plugin: "evm", url: `http://127.0.0.1:${address.port}/rpc` } }
try {
  await runInHost({
    entry: fileURLToPath(new URL("inHost/blocking.ts", import.meta.url)),
    extensions: [packed],
    files: {
      "rpc.config.json": JSON.stringify({ networks }),
      "many.rpc": '### Many\n# @network main\n# @name many\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x4e2" }]\n',
    },
    report: (line) => process.stdout.write(`${line}\n`),
  })
} finally {
  server.closeAllConnections()
  server.close()
}
