/** A node over HTTP, for the time of a test. */
import { createServer, type ServerResponse } from "node:http"
import { Json } from "@dotrpc/spec"

/** What was asked, with the id that the answer needs. */
export interface Asked {
  readonly id: number
  readonly url: string
  readonly body: string
}

/** Serves replies; the address that `test` gets ends in a key. */
export const withNode = async <A>(
  respond: (asked: Asked, response: ServerResponse) => void,
  test: (address: string) => Promise<A>,
): Promise<A> => {
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const call = Json.parse(body)
      respond({ id: Json.isObject(call) ? Number(call.id) : 0, url: request.url ?? "", body }, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no address")
  try {
    return await test(`http://127.0.0.1:${address.port}/v3/secret-of-the-node`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
