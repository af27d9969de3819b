/**
 * Runs a request with `# @each`: one call for each row, several at once, those that may go together in one turn.
 *
 * Invariants: no more is spent than the budget, and it is used up as far as whole rows go; after a refusal no other row is
 * sent once one was refused with nothing in flight. A row that an earlier run paid for is not sent again. Every row has one
 * report.
 */
import {
  type BoundRequest,
  mostTogether,
  namesOfCheck,
  rowRequests,
  savesTogether,
  togetherKey,
} from "@dotrpc/analysis"
import { CreditBudget, Turn } from "@dotrpc/core"
import type { CheckNode } from "@dotrpc/lang"
import { atOnce, inTurns, Json, type Price, Redaction, type RpcClient, type Steps } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import { errorValue, outcomeOf } from "../NamedResult.ts"
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
import { isBroken } from "./broken.ts"
import { checkOfRows, checksOfError, isAboutAll, notChecked } from "./checks.ts"
import { executeRequest } from "./execute.ts"
import type { Execution } from "./execution.ts"
import { type AnsweredRow, keepRows, type KeptRow, keyOfRow, readKept } from "./keptRows.ts"
import { interruptedReport, unresolvedReport } from "./reports.ts"
import { type DrawnRow, drawRows } from "./rowsTable.ts"

/** Rows, or groups of rows that go together, that are in flight at once. */
const mostAtOnce = 8

export interface RowsExecution extends Execution {
  /** Whether nothing more is sent after a row that is not good. */
  readonly bail: boolean
}

/** Fails never, as `executeRequest`. */
export const executeRows = (execution: RowsExecution): Effect.Effect<RequestReport, never, RpcClient> =>
  Effect.suspend(() => {
    const { analysis, request, results } = execution
    const rows = rowRequests(analysis, request, results)
    return "diagnostics" in rows
      ? Effect.succeed(unresolvedReport(request, rows.diagnostics))
      : runRows(execution, rows)
  })

const runRows = Effect.fnUntraced(function* (
  execution: RowsExecution,
  requests: ReadonlyArray<BoundRequest>,
): Effect.fn.Return<RequestReport, never, RpcClient> {
  const { analysis, request, results, resume } = execution
  const allowance = CreditBudget.makeAllowance({
    name: "# @budget",
    parent: execution.allowance,
    limit: request.settings.budget,
  })
  const started = yield* Clock.currentTimeNanos
  const spending = Effect.map(Clock.currentTimeNanos, (now) => ({
    calls: allowance.calls,
    credits: allowance.spent,
    ms: Math.round(Number(now - started) / 1e5) / 10,
  }))
  const keys: Array<string | undefined> = []
  for (const row of requests) keys.push(yield* keyOfRow(analysis, row, results))
  const kept = resume === undefined ? new Map<string, KeptRow>() : readKept(resume)
  const keptOf = (position: number) => kept.get(keys[position] ?? "")

  const reports: Array<RequestReport | undefined> = requests.map(() => undefined)
  const price = totalPrice(keys, kept, request.each?.price)
  let done = 0
  const tell = (waiting?: { readonly millis: number; readonly why: string }) =>
    execution.emit({
      _tag: "RequestProgress",
      request,
      attempt: 1,
      calls: allowance.calls,
      credits: allowance.spent,
      waiting,
      rows: { done, total: requests.length, price },
      soFar: (limit) => {
        const drawn = drawnRows(requests, reports).slice(0, limit)
        return { ...drawRows(drawn).render(limit), total: done }
      },
    })
  const noted = (position: number, report: RequestReport) => {
    if (reports[position] === undefined) done++
    reports[position] = report
  }
  const inner: Omit<Execution, "request"> = {
    ...execution,
    allowance,
    resume: undefined,
    emit: (event) => {
      if (event._tag === "RequestProgress" && event.waiting !== undefined) tell(event.waiting)
    },
  }
  const one = (position: number, row: BoundRequest) => {
    const known = keptOf(position)
    if (known !== undefined && "error" in known) return Effect.sync(() => keptError(inner, row, known.error))
    return executeRequest({
      ...inner,
      request: row,
      kept: known?.result,
      onStopped: (report) => noted(position, report),
    })
  }
  const run = (position: number) =>
    Effect.suspend(() => {
      const row = requests[position]
      return row === undefined
        ? Effect.void
        : Effect.map(one(position, row), (report) => {
            noted(position, report)
            tell()
          })
    })

  /** Of a row that was refused, or after one that ends the run. */
  let refused: RequestReport | undefined
  let isOver = false
  const look = (position: number) => {
    const report = reports[position]
    if (report?.status === "refused") refused ??= report
    if (execution.bail && report !== undefined && !isGoodRow(report)) isOver = true
  }
  const separate = new Set<number>()
  let next = 0
  /** The rows that are to be sent now: one, or those that go together. */
  const takeGroup = (waiting: ReadonlyArray<number>): ReadonlyArray<number> => {
    const first = waiting[next]
    if (first === undefined || refused !== undefined || isOver) return []
    const group = execution.bail || separate.has(first) ? [first] : groupAt(execution, requests, waiting, next)
    const row = requests[first]
    const saves = row !== undefined && savesTogether(row, group.length)
    if (!saves) for (const position of group) separate.add(position)
    const taken = saves ? group : [first]
    next += taken.length
    return taken
  }
  const worker = (waiting: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      for (;;) {
        // A run that is stopped does not begin with the next row.
        yield* Turn.next
        const group = takeGroup(waiting)
        if (group.length === 0) return
        yield* Effect.forEach(group, run, { concurrency: "unbounded", discard: true })
        for (const position of group) look(position)
      }
    })

  const whole = Effect.gen(function* () {
    tell()
    for (const position of requests.keys()) if (keptOf(position) !== undefined) yield* run(position)
    const waiting = [...requests.keys()].filter((position) => reports[position] === undefined)
    const workers = Array.from({ length: execution.bail ? 1 : mostAtOnce }, () => worker(waiting))
    yield* Effect.forEach(workers, (each) => each, { concurrency: "unbounded", discard: true })
    if (refused === undefined) return
    // What was in flight when the budget refused a row may have returned what it did not use.
    const left = waiting.filter(
      (position) => reports[position]?.status === "refused" || reports[position] === undefined,
    )
    for (const position of left) {
      yield* Turn.next
      yield* run(position)
      if (reports[position]?.status === "refused") break
    }
    for (const position of left)
      if (reports[position] === undefined) reports[position] = refusedAlike(requests[position] ?? request, refused)
  })
  yield* Effect.onInterrupt(whole, () =>
    Effect.map(Effect.all([spending, Clock.currentTimeMillis]), ([spent, now]) => {
      const stopped = reports.map(
        (report, position) => report ?? interruptedReport(requests[position] ?? request, undefined),
      )
      const report = atOnce(reportOf({ execution, requests, keys, kept, spent, price, now }, stopped, undefined))
      const { error } = interruptedReport(request, spent)
      execution.onStopped?.({ ...report, status: "failed", error, checks: request.section.checks.map(notChecked) })
    }),
  )
  const spent = yield* spending
  const now = yield* Clock.currentTimeMillis
  return yield* inTurns(() => reportOf({ execution, requests, keys, kept, spent, price, now }, reports, refused))
})

type Spent = Pick<RequestReport, "calls" | "credits" | "ms">

/** The rows from a position on that may become one call with the first of them. */
const groupAt = (
  { analysis, results, seenBlocks }: Execution,
  requests: ReadonlyArray<BoundRequest>,
  waiting: ReadonlyArray<number>,
  from: number,
): ReadonlyArray<number> => {
  const keyAt = (at: number) => {
    const row = requests[waiting[at] ?? -1]
    return row === undefined ? undefined : togetherKey(analysis, row, results, seenBlocks.blockOf)
  }
  const key = keyAt(from)
  let end = from + 1
  if (key !== undefined) while (end < from + mostTogether && keyAt(end) === key) end++
  return waiting.slice(from, end)
}

/** What all rows that can be sent cost, without those that are paid for. */
const totalPrice = (
  keys: ReadonlyArray<string | undefined>,
  kept: ReadonlyMap<string, unknown>,
  one: Price.PriceRange = { min: 0, max: 0, assumed: false },
): Price.PriceRange => {
  const count = keys.filter((key) => key !== undefined && !kept.has(key)).length
  return { ...one, min: one.min * count, max: one.max === undefined ? undefined : one.max * count }
}

/** A row whose error was paid for by an earlier run. */
const keptError = (execution: Omit<Execution, "request">, request: BoundRequest, error: ErrorReport): RequestReport => {
  const spent = { calls: 0, credits: 0, ms: 0 }
  const own = { ...spent, result: null, error: errorValue(error) }
  return { request, status: "rpc-error", ...spent, ...checksOfError({ ...execution, request }, own), error }
}

const refusedAlike = (request: BoundRequest, { error }: RequestReport): RequestReport => ({
  request,
  status: "refused",
  calls: 0,
  credits: 0,
  ms: 0,
  checks: request.section.checks.map(notChecked),
  error,
})

/** Whether its call was paid for and needs not be made again. */
const isPaid = ({ status }: RequestReport): boolean =>
  status === "ok" || status === "check-failed" || status === "rpc-error"

const isGoodRow = ({ expected, status }: RequestReport): boolean => status === "ok" || expected === true

interface Ended {
  readonly execution: RowsExecution
  readonly requests: ReadonlyArray<BoundRequest>
  readonly keys: ReadonlyArray<string | undefined>
  readonly kept: ReadonlyMap<string, KeptRow>
  readonly spent: Spent
  readonly price: Price.PriceRange
  /** In milliseconds. */
  readonly now: number
}

/** In steps: there may be thousands of rows, and checks about all of them. */
function* reportOf(
  { execution, keys, kept, now, price, requests, spent }: Ended,
  found: ReadonlyArray<RequestReport | undefined>,
  refused: RequestReport | undefined,
): Steps<RequestReport> {
  const { request } = execution
  const secrets = request.network?.secrets ?? []
  const ended = found.map((report, position) => report ?? skippedRow(requests[position] ?? request))
  const aboutAll = new Map<CheckNode, CheckReport>()
  for (const check of request.section.checks.filter(isAboutAll)) {
    yield
    aboutAll.set(check, yield* checkOfAll(execution, check, ended, spent))
  }
  const reports = errorsAreExpected(request, aboutAll, ended) ? ended.map(expectedRow) : ended
  const rows = reports.map((report, position): RowReport => {
    const row = report.request.row ?? { index: position, value: null, place: "" }
    return {
      row: { ...row, value: Redaction.scrubJson(row.value, secrets) },
      status: report.status,
      credits: report.credits,
      result: report.result,
      error: report.status === "check-failed" ? failedChecks(report) : report.error,
      ...(isPaid(report) && kept.has(keys[position] ?? "") ? { resumed: true } : {}),
    }
  })
  const checks: Array<CheckReport> = []
  for (const check of request.section.checks) {
    yield
    checks.push(aboutAll.get(check) ?? checkOfEach(check, reports))
  }
  const drawn = drawnRows(requests, reports, rows)
  const isWhole = reports.every(isPaid)
  const status = statusOfRows(reports, checks)
  const answered = reports.flatMap((report, position): ReadonlyArray<AnsweredRow> => {
    const key = keys[position]
    return isPaid(report) && key !== undefined ? [{ key, report, at: kept.get(key)?.at ?? now }] : []
  })
  const paid = answered.length === 0 ? undefined : keepRows(answered)
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

const drawnRows = (
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
  const total = counted(reports.length)
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

const counted = (rows: number): string => `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`

/** As for one request: whether checks about all rows read `error`, and all checks that do so hold. */
const errorsAreExpected = (
  { section }: BoundRequest,
  aboutAll: ReadonlyMap<CheckNode, CheckReport>,
  reports: ReadonlyArray<RequestReport>,
): boolean => {
  const onError = [...aboutAll].filter(([check]) => namesOfCheck(check).has("error"))
  if (onError.length === 0 || onError.some(([, { ok }]) => !ok)) return false
  const named = new Set(section.checks.filter((one) => namesOfCheck(one).has("error")).map(({ start }) => start))
  return reports.every(({ checks }) => checks.every(({ ok, start }) => ok || !named.has(start)))
}

const expectedRow = (report: RequestReport): RequestReport =>
  report.status === "rpc-error" ? { ...report, expected: true } : report

/** A check about all rows, once all have ended. */
function* checkOfAll(
  execution: RowsExecution,
  check: CheckNode,
  reports: ReadonlyArray<RequestReport>,
  spent: Spent,
): Steps<CheckReport> {
  if (!reports.every(isPaid)) return notChecked(check)
  const own = { ...spent, result: reports.map(({ result }) => result ?? null), error: null }
  const outcomes = reports.map(({ calls, credits, decoded, error, ms, request, result }) => ({
    request,
    own: { calls, credits, ms, ...outcomeOf(result ?? null, decoded), error: errorValue(error) },
  }))
  return yield* checkOfRows(execution, check, own, outcomes)
}

/** Of a check of each row, the first that fails. */
const checkOfEach = (check: CheckNode, reports: ReadonlyArray<RequestReport>): CheckReport => {
  const made = reports.map((report) => ({ report, check: report.checks.find(({ start }) => start === check.start) }))
  const broken = made.filter((one) => one.check !== undefined && isBroken(one.check))
  const [first] = broken
  if (first?.check !== undefined) {
    const { actual, expected, problem } = first.check
    const why = problem ?? (actual === undefined ? "" : `actual ${Json.stringifyStart(actual, longestActual)}`)
    const place = first.report.request.row?.place ?? ""
    return {
      start: check.start,
      text: check.text,
      ok: false,
      actual,
      expected,
      problem: `fails for ${broken.length.toLocaleString("en")} of ${counted(reports.length)}; the first is ${place}${why === "" ? "" : `: ${why}`}`,
    }
  }
  const isChecked = made.every((one) => one.check?.ok === true || one.report.expected === true)
  return isChecked ? { start: check.start, text: check.text, ok: true } : notChecked(check)
}

const longestActual = 100
