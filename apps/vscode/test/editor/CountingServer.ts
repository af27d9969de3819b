/**
 * A server on this machine that answers requests with a word of storage, and remembers who asked. The first ones may come too
 * early for it, and are to come again a second later; no answer is given before it may be.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

export interface CountingServer extends AsyncDisposable {
  readonly origin: string
  /** Paths of the calls that came. */
  readonly paths: ReadonlyArray<string>
}

export async function startCountingServer(
  tooEarly = 0,
  mayAnswer: Promise<void> = Promise.resolve(),
): Promise<CountingServer> {
  const paths: Array<string> = []
  const server = createServer((request, response) => {
    // A browser asks first whether the page may send.
    const headers = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "access-control-expose-headers": "retry-after",
    }
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end()
    paths.push(request.url ?? "")
    if (paths.length <= tooEarly) return void response.writeHead(429, { ...headers, "retry-after": "1" }).end()
    void mayAnswer.then(() => answer(request, response, headers))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    paths,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { id } = JSON.parse(await text(request))
  const reply = { jsonrpc: "2.0", id, result: `0x${"0".repeat(63)}1` }
  response.writeHead(200, { ...headers, "content-type": "application/json" }).end(JSON.stringify(reply))
}
