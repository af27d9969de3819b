/** Ways to answer a call over HTTP, from which the cases are put together. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { HttpCall } from "./HostileServer.ts"

type Answer = (call: HttpCall) => void | Promise<void>
type Headers = Readonly<Record<string, string | ReadonlyArray<string>>>

/** A whole body, as given. */
export const body =
  (status: number, text: string | Uint8Array | ((call: HttpCall) => string), headers: Headers = {}): Answer =>
  (call) => {
    const { response } = call
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.end(typeof text === "function" ? text(call) : text)
  }

/** A result, as JSON text or as a value. */
export const result = (value: string | object | ((call: HttpCall) => object | string)): Answer =>
  body(200, (call) => {
    const made = typeof value === "function" ? value(call) : value
    return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":${typeof made === "string" ? made : JSON.stringify(made)}}`
  })

/** An error, its members as JSON text or as a value. */
export const rpcError = (value: string | object | ((call: HttpCall) => object), status = 200): Answer =>
  body(status, (call) => {
    const made = typeof value === "function" ? value(call) : value
    return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"error":${typeof made === "string" ? made : JSON.stringify(made)}}`
  })

/** Bytes that go out past HTTP, then the end of the connection. */
export const raw =
  (bytes: string | ((call: HttpCall) => string), end = true): Answer =>
  (call) => {
    const made = typeof bytes === "function" ? bytes(call) : bytes
    if (end) call.socket.end(Buffer.from(made, "latin1"))
    else call.socket.write(Buffer.from(made, "latin1"))
  }

/** A body that is made while it is sent, as fast as it is taken, and never kept. */
export const stream =
  (
    begin: string | Uint8Array,
    piece: string | Uint8Array,
    times: number,
    end: string | Uint8Array,
    headers: Headers = {},
  ): Answer =>
  async ({ response }) => {
    response.writeHead(200, headers as Record<string, string>)
    response.write(begin)
    const bytes = Buffer.from(piece)
    for (let sent = 0; sent < times && !response.destroyed; sent++) if (!response.write(bytes)) await drained(response)
    response.end(end)
  }

/** Bytes past HTTP until the other side hangs up, or so many pieces have been sent. */
export const endlessly =
  (begin: string, piece: string, times: number): Answer =>
  async ({ socket }) => {
    socket.write(begin)
    for (let sent = 0; sent < times && !socket.destroyed; sent++) if (!socket.write(piece)) await drained(socket)
    socket.destroy()
  }

/** One piece every 100 ms until the other side hangs up. */
export const drip =
  (begin: string, piece: string): Answer =>
  ({ socket }) => {
    socket.write(begin)
    const timer = setInterval(() => socket.write(piece), 100)
    socket.once("close", () => clearInterval(timer))
  }

/** Waits until more is taken, or nobody is there any more. */
export const drained = (response: ServerResponse | Socket): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go)
      resolve()
    }
    response.once("drain", go).once("close", go)
  })
