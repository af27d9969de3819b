/** A server on this machine that answers with the number of its chain, to one key in its path, and remembers every call. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

export interface ChainServer extends AsyncDisposable {
  readonly origin: string
  /** Path and method of each call. */
  readonly calls: ReadonlyArray<string>
}

export async function startChainServer(key: string, chainId: number): Promise<ChainServer> {
  const calls: Array<string> = []
  const server = createServer((request, response) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end()
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body)
      calls.push(`${request.url} ${method}`)
      if (request.url?.split("?", 1)[0] !== `/v3/${key}`) return response.writeHead(401, headers).end()
      const result = `0x${chainId.toString(16)}`
      const error = { code: -32601, message: `the method ${method} does not exist` }
      return response
        .writeHead(200, { ...headers, "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "eth_chainId" ? { result } : { error }) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
