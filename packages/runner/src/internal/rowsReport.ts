/** The one report of a request with `# @each`, made from those of its rows. */
import type { BoundRequest } from "@dotrpc/analysis"
import { type Price, Redaction, type Steps } from "@dotrpc/spec"
import type {
  CheckReport,
  ErrorReport,
  PartialResult,
  RequestReport,
  RequestStatus,
  Resumption,
  RowReport,
} from "../RunEvent.ts"
import { summarizeChecks } from "../Summary.ts"
import { notesOf } from "./answered.ts"
import { isBroken } from "./broken.ts"
import { notChecked } from "./checks.ts"
import type { Execution } from "./execution.ts"
import { type AnsweredRow, keepRows, type KeptRow } from "./keptRows.ts"
import { checkOfEach, checksOfAll, errorsAreExpected, expectedRow } from "./rowsChecks.ts"
import { countedRows, isGoodRow, isPaid } from "./rowStatus.ts"
import { type DrawnRow, drawRows } from "./rowsTable.ts"

type Spent = Pick<RequestReport, "calls" | "credits" | "ms">

export interface Ended {
  readonly execution: Execution
  readonly requests: ReadonlyArray<BoundRequest>
  readonly keys: ReadonlyArray<string | undefined>
  readonly kept: ReadonlyMap<string, KeptRow>
  readonly spent: Spent
  readonly price: Price.PriceRange
  /** In milliseconds. */
  readonly now: number
}

/** In steps: there may be thousands of rows, and checks about all of them. */
export function* reportOf(
  { execution, keys, kept, now, price, requests, spent }: Ended,
  found: ReadonlyArray<RequestReport | undefined>,
  refused: RequestReport | undefined,
): Steps<RequestReport> {
  const { request } = execution
  const secrets = request.network?.secrets ?? []
  const ended = found.map((report, position) => report ?? skippedRow(requests[position] ?? request))
  const aboutAll = yield* checksOfAll(execution, ended, spent)
  const reports = errorsAreExpected(request, aboutAll, ended) ? ended.map(expectedRow) : ended
  const rows: Array<RowReport> = []
  for (const [position, report] of reports.entries()) {
    yield
    const row = report.request.row ?? { index: position, value: null, place: "" }
    rows.push({
      row: { ...row, value: yield* Redaction.scrubbingJson(row.value, secrets) },
      status: report.status,
      credits: report.credits,
      result: report.result,
      decoded: report.decoded,
      error: report.status === "check-failed" ? failedChecks(report) : report.error,
      ...(isPaid(report) && kept.has(keys[position] ?? "") ? { resumed: true } : {}),
    })
  }
  const checks: Array<CheckReport> = []
  for (const check of request.section.checks) {
    yield
    checks.push(aboutAll.get(check) ?? checkOfEach(check, reports))
  }
  yield
  const drawn = drawnRows(requests, reports, rows)
  const isWhole = reports.every(isPaid)
  yield
  const status = statusOfRows(reports, checks)
  const answered: Array<AnsweredRow> = []
  const seen = new Set<string>()
  for (const [position, report] of reports.entries()) {
    if (position % 256 === 0) yield
    const key = keys[position]
    if (!isPaid(report) || key === undefined || seen.has(key)) continue
    seen.add(key)
    answered.push({ key, report, at: kept.get(key)?.at ?? now })
  }
  const paid = answered.length === 0 ? undefined : keepRows(answered)
  yield
  const results = reports.map(({ result }) => result ?? null)
  const units = reports.find((report) => report.units !== undefined)?.units
  const note = reports.find((report) => report.note !== undefined)?.note
  return {
    request,
    status,
    ...spent,
    ...sums(reports),
    units,
    note,
    ...notesOf(reports.flatMap(({ notes }) => notes ?? [])),
    checks,
    rows,
    ...(isWhole ? { result: results, ...drawRows(drawn) } : { partial: partialOf(drawn, answered, paid) }),
    paid,
    ...(status === "ok" || status === "check-failed" ? {} : errorOfRows(reports, status, refused, spent, price)),
  }
}

const failedChecks = (report: RequestReport): ErrorReport => ({
  reason: "CheckFailed",
  id: "check-failed",
  message: [summarizeChecks(report), ...wordsOfBroken(report)].join(": "),
  retryable: false,
})

/** The texts of the checks that failed, of many the first ones. */
const wordsOfBroken = ({ checks }: RequestReport): ReadonlyArray<string> => {
  const broken = checks.filter(isBroken).map(({ text }) => text)
  if (broken.length === 0) return []
  const more = broken.length > mostChecksNamed ? [`and ${broken.length - mostChecksNamed} more`] : []
  return [[...broken.slice(0, mostChecksNamed), ...more].join("; ")]
}

const mostChecksNamed = 3

/** Drawn without the rows that nothing came of, and resumed from what came. */
const partialOf = (
  drawn: ReadonlyArray<DrawnRow>,
  answered: ReadonlyArray<AnsweredRow>,
  paid: Resumption | undefined,
): PartialResult | undefined => {
  if (paid === undefined) return undefined
  const came = new Set<DrawnRow["report"]>(answered.map(({ report }) => report))
  const shown = drawn.filter(({ report }) => came.has(report))
  return { ...drawRows(shown), share: undefined, ...paid }
}

export const drawnRows = (
  requests: ReadonlyArray<BoundRequest>,
  reports: ReadonlyArray<RequestReport | undefined>,
  rows?: ReadonlyArray<RowReport>,
): ReadonlyArray<DrawnRow> =>
  reports.flatMap((report, position) => {
    const row = rows?.[position]?.row ?? requests[position]?.row
    return report === undefined || row === undefined ? [] : [{ row, report }]
  })

const skippedRow = (request: BoundRequest): RequestReport => ({
  request,
  status: "skipped",
  calls: 0,
  credits: 0,
  ms: 0,
  checks: request.section.checks.map(notChecked),
  error: { reason: "Skipped", id: "bail", message: "not run: --bail stopped after another row", retryable: false },
})

const sums = (reports: ReadonlyArray<RequestReport>): Pick<RequestReport, "saved" | "avoided"> => {
  const sumOf = (which: "saved" | "avoided") => {
    const amounts = reports.flatMap((report) => report[which] ?? [])
    return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0)
  }
  return { saved: sumOf("saved"), avoided: sumOf("avoided") }
}

/** The gravest first. A row whose error its checks ask for is as good as one with a result. */
const statusOfRows = (reports: ReadonlyArray<RequestReport>, checks: ReadonlyArray<CheckReport>): RequestStatus => {
  const bad = new Set(reports.filter((report) => !isGoodRow(report)).map(({ status }) => status))
  const grave = (["refused", "failed", "rpc-error", "skipped"] as const).find((status) => bad.has(status))
  return grave ?? (checks.some(isBroken) ? "check-failed" : "ok")
}

const errorOfRows = (
  reports: ReadonlyArray<RequestReport>,
  status: RequestStatus,
  refused: RequestReport | undefined,
  { credits }: Spent,
  { max }: Price.PriceRange,
): Pick<RequestReport, "error"> => {
  const alike = reports.filter((report) => report.status === status && report.expected !== true)
  const [first] = alike
  const error = refused?.error ?? first?.error
  if (first === undefined || error === undefined) return {}
  const total = countedRows(reports.length)
  if (status === "refused") {
    const paid = reports.filter(isPaid).length
    return {
      error: {
        ...error,
        message: `${paid.toLocaleString("en")} of ${total} were paid for; the next was refused: ${error.message.replace(/^refused: /, "")}`,
        advice:
          paid === 0
            ? error.advice
            : "Run it with --resume, or resume it in the editor, to pay for the other rows only.",
        ...(error.budgetNeeded === undefined || max === undefined ? {} : { budgetNeeded: Math.max(credits, max) }),
      },
    }
  }
  const place = first.request.row?.place ?? ""
  const words = `${alike.length.toLocaleString("en")} of ${total} failed; the first is ${place}: ${error.message}`
  return { error: { ...error, message: words } }
}
