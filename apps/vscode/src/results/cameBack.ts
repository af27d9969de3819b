/** What the server sent for a request, whether or not it fits the method: a result, a part of one, or the data of an error. */
import type { Render, RequestReport } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"

import { type PaidPart, wholeCostOf } from "../run/wholeCost.ts"

/** As much of a report, or of a run that is kept, as says so. */
interface Received {
  readonly result?: Json.Json | undefined
  readonly partial?: { readonly result: Json.Json } | undefined
  readonly error?: { readonly received?: Json.Json | undefined; readonly data?: Json.Json | undefined } | undefined
}

export const cameBack = ({ error, partial, result }: Received): Json.Json | undefined =>
  result ?? partial?.result ?? error?.received ?? error?.data

/** How a result, or the part of one that came, becomes rows. */
export const renderOf = ({ partial, render }: Pick<RequestReport, "partial" | "render">): Render | undefined =>
  render ?? partial?.render

/** What a request that failed or was stopped is resumed from; `undefined` where it has to begin again. */
export const resumptionOf = (report: RequestReport): PaidPart | undefined => {
  const { partial } = report
  return partial?.point === undefined
    ? undefined
    : { result: partial.result, point: partial.point, paid: wholeCostOf(report) }
}
