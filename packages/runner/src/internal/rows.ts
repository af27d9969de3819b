/**
 * Runs a request with `# @each`: one call for each row, several at once, those that may go together in one turn.
 *
 * Invariants: no more is spent than the budget, and it is used up as far as whole rows go; after a refusal no other row is
 * sent once one was refused with nothing in flight. A row that an earlier run paid for is not sent again. Every row has one
 * report. Rows with equal calls are sent once, so a run costs the same whenever their answers come.
 */
import { type BoundRequest, mostTogether, rowRequests, savesTogether, togetherKey } from "@dotrpc/analysis"
import { CreditBudget, Turn } from "@dotrpc/core"
import { atOnce, inTurns, Json, pausing, type Price, type RpcClient } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import { errorValue } from "../NamedResult.ts"
import type { ErrorReport, RequestReport } from "../RunEvent.ts"
import { checksOfError, notChecked } from "./checks.ts"
import { executeRequest } from "./execute.ts"
import type { Execution } from "./execution.ts"
import { type KeptRow, keysOfRows, type PaidRow, paidRowOf, readKept } from "./keptRows.ts"
import { interruptedReport, unresolvedReport } from "./reports.ts"
import { drawnRows, reportOf } from "./rowsReport.ts"
import { isGoodRow, isPaid } from "./rowStatus.ts"
import { drawRows } from "./rowsTable.ts"

/** Rows, or groups of rows that go together, that are in flight at once. */
const mostAtOnce = 8

export interface RowsExecution extends Execution {
  /** Whether nothing more is sent after a row that is not good. */
  readonly bail: boolean
  /** Gets each row that was answered and paid for, at once. */
  readonly onPaidRow: ((request: BoundRequest, row: PaidRow) => void) | undefined
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
  const run = yield* begunRun(execution, requests)
  yield* Effect.onInterrupt(sendAll(run), () => reportStopped(run))
  const ended = yield* endOf(run)
  return yield* inTurns(() => reportOf(ended, run.reports, run.refused))
})

/** A request while its rows are sent. Rows go by their positions. */
interface RowsRun {
  readonly execution: RowsExecution
  readonly requests: ReadonlyArray<BoundRequest>
  readonly allowance: CreditBudget.Allowance
  /** In nanoseconds. */
  readonly started: bigint
  readonly keys: ReadonlyArray<string | undefined>
  /** By their keys. */
  readonly kept: ReadonlyMap<string, KeptRow>
  /** Of rows whose call is that of an earlier one: that one. */
  readonly equalTo: ReadonlyMap<number, number>
  readonly price: Price.PriceRange
  readonly reports: Array<RequestReport | undefined>
  /** How many have a report. */
  done: number
  /** Rows that would not cost less together. */
  readonly separate: Set<number>
  /** Of a row that was refused. */
  refused: RequestReport | undefined
  /** Whether a row has ended the run. */
  isOver: boolean
}

const begunRun = Effect.fnUntraced(function* (
  execution: RowsExecution,
  requests: ReadonlyArray<BoundRequest>,
): Effect.fn.Return<RowsRun> {
  const { analysis, request, results, resume } = execution
  const allowance = CreditBudget.makeAllowance({
    name: "# @budget",
    parent: execution.allowance,
    limit: request.settings.budget,
  })
  const started = yield* Clock.currentTimeNanos
  const keys = yield* keysOfRows(analysis, requests, results)
  const kept = execution.kept === undefined ? readKept(resume) : keptByKey(keys, execution.kept)
  return {
    execution,
    requests,
    allowance,
    started,
    keys,
    kept,
    equalTo: equalRows(keys),
    price: totalPrice(keys, kept, request.each?.price),
    reports: requests.map(() => undefined),
    done: 0,
    separate: new Set(),
    refused: undefined,
    isOver: false,
  }
})

/** First the rows that are paid for, then those that are left, several at once, at last those whose call was made for another one. */
const sendAll = Effect.fnUntraced(function* (run: RowsRun) {
  emitProgress(run)
  yield* runKept(run)
  const waiting = [...run.requests.keys()].filter(
    (position) => run.reports[position] === undefined && !run.equalTo.has(position),
  )
  const left: Waiting = { positions: waiting, next: 0 }
  const workers = Array.from({ length: run.execution.bail ? 1 : mostAtOnce }, () => work(run, left))
  yield* Effect.forEach(workers, (each) => each, { concurrency: "unbounded", discard: true })
  if (run.refused !== undefined) yield* runOneByOne(run, waiting, run.refused)
  else if (run.isOver) return
  yield* runEqual(run)
})

/** Nothing is awaited for these: thousands of them would keep an editor waiting. */
const runKept = Effect.fnUntraced(function* (run: RowsRun) {
  const pause = pausing()
  for (const position of run.requests.keys()) {
    if (keptAt(run, position) === undefined) continue
    yield* Effect.promise(pause)
    yield* runRow(run, position)
  }
})

/** Rows that are to be sent, and where the next of them is. */
interface Waiting {
  readonly positions: ReadonlyArray<number>
  next: number
}

const work = Effect.fnUntraced(function* (run: RowsRun, waiting: Waiting) {
  for (;;) {
    // A run that is stopped does not begin with the next row.
    yield* Turn.next
    const group = takeGroup(run, waiting)
    if (group.length === 0) return
    yield* Effect.forEach(group, (position) => runRow(run, position), { concurrency: "unbounded", discard: true })
    for (const position of group) {
      const report = run.reports[position]
      if (report?.status === "refused") run.refused ??= report
      if (run.execution.bail && report !== undefined && !isGoodRow(report)) run.isOver = true
    }
  }
})

/** The rows that are to be sent now: one, or those that go together. */
const takeGroup = (run: RowsRun, waiting: Waiting): ReadonlyArray<number> => {
  const { execution, isOver, refused, requests, separate } = run
  const { next, positions } = waiting
  const first = positions[next]
  if (first === undefined || refused !== undefined || isOver) return []
  const group = execution.bail || separate.has(first) ? [first] : groupAt(execution, requests, positions, next)
  const row = requests[first]
  const saves = row !== undefined && savesTogether(row, group.length)
  if (!saves) for (const position of group) separate.add(position)
  const taken = saves ? group : [first]
  waiting.next += taken.length
  return taken
}

/** What was in flight when the budget refused a row may have returned what it did not use. */
const runOneByOne = Effect.fnUntraced(function* (run: RowsRun, waiting: ReadonlyArray<number>, refused: RequestReport) {
  const { reports } = run
  const left = waiting.filter((position) => reports[position] === undefined || reports[position].status === "refused")
  for (const position of left) {
    yield* Turn.next
    yield* runRow(run, position)
    if (reports[position]?.status === "refused") break
  }
  for (const position of left) reports[position] ??= endedAlike(requestAt(run, position), refused)
})

/** Rows whose call was made for another one. */
const runEqual = Effect.fnUntraced(function* (run: RowsRun) {
  const pause = pausing()
  for (const [position, first] of run.equalTo) {
    const made = run.reports[first]
    if (made === undefined || run.reports[position] !== undefined) continue
    yield* Effect.promise(pause)
    const { error, result } = made
    if (isPaid(made))
      yield* runRow(run, position, result === undefined && error !== undefined ? { error } : { result: result ?? null })
    else setReport(run, position, endedAlike(requestAt(run, position), made))
  }
})

/** Sends a row, unless what it gets is known, and keeps what was paid for. */
const runRow = Effect.fnUntraced(function* (
  run: RowsRun,
  position: number,
  known: KeptRow | undefined = keptAt(run, position),
) {
  const row = run.requests[position]
  if (row === undefined) return
  const execution: Execution = {
    ...run.execution,
    allowance: run.allowance,
    request: row,
    resume: undefined,
    kept: known !== undefined && "result" in known ? known.result : undefined,
    emit: (event) => {
      if (event._tag === "RequestProgress" && event.waiting !== undefined) emitProgress(run, event.waiting)
    },
    onStopped: (report) => setReport(run, position, report),
  }
  const report =
    known !== undefined && "error" in known ? keptError(execution, known.error) : yield* executeRequest(execution)
  setReport(run, position, report)
  emitProgress(run)
  const at = yield* Clock.currentTimeMillis
  const key = run.keys[position]
  if (key !== undefined && keptAt(run, position) === undefined && !run.equalTo.has(position) && isPaid(report))
    run.execution.onPaidRow?.(run.execution.request, paidRowOf({ key, report, at }))
})

const requestAt = ({ execution, requests }: RowsRun, position: number): BoundRequest =>
  requests[position] ?? execution.request

const keptAt = ({ kept, keys }: RowsRun, position: number): KeptRow | undefined => kept.get(keys[position] ?? "")

const setReport = (run: RowsRun, position: number, report: RequestReport): void => {
  if (run.reports[position] === undefined) run.done++
  run.reports[position] = report
}

const emitProgress = (run: RowsRun, waiting?: { readonly millis: number; readonly why: string }): void => {
  const { allowance, execution, price, reports, requests } = run
  execution.emit({
    _tag: "RequestProgress",
    request: execution.request,
    attempt: 1,
    calls: allowance.calls,
    credits: allowance.spent,
    waiting,
    rows: { done: run.done, total: requests.length, price },
    soFar: (limit) => {
      const drawn = drawnRows(requests, reports).slice(0, limit)
      return { ...drawRows(drawn).render(limit), total: run.done }
    },
  })
}

/** What a report needs of a run that has ended, and when. */
const endOf = ({ allowance, execution, keys, kept, price, requests, started }: RowsRun) =>
  Effect.map(Effect.all([Clock.currentTimeNanos, Clock.currentTimeMillis]), ([nanos, now]) => {
    const ms = Math.round(Number(nanos - started) / 1e5) / 10
    const spent = { calls: allowance.calls, credits: allowance.spent, ms }
    return { execution, requests, keys, kept, spent, price, now }
  })

const reportStopped = (run: RowsRun) =>
  Effect.map(endOf(run), (ended) => {
    const { onStopped, request } = run.execution
    const stopped = run.requests.map((row, position) => run.reports[position] ?? interruptedReport(row, undefined))
    const report = atOnce(reportOf(ended, stopped, undefined))
    const { error } = interruptedReport(request, ended.spent)
    onStopped?.({ ...report, status: "failed", error, checks: request.section.checks.map(notChecked) })
  })

/** The results of all rows, in their order. */
const keptByKey = (keys: ReadonlyArray<string | undefined>, results: Json.Json): ReadonlyMap<string, KeptRow> =>
  new Map(
    keys.flatMap((key, position) => {
      const result = Json.isArray(results) ? results[position] : undefined
      return key === undefined || result === undefined ? [] : [[key, { result }] as const]
    }),
  )

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

/** Of rows that are equal to an earlier one: that one. */
const equalRows = (keys: ReadonlyArray<string | undefined>): ReadonlyMap<number, number> => {
  const first = new Map<string, number>()
  const equal = new Map<number, number>()
  for (const [position, key] of keys.entries()) {
    const before = key === undefined ? undefined : first.get(key)
    if (before !== undefined) equal.set(position, before)
    else if (key !== undefined) first.set(key, position)
  }
  return equal
}

/** What all rows that can be sent cost, without those that are paid for. */
const totalPrice = (
  keys: ReadonlyArray<string | undefined>,
  kept: ReadonlyMap<string, unknown>,
  one: Price.PriceRange = { min: 0, max: 0, assumed: false },
): Price.PriceRange => {
  const count = new Set(keys.filter((key) => key !== undefined && !kept.has(key))).size
  return { ...one, min: one.min * count, max: one.max === undefined ? undefined : one.max * count }
}

/** A row whose error was paid for by an earlier run. */
const keptError = (execution: Execution, error: ErrorReport): RequestReport => {
  const spent = { calls: 0, credits: 0, ms: 0 }
  const own = { ...spent, result: null, error: errorValue(error) }
  return { request: execution.request, status: "rpc-error", ...spent, ...checksOfError(execution, own), error }
}

const endedAlike = (request: BoundRequest, { error, status }: RequestReport): RequestReport => ({
  request,
  status,
  calls: 0,
  credits: 0,
  ms: 0,
  checks: request.section.checks.map(notChecked),
  error,
})
