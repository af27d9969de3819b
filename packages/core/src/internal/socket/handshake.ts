/** The kind of WebSocket that a layer opens: whether it can send headers in its handshake, and how it takes them. */
import { Options, type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { failure } from "../failure.ts"
import type { Socket, WebSocketConstructor } from "./socket.ts"
import type { SentHeaders } from "../requestHeaders.ts"

/** What a socket is made with. */
export interface Handshake {
  readonly url: string
  readonly headers: SentHeaders
  readonly maxPayload: number
}

/** The given one, or the one of the runtime. */
export const webSocketOf = (
  webSocket: WebSocketConstructor | undefined = globalThis.WebSocket,
): WebSocketConstructor => {
  if (webSocket !== undefined) return Options.func("webSocket", webSocket)
  throw new Options.OptionError({
    message: "This runtime has no WebSocket of its own: pass one as `webSocket`, such as the one from the ws package.",
    path: "webSocket",
    expected: "a WebSocket constructor",
  })
}

/** Browsers and web workers send none: a page cannot set headers of a handshake. */
export const sendsHeaders = (make: WebSocketConstructor): boolean => isOfWs(make) || isOfNode(make)

/** The error of a call whose network has headers that a socket cannot send. Nothing is sent: a server would refuse a call without its key, or charge someone else for it. */
export const withoutHeaders = (request: RpcRequest): RpcError => {
  const { id } = request.network
  const said = `network "${id}" has "headers", which a WebSocket cannot send on this platform`
  const hint = `Give the network "${id}" a "url" and call it over HTTP, or put its key in the path of its "wsUrl".`
  return failure(request, new RpcReason.NotFound({ said, hint }), "unsent")
}

/** Throws what the constructor throws. */
export const makeSocket = (make: WebSocketConstructor, { headers, maxPayload, url }: Handshake): Socket => {
  if (Object.keys(headers).length === 0) return new make(url, [], { maxPayload })
  if (isOfWs(make)) return new make(url, [], { maxPayload, headers })
  // Node's own constructor takes them instead of protocols, in the same argument, of which the types of browsers have no words.
  const socket: Socket = Reflect.construct(make, [url, { protocols: [], headers }])
  return socket
}

/** The package `ws`, or what is built on it: only it can cut a connection. */
const isOfWs = (make: WebSocketConstructor): boolean => {
  const prototype: unknown = Reflect.get(make, "prototype")
  return typeof prototype === "object" && prototype !== null && "terminate" in prototype
}

const isOfNode = (make: WebSocketConstructor): boolean => {
  const platform: { readonly process?: unknown; readonly WebSocket?: unknown } = globalThis
  return platform.process !== undefined && !("document" in globalThis) && make === platform.WebSocket
}
