/** What the server sent for a request, whether or not it fits the method: a result, or the data of an error. */
import type { Json } from "@dotrpc/spec"

/** As much of a report, or of a run that is kept, as says so. */
interface Received {
  readonly result?: Json.Json | undefined
  readonly error?: { readonly received?: Json.Json | undefined; readonly data?: Json.Json | undefined } | undefined
}

export const cameBack = ({ error, result }: Received): Json.Json | undefined => result ?? error?.received ?? error?.data
