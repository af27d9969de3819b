/** A server on this machine that takes requests and never answers them. */
import { createServer } from "node:http"

export interface SilentServer extends AsyncDisposable {
  readonly origin: string
  /** Paths of the requests that were taken. */
  readonly taken: ReadonlyArray<string>
  /** How many of them were given up by the other side. */
  readonly givenUp: () => number
}

export async function startSilentServer(): Promise<SilentServer> {
  const taken: Array<string> = []
  let givenUp = 0
  const server = createServer((request, response) => {
    if (request.method === "OPTIONS") {
      // A browser asks first whether the page may send.
      response.writeHead(204, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end()
      return
    }
    taken.push(request.url ?? "")
    response.on("close", () => void givenUp++)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    taken,
    givenUp: () => givenUp,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
