/** What the name of a request and the names of its own checks lead to once it has run, as JSON. */
import type { Json } from "@dotrpc/spec"
import type { ErrorReport, RequestReport } from "./RunEvent.ts"

/** What `name.result` and its neighbours lead to; `decoded` is what `name.result.decoded` does. */
export const namedResult = (report: RequestReport): Json.Json => ({
  ...outcomeOf(report.result ?? null, report.decoded),
  error: errorValue(report.error),
  credits: report.credits,
  ms: report.ms,
  calls: report.calls,
})

/** A result with what it says decoded, where that is known. */
export const outcomeOf = (result: Json.Json, decoded: Json.Json | undefined): Readonly<Record<string, Json.Json>> => ({
  result,
  ...(decoded === undefined ? {} : { decoded }),
})

/** What `error` is, for checks and for other requests; `null` after a result. */
export const errorValue = (error: ErrorReport | undefined): Json.Json =>
  error === undefined
    ? null
    : {
        code: error.code ?? null,
        message: error.message,
        reason: error.reason,
        data: error.data ?? null,
        ...(error.decoded === undefined ? {} : { decoded: error.decoded }),
      }
