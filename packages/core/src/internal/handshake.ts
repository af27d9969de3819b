/** Whether a kind of WebSocket can send headers in its handshake, and how it takes them. */
import type { Socket, WebSocketConstructor } from "./socket.ts"
import type { SentHeaders } from "./requestHeaders.ts"

/** What a socket is made with. */
export interface Handshake {
  readonly url: string
  readonly headers: SentHeaders
  readonly maxPayload: number
}

/** Browsers and web workers send none: a page cannot set headers of a handshake. */
export const sendsHeaders = (make: WebSocketConstructor): boolean => isOfWs(make) || isOfNode(make)

/** Throws what the constructor throws. */
export const makeSocket = (make: WebSocketConstructor, { headers, maxPayload, url }: Handshake): Socket => {
  if (Object.keys(headers).length === 0) return new make(url, [], { maxPayload })
  if (isOfWs(make)) return new make(url, [], { maxPayload, headers })
  // Node's own constructor takes them instead of protocols, in the same argument.
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
