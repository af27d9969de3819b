/** A server on this machine that answers every query with the same long list of logs. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

export interface LogServer extends AsyncDisposable {
  readonly origin: string
}

export async function startLogServer(count: number): Promise<LogServer> {
  const result = JSON.stringify(Array.from({ length: count }, (_, index) => logAt(index)))
  const server = createServer((request, response) => {
    // A browser asks first whether the page may send.
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end()
    void answer(request, response, headers, result)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A file with a request that the server answers, and its configuration. */
export const logFiles = ({ origin }: LogServer): Readonly<Record<string, string>> => ({
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: `${origin}/rpc` } } }),
  "many.rpc": '### Many\n# @network main\n# @name many\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x4e2" }]\n',
})

const logAt = (index: number) => ({
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
})

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  result: string,
): Promise<void> {
  const { id } = JSON.parse(await text(request))
  response.writeHead(200, { ...headers, "content-type": "application/json" })
  response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
}
