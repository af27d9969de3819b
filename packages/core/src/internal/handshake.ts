/** Whether a kind of WebSocket can send headers in its handshake, and how it takes them. */
import type { Socket, WebSocketConstructor } from "./socket.ts"
import { connectionTo } from "./wsConnection.ts"
import type { SentHeaders } from "./requestHeaders.ts"

/** What a socket is made with. */
export interface Handshake {
  readonly url: string
  readonly headers: SentHeaders
  readonly maxPayload: number
  /** Whether long messages are read while they arrive, where that is possible. */
  readonly inPieces?: boolean | undefined
}

/** Browsers and web workers send none: a page cannot set headers of a handshake. */
export const sendsHeaders = (make: WebSocketConstructor): boolean => isOfWs(make) || isOfNode(make)

/** `onPieces` is given a long message that has begun. Throws what the constructor throws. */
export const makeSocket = (
  make: WebSocketConstructor,
  { headers, inPieces = false, maxPayload, url }: Handshake,
  onPieces: (pieces: ReadableStream<Uint8Array>) => void,
): Socket => {
  const isPlain = Object.keys(headers).length === 0
  const createConnection = inPieces && isOfWs(make) ? connectionTo(new URL(url), onPieces) : undefined
  if (createConnection !== undefined) return construct(make, url, [], { maxPayload, headers, createConnection })
  if (isPlain) return new make(url, [], { maxPayload })
  if (isOfWs(make)) return new make(url, [], { maxPayload, headers })
  // Node's own constructor takes them instead of protocols, in the same argument.
  return construct(make, url, { protocols: [], headers })
}

/** With arguments of which the types of {@link WebSocketConstructor}, which fit browsers as well, have no words. */
const construct = (make: WebSocketConstructor, ...args: ReadonlyArray<unknown>): Socket => {
  const socket: Socket = Reflect.construct(make, args)
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
