/** The part of a WebSocket that is used: of the browser's own, of Node's, and of the package `ws`. */

/** Makes a socket, which connects at once. The limit on messages and the headers are for the package `ws`; others do not look at them. */
export type WebSocketConstructor = new (
  url: string,
  protocols?: Array<string>,
  options?: { readonly maxPayload: number; readonly headers?: Readonly<Record<string, string>> | undefined },
) => Socket

/** What is used of a WebSocket: that of browsers and Node, or of `ws`. */
export interface Socket {
  binaryType: string
  /** 1 while it is open. */
  readonly readyState: number
  /** Bytes that were given to it and have not left. */
  readonly bufferedAmount: number
  /** Sends a text as one frame. */
  send(text: string): void
  /** Ends the connection. */
  close(code?: number, reason?: string): void
  /** Calls the listener for each event of a kind. */
  addEventListener(type: "open" | "message" | "error" | "close", listener: (event: object) => void): void
  /** Sends a ping frame; only `ws` can. */
  ping?(text: string): void
  /** Tells of pong frames, and of messages as bytes, without a string of the whole; only `ws` can. */
  on?(type: "pong" | "message", listener: (bytes: Uint8Array | ArrayBuffer) => void): void
  /** Reads no more until it is resumed, so that the server has to wait; only `ws` can. */
  pause?(): void
  /** Reads on. */
  resume?(): void
  /** Cuts the connection without a close frame; only `ws` can. */
  terminate?(): void
}

export const OPEN = 1

/** A message as received: text, or bytes of text; `undefined` when it is neither. */
export const contentOf = (event: object): string | Uint8Array | undefined => {
  const data = "data" in event ? event.data : undefined
  if (typeof data === "string") return data
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined
}

/** The text of a message; `undefined` when it is neither text nor bytes of text. */
export const textOf = (event: object): string | undefined => {
  const content = contentOf(event)
  return content === undefined || typeof content === "string" ? content : new TextDecoder().decode(content)
}

/** How long a message is; of a text, at least as many bytes as this. */
export const lengthOf = (event: object): number => {
  const data = "data" in event ? event.data : undefined
  if (typeof data === "string") return data.length
  return data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0
}

/**
 * The id of a reply that is too long to be parsed, from the first or the last characters of its message: servers write it before the
 * result or after it. `undefined` when it stands elsewhere.
 */
export const idAtTheEnds = (event: object): number | undefined => {
  const data = "data" in event ? event.data : undefined
  const id = idFirst.exec(piece(data, 0, glimpse))?.[1] ?? idLast.exec(piece(data, -glimpse))?.[1]
  return id === undefined ? undefined : Number(id)
}

/** How many characters of either end are looked at. */
const glimpse = 200

const idFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,/
/** A brace at the end of a whole message closes the object that the message is. */
const idLast = /,\s*"id"\s*:\s*"?(\d{1,15})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

const piece = (data: unknown, from: number, to?: number): string => {
  if (typeof data === "string") return data.slice(from, to)
  if (data instanceof ArrayBuffer) return new TextDecoder().decode(data.slice(from, to))
  if (!ArrayBuffer.isView(data)) return ""
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return new TextDecoder().decode(bytes.subarray(from, to))
}

/** Why `ws` gave a socket up, by the words of its error event, when it received more than it keeps. */
export const floodIn = (words: string): "too long" | "in too many pieces" | undefined => {
  switch (words) {
    case "Max payload size exceeded":
    case "Unsupported WebSocket frame: payload length > 2^53 - 1":
      return "too long"
    case "Too many message fragments":
    case "Too many buffered chunks":
      return "in too many pieces"
    default:
      return undefined
  }
}

/** What an error event says, which in a browser is nothing. */
export const wordsOf = (event: object): string =>
  "message" in event && typeof event.message === "string" ? event.message : ""

export const closeCodeOf = (event: object): number | undefined =>
  "code" in event && typeof event.code === "number" ? event.code : undefined
