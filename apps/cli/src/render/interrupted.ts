/** The output about requests that an interruption prevented. */
import { Visible } from "@dotrpc/spec"
import { type FileReport, labelOf, type RequestReport, showMillis } from "@dotrpc/runner"

/** The requests in flight, each with how long it ran, and how many were not begun. The answers before that are shown already. */
export const interruptedLines = (files: ReadonlyArray<FileReport>): ReadonlyArray<string> => {
  const reports = files.flatMap((file) => file.reports).filter(({ error }) => error?.id === "interrupted")
  const inFlight = reports.filter(({ status }) => status === "failed")
  const notRun = reports.length - inFlight.length
  return [
    ...inFlight.slice(0, mostNamed).map(lineOf),
    ...(inFlight.length > mostNamed ? [`  … ${inFlight.length - mostNamed} more in flight`] : []),
    ...(notRun === 0 ? [] : [`  ${notRun} ${notRun === 1 ? "request was" : "requests were"} not run`]),
  ]
}

const lineOf = ({ ms, request, rows = [] }: RequestReport): string => {
  const paid = rows.filter(({ status }) => isPaid.has(status)).length
  const words =
    paid === 0
      ? ""
      : `; ${paid.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows were paid for: --resume sends the others only`
  return `  ${Visible.line(labelOf(request))}: interrupted before it finished, after ${showMillis(ms)}${words}`
}

const isPaid: ReadonlySet<RequestReport["status"]> = new Set(["ok", "check-failed", "compare-failed", "rpc-error"])

/** `--parallel` may be any number. */
const mostNamed = 20
