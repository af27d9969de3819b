/** Replies to requests that are refused before anything is answered: their HTTP form, and their form over a WebSocket. */
import { Json } from "@dotrpc/spec"
import type { Fault } from "../methods/Fault.ts"
import type { Admission } from "./Balances.ts"

export interface Refusal {
  readonly status: 401 | 402 | 404 | 429 | 503
  /** The HTTP body and its type. */
  readonly body: string
  readonly contentType: string
  /** The same in JSON-RPC, where the code is the status. */
  readonly fault: Fault
  readonly retryAfterSeconds?: number
}

/** The network is not one of those known. What was asked for is not repeated: a key may stand in its place. */
export const unknownNetwork = (known: ReadonlyArray<string>): Refusal =>
  inWords(404, `unknown network; expected one of ${known.join(", ")}`)

export const wrongKey = (): Refusal => inWords(401, "invalid project id")

/** What was not admitted. */
export const notAdmitted = (admission: Extract<Admission, { readonly admitted: false }>): Refusal =>
  admission.limit === "daily"
    ? inJson(402, {
        event: -33_000,
        message: "Payment Required",
        details: "You have reached your daily credit limit. The balance resets at 00:00 UTC.",
      })
    : {
        ...inJson(429, {
          event: -33_200,
          message: "Too Many Requests",
          details: "You have surpassed your allowed throughput limit. Reduce the number of credits per second.",
        }),
        retryAfterSeconds: 1,
      }

/** Nobody knows what the key has left. Why that is so is reported to anyone who runs the gateway, not to its callers. */
export const noBalance = (): Refusal => ({
  ...inJson(503, {
    message: "Service Unavailable",
    details: "The credit balances cannot be used at the moment, so no call is answered.",
  }),
  retryAfterSeconds: 1,
})

const inWords = (status: 401 | 404, message: string): Refusal => ({
  status,
  body: message,
  contentType: "text/plain; charset=utf-8",
  fault: { code: status, message },
})

const inJson = (
  status: 402 | 429 | 503,
  words: { readonly event?: number; readonly message: string; readonly details: string },
): Refusal => {
  const { details, event, message } = words
  return {
    status,
    body: Json.stringify({ code: status, ...words }),
    contentType: "application/json",
    fault: { code: status, message, data: { ...(event === undefined ? {} : { event }), details } },
  }
}
