/** The error object of a JSON-RPC reply, in the words of the node that would have sent it (service §7). */
import type { Json } from "@dotrpc/spec"

export interface Fault {
  readonly code: number
  readonly message: string
  readonly data?: Json.Json
  /** The HTTP status of the reply when the call stands alone; 200 when absent. It decides what is charged. */
  readonly status?: 400 | 502
}

/** The text is not JSON. */
export const parseError = (detail: string): Fault => ({ code: -32700, message: `parse error: ${detail}`, status: 400 })

/** The JSON is not a request (service §1). */
export const invalidRequest = (message: string): Fault => ({ code: -32600, message, status: 400 })

/** The network has no such method. `name` is the caller's text, so it is cut to a sensible length. */
export const methodNotFound = (name: string): Fault => ({
  code: -32601,
  message: `the method ${name.length <= 80 ? name : `${name.slice(0, 79)}…`} does not exist/is not available`,
})

export const invalidParams = (message: string): Fault => ({ code: -32602, message })

/** A node's general error: the request is well formed and cannot be served. */
export const serverFault = (message: string): Fault => ({ code: -32000, message })

/** The error object as it stands in a reply. */
export const faultJson = (fault: Fault): Json.JsonObject => ({
  code: fault.code,
  message: fault.message,
  ...(fault.data === undefined ? {} : { data: fault.data }),
})
