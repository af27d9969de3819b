/** Servers of this machine, as the suites need them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface LocalServer {
  readonly server: Server
  readonly origin: string
  readonly close: () => Promise<void>
}

/** `answer` gets the body of each request that arrives whole, `onPiece` each piece of one. */
export const startServer = async (
  answer: (body: string, request: IncomingMessage, response: ServerResponse) => void,
  onPiece: (request: IncomingMessage) => void = () => {},
): Promise<LocalServer> => {
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk
      onPiece(request)
    })
    request.on("error", () => undefined)
    request.on("end", () => answer(body, request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Those who wait until something is reached. */
export class Waiting {
  readonly #checks = new Set<() => void>()

  /** Resolves once the condition is true, which is asked now and at each change. */
  until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isReached()) return
        this.#checks.delete(check)
        resolve()
      }
      this.#checks.add(check)
      check()
    })
  }

  changed(): void {
    for (const check of this.#checks) check()
  }
}
