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
  const keys = yield* keysOfRows(analysis, requests, results)
  const equalTo = equalRows(keys)
  const kept = execution.kept === undefined ? readKept(resume) : keptByKey(keys, execution.kept)
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
    kept: undefined,
    emit: (event) => {
      if (event._tag === "RequestProgress" && event.waiting !== undefined) tell(event.waiting)
    },
  }
  const one = (position: number, row: BoundRequest, known: KeptRow | undefined) => {
    if (known !== undefined && "error" in known) return Effect.sync(() => keptError(inner, row, known.error))
    return executeRequest({
      ...inner,
      request: row,
      kept: known?.result,
      onStopped: (report) => noted(position, report),
    })
  }
  const keep = (position: number, report: RequestReport) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const key = keys[position]
      if (key !== undefined && keptOf(position) === undefined && !equalTo.has(position) && isPaid(report))
        execution.onPaidRow?.(request, paidRowOf({ key, report, at }))
    })
  const run = (position: number, known: KeptRow | undefined = keptOf(position)) =>
    Effect.suspend(() => {
      const row = requests[position]
      return row === undefined
        ? Effect.void
        : Effect.flatMap(one(position, row, known), (report) => {
            noted(position, report)
            tell()
            return keep(position, report)
          })
    })
  /** Rows whose call was made for another one. */
  const follow = Effect.gen(function* () {
    const pause = pausing()
    for (const [position, first] of equalTo) {
      const made = reports[first]
      if (made === undefined || reports[position] !== undefined) continue
      yield* Effect.promise(pause)
      const { error, result } = made
      if (isPaid(made))
        yield* run(position, result === undefined && error !== undefined ? { error } : { result: result ?? null })
      else noted(position, endedAlike(requests[position] ?? request, made))
    }
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
        yield* Effect.forEach(group, (position) => run(position), { concurrency: "unbounded", discard: true })
        for (const position of group) look(position)
      }
    })

  const whole = Effect.gen(function* () {
    tell()
    // Nothing is awaited for these: thousands of them would keep an editor waiting.
    const pause = pausing()
    for (const position of requests.keys()) {
      if (keptOf(position) === undefined) continue
      yield* Effect.promise(pause)
      yield* run(position)
    }
    const waiting = [...requests.keys()].filter((position) => reports[position] === undefined && !equalTo.has(position))
    const workers = Array.from({ length: execution.bail ? 1 : mostAtOnce }, () => worker(waiting))
    yield* Effect.forEach(workers, (each) => each, { concurrency: "unbounded", discard: true })
    if (refused === undefined) return yield* isOver ? Effect.void : follow
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
      if (reports[position] === undefined) reports[position] = endedAlike(requests[position] ?? request, refused)
    yield* follow
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
const keptError = (execution: Omit<Execution, "request">, request: BoundRequest, error: ErrorReport): RequestReport => {
  const spent = { calls: 0, credits: 0, ms: 0 }
  const own = { ...spent, result: null, error: errorValue(error) }
  return { request, status: "rpc-error", ...spent, ...checksOfError({ ...execution, request }, own), error }
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
