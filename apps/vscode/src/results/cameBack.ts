/** What the server sent for a request, whether or not it is what the method promises. */
import type { RequestReport } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"

export const cameBack = ({ error, result }: Pick<RequestReport, "error" | "result">): Json.Json | undefined =>
  result ?? error?.received
