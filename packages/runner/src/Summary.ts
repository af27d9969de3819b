/** The words every front end uses for a finished request and a finished run. */
import type { BoundRequest } from "@dotrpc/analysis"
import { Price, Table } from "@dotrpc/spec"
import { isBroken } from "./internal/broken.ts"
import { mostCounted } from "./internal/mostCounted.ts"
import type { CompareReport, PartialResult, RequestReport, RunCredits } from "./RunEvent.ts"

/** `1,204 logs · 412 ms · 255 credits`, or the error instead of the count; what was read before it stands first. */
export const summarizeReport = (report: RequestReport): string => {
  if (report.rows !== undefined && report.status !== "skipped") {
    const error = report.error === undefined || report.expected === true ? [] : [report.error.message]
    return [summarizeRows(report), ...error].join(" · ")
  }
  if (report.partial !== undefined) return summarizePartial(report, report.partial)
  const parts = [report.render === undefined ? endOf(report) : Table.summarize(report.render(0))]
  if (report.calls > 1) parts.push(`${Table.groupDigits(report.calls)} calls`)
  if (report.status !== "skipped" && report.ms > 0) parts.push(showMillis(report.ms))
  if (report.status !== "skipped" && (report.status !== "refused" || report.calls > 0)) parts.push(showCharge(report))
  if (report.saved !== undefined) parts.push(`${Table.groupDigits(report.saved)} saved`)
  if (report.avoided !== undefined) parts.push(`${Table.groupDigits(report.avoided)} avoided`)
  if (report.shared !== undefined) parts.push(sharedWords[report.shared])
  if (report.reusedFrom !== undefined) parts.push(reusedWords(report.reusedFrom))
  return parts.join(" · ")
}

/** `310 of 500 rows · 12 calls · 3.1 s · 960 credits`, of a request with `# @each`. */
export const summarizeRows = (report: RequestReport): string => {
  const { rows = [] } = report
  const answered = rows.filter(({ status }) => status === "ok" || status === "check-failed" || status === "rpc-error")
  const all = `${Table.groupDigits(rows.length)} ${rows.length === 1 ? "row" : "rows"}`
  const resumed = rows.filter((row) => row.resumed === true).length
  return [
    answered.length === rows.length ? all : `${Table.groupDigits(answered.length)} of ${all}`,
    ...(resumed === 0 ? [] : [`${Table.groupDigits(resumed)} paid for before`]),
    ...(report.calls > 1 ? [`${Table.groupDigits(report.calls)} calls`] : []),
    showMillis(report.ms),
    showCharge(report),
    ...(report.saved === undefined ? [] : [`${Table.groupDigits(report.saved)} saved`]),
    ...(report.avoided === undefined ? [] : [`${Table.groupDigits(report.avoided)} avoided`]),
    ...(report.reusedFrom === undefined ? [] : [reusedWords(report.reusedFrom)]),
  ].join(" · ")
}

/** `reused from 2026-11-28 14:02:11 UTC`, of a result that was not paid for again. */
export const reusedWords = (at: number): string =>
  `reused from ${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`

const sharedWords = { "in flight": "answered by an equal request", cached: "answered from the cache" } as const

/** `equal on other · 18 ms · 80 credits`, or how many values differ, or why there is no comparison. */
export const summarizeComparison = ({ compare, request }: RequestReport): string | undefined => {
  if (compare === undefined) return request.notCompared
  const { avoided, calls, ms } = compare
  return [
    comparisonWords(compare),
    ...(calls === 0 ? [] : [showMillis(ms), Price.show(chargeOfComparison(request, compare))]),
    ...(avoided === undefined ? [] : [`${Table.groupDigits(avoided)} avoided`]),
  ].join(" · ")
}

const comparisonWords = ({ equal, error, network: { id }, total }: CompareReport): string => {
  if (equal === true) return error === undefined ? `equal on ${id}` : `the same error on ${id}`
  if (error !== undefined) return `no result on ${id}: ${error.message}`
  if (equal === undefined) return `no result to compare with the one on ${id}`
  const many = total >= mostCounted ? `${Table.groupDigits(total)} or more` : Table.groupDigits(total)
  return `${many} ${total === 1 ? "value differs" : "values differ"} on ${id}`
}

/** `1 of 2 checks failed`, `3 values differ on other`, of a request whose status says so. */
export const summarizeChecks = ({ checks, compare }: RequestReport): string => {
  const failed = checks.filter(isBroken).length
  const differs = compare === undefined || compare.equal === true ? undefined : comparisonWords(compare)
  if (differs !== undefined && failed === 0) return differs
  const own = `${Table.groupDigits(failed)} of ${Table.groupDigits(checks.length)} ${checks.length === 1 ? "check" : "checks"} failed`
  return differs === undefined ? own : `${own}; ${differs}`
}

/** `4,210 logs so far · 37% of the blocks · 12 calls · 3.1 s · 3,060 credits · interrupted before it finished` */
const summarizePartial = (report: RequestReport, partial: PartialResult): string =>
  [...readBefore(report, partial), endOf(report)].join(" · ")

/** Why there is no result, or how it ended where that is said elsewhere. */
const endOf = ({ error, status }: RequestReport): string => error?.message ?? status.replace("rpc-error", "RPC error")

/** What a request had read and paid before it ended without a result: `4,210 logs so far · 12 calls · 3.1 s · 3,060 credits`. */
export const summarizeUnfinished = (report: RequestReport): string => readBefore(report, report.partial).join(" · ")

const readBefore = (report: RequestReport, partial: PartialResult | undefined): ReadonlyArray<string> => [
  ...(partial === undefined ? [] : [`${Table.summarize(partial.render(0))} so far`]),
  ...(partial?.share === undefined ? [] : [`${Math.floor(partial.share * 100)}% of the blocks`]),
  ...(report.calls > 1 ? [`${Table.groupDigits(report.calls)} calls`] : []),
  showMillis(report.ms),
  showCharge(report),
]

/** What a request has spent, on both sides where it was compared. */
export const spentBy = ({ compare, credits }: RequestReport): number => credits + (compare?.credits ?? 0)

/** What the calls of a request cost when they were recorded, on both sides where it was compared. */
export const avoidedBy = ({ avoided, compare }: RequestReport): number => (avoided ?? 0) + (compare?.avoided ?? 0)

/** `255 credits`, or the same in the unit of the network's price sheet; `~` where the provider does not publish the price. */
export const showCharge = (report: RequestReport): string => Price.show(chargeOf(report))

/** What a request is called where requests of several files may stand together: `logs`, `logs (./shared.rpc)`. */
export const labelOf = ({ label, origin }: BoundRequest): string =>
  origin === undefined ? label : `${label} (${origin.path})`

/** `12 ms`, `3.4 s`. */
export const showMillis = (millis: number): string =>
  millis < 1_000 ? `${Math.round(millis)} ms` : `${(millis / 1_000).toFixed(1)} s`

/**
 * `335 credits spent · 2,999,665 left until 00:00 UTC`, or `left in this run` where each run counts on its own. Requests that
 * are paid from accounts with different units are summed up for each unit: `255 credits and ~60 CU spent`.
 */
export const summarizeCredits = (credits: RunCredits, reports: ReadonlyArray<RequestReport>): string => {
  const { estimated, spent } = credits
  const charges = reports.flatMap((report) => [
    chargeOf(report),
    ...(report.compare === undefined ? [] : [chargeOfComparison(report.request, report.compare)]),
  ])
  const isAssumed = charges.some(({ assumed, min }) => assumed && min > 0)
  const all = isMixed(credits)
    ? Price.showSum(charges)
    : Price.show({ min: spent, max: spent, assumed: isAssumed, unit: estimated.unit })
  const avoided = reports.reduce((sum, report) => sum + avoidedBy(report), 0)
  return `${all} spent${avoided === 0 ? "" : `, ${Table.groupDigits(avoided)} avoided`} · ${leftWords(credits)}`
}

const chargeOf = ({ credits, request }: RequestReport): Price.PriceRange => ({
  min: credits,
  max: credits,
  assumed: request.price?.assumed === true && credits > 0,
  unit: request.network?.prices?.unit,
})

const chargeOfComparison = (request: BoundRequest, { credits, network }: CompareReport): Price.PriceRange => ({
  min: credits,
  max: credits,
  assumed: request.compare?.price.assumed === true && credits > 0,
  unit: network.prices?.unit,
})

/** A sum of several units is paid from several accounts. */
const isMixed = ({ estimated }: RunCredits): boolean => estimated.unit?.many === "units"

const leftWords = (credits: RunCredits): string => {
  const { estimated, ofRun, remaining, resetsAt } = credits
  if (isMixed(credits)) return "dotrpc credits shows what is left of each account"
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
