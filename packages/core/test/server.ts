/** A real HTTP server on the loopback interface, with scripted answers. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { defineNetwork, type Network } from "@dotrpc/spec"
import type { HttpTransport } from "../src/index.ts"

export interface Call {
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  /** The id of the JSON-RPC request. */
  readonly id: number
  readonly response: ServerResponse
}

export interface Server {
  readonly host: string
  readonly network: Network
  readonly calls: ReadonlyArray<Call>
}

/** Serves until the scope ends; connections that are open then are cut. The key is part of the network's address. */
export const serve = (answer: (call: Call) => void, key = "local"): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const calls: Array<Call> = []
    const server = createServer((message, response) => {
      let body = ""
      message.setEncoding("utf8").on("data", (text: string) => (body += text))
      message.on("end", () => {
        const { id } = JSON.parse(body) as { readonly id: number }
        const call: Call = { url: message.url ?? "", headers: message.headers, body, id, response }
        calls.push(call)
        answer(call)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        }),
    )
    const { port } = server.address() as AddressInfo
    const host = `127.0.0.1:${port}`
    return { host, network: defineNetwork({ id: "local", plugin: "test", url: `http://${host}/v3/${key}` }), calls }
  })

/** Answers with a status and a body. */
export const reply =
  (status: number, body: string | object, headers: Readonly<Record<string, string>> = {}) =>
  ({ response }: Call): void => {
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body))
  }

/** Answers with a result. */
export const result =
  (value: unknown) =>
  ({ id, response }: Call): void => {
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: value }))
  }

/** Answers with a JSON-RPC error. */
export const rpcError =
  (status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  (call: Call): void =>
    reply(status, { jsonrpc: "2.0", id: call.id, error: { code, message } }, headers)(call)

/** Promises more than it sends, and hangs up. */
export const cutOff =
  (status: number, body: string) =>
  ({ response }: Call): void => {
    response.writeHead(status, { "content-length": "1000" }).write(body, () => response.socket?.destroy())
  }

/** Hangs up without a word. */
export const hangUp = ({ response }: Call): void => {
  response.socket?.destroy()
}

/** Calls go through `fetch`, as outside Node. */
export const byFetch: Pick<HttpTransport.Options, "fetch"> = { fetch: (url, init) => globalThis.fetch(url, init) }
