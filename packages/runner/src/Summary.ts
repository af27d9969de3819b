/** The words every front end uses for a finished request and a finished run. */
import type { BoundRequest } from "@dotrpc/analysis"
import { Price, Table } from "@dotrpc/spec"
import type { PartialResult, RequestReport, RunCredits } from "./RunEvent.ts"

/** `1,204 logs · 412 ms · 255 credits`, or the error instead of the count; what was read before it stands first. */
export const summarizeReport = (report: RequestReport): string => {
  if (report.partial !== undefined) return summarizePartial(report, report.partial)
  const parts = [
    report.render === undefined ? (report.error?.message ?? report.status) : Table.summarize(report.render(0)),
  ]
  if (report.calls > 1) parts.push(`${Table.groupDigits(report.calls)} calls`)
  if (report.status !== "skipped" && report.ms > 0) parts.push(showMillis(report.ms))
  if (report.status !== "skipped" && report.status !== "refused") parts.push(showCharge(report))
  return parts.join(" · ")
}

/** `4,210 logs so far · 37% of the blocks · 12 calls · 3.1 s · 3,060 credits · interrupted before it finished` */
const summarizePartial = (report: RequestReport, { render, share }: PartialResult): string =>
  [
    `${Table.summarize(render(0))} so far`,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)}% of the blocks`]),
    ...(report.calls > 1 ? [`${Table.groupDigits(report.calls)} calls`] : []),
    showMillis(report.ms),
    showCharge(report),
    report.error?.message ?? report.status,
  ].join(" · ")

/** `255 credits`, or the same in the unit of the network's price sheet. */
export const showCharge = ({ credits, request }: RequestReport): string =>
  Price.showCredits(credits, request.network?.prices?.unit)

/** What a request is called where requests of several files may stand together: `logs`, `logs (./shared.rpc)`. */
export const labelOf = ({ label, origin }: BoundRequest): string =>
  origin === undefined ? label : `${label} (${origin.path})`

/** `12 ms`, `3.4 s`. */
export const showMillis = (millis: number): string =>
  millis < 1_000 ? `${Math.round(millis)} ms` : `${(millis / 1_000).toFixed(1)} s`

/** `335 credits spent · 2,999,665 left until 00:00 UTC`, or `left in this run` where each run counts on its own. */
export const summarizeCredits = (credits: RunCredits): string => {
  const { estimated, spent } = credits
  return `${Price.showCredits(spent, estimated.unit)} spent · ${leftWords(credits)}`
}

const leftWords = ({ estimated, ofRun, remaining, resetsAt }: RunCredits): string => {
  // A sum of several units is paid from several accounts.
  if (estimated.unit?.many === "units") return "dotrpc credits shows what is left of each account"
  if (remaining === undefined) return "the remaining balance is unknown: the ledger cannot be used"
  if (remaining === Number.POSITIVE_INFINITY) return "no limit"
  const left = `${Table.groupDigits(remaining)} left`
  if (ofRun === true) return `${left} in this run`
  if (resetsAt === undefined) return left
  // The window of an account may end on another day.
  const until =
    estimated.unit === undefined ? resetsAt.toISOString().slice(11, 16) : resetsAt.toISOString().slice(0, 16)
  return `${left} until ${until.replace("T", " ")} UTC`
}
