/** The error object of a JSON-RPC reply, in the words of the node that would have sent it (service §7). */
import type { Json } from "@dotrpc/spec"

/** An error of a method, as the reply has it. */
export interface Fault {
  readonly code: number
  readonly message: string
  readonly data?: Json.Json
  /** The HTTP status of the reply when the call stands alone; 200 when absent. It decides what is charged. */
  readonly status?: 400 | 502 | 503
}

/** The text is not JSON. */
export const parseError = (detail: string): Fault => ({ code: -32700, message: `parse error: ${detail}`, status: 400 })

/** The JSON is not a request (service §1). */
export const invalidRequest = (message: string): Fault => ({ code: -32600, message, status: 400 })

/** The network has no such method. `name` is the caller's text, so it is cut to a sensible length. */
export const methodNotFound = (name: string): Fault => ({
  code: -32601,
  message: `the method ${shortened(name, 80)} does not exist/is not available`,
})

/** A message may quote the caller's text, which may have any length. */
export const invalidParams = (message: string): Fault => ({ code: -32602, message: shortened(message, 500) })

/** A node's general error: the request is well formed and cannot be served. */
export const serverFault = (message: string): Fault => ({ code: -32000, message: shortened(message, 500) })

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/** The reply, or a batch's replies together, would be larger than is sent. */
export const tooLarge = (limit: number): Fault => ({
  code: -32003,
  message: `response too large: a reply may have ${limit} bytes; narrow the query, or send fewer requests in one batch`,
})

/** The gateway answers too much at once. */
export const busy: Fault = {
  code: -32603,
  message: "the gateway is busy: try again in a second",
  status: 503,
}

/** The error object as it stands in a reply. */
export const faultJson = (fault: Fault): Json.JsonObject => ({
  code: fault.code,
  message: fault.message,
  ...(fault.data === undefined ? {} : { data: fault.data }),
})
