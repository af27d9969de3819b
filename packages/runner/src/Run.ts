/**
 * Runs a plan: dependencies first, independent requests in parallel, every request with its own credit limit.
 *
 * Invariant: every request of the plan is reported exactly once, whatever happens in it, in a plugin or in the run, unless
 * the run is interrupted; and one that cannot be right sends nothing.
 */
import { type BoundRequest, callText, mostTogether, resultKey, savesTogether, togetherKey } from "@dotrpc/analysis"
import {
  type CallObserver,
  CreditBudget,
  CreditLedger,
  type FinalResults,
  keyOf,
  type RangeScan,
  SeenBlocks,
  Turn,
} from "@dotrpc/core"
import { type Json, Options, outlivesRun, type RpcClient } from "@dotrpc/spec"
import { type Cause, Clock, Deferred, Effect, Exit, Queue, Redacted, Stream } from "effect"
import { isBroken } from "./internal/broken.ts"
import { executeRequest, unresolved } from "./internal/execute.ts"
import { executeRows, type RowsExecution } from "./internal/rows.ts"
import { inOrder } from "./internal/order.ts"
import { makePins } from "./internal/pins.ts"
import { notesOf } from "./internal/answered.ts"
import { makeSeparately, type Separately } from "./internal/separately.ts"
import { internalReport, leftOutReport, skippedReport } from "./internal/reports.ts"
import { internalErrorWords } from "./InternalError.ts"
import { namedResult } from "./NamedResult.ts"
import type { PaidRow } from "./PaidRows.ts"
import { sourcesIn } from "./ReusedSources.ts"
import type { RunPlan } from "./RunPlan.ts"
import type { Snapshots } from "./Snapshots.ts"
import { type BlockTimes, blockTimesOfProcess } from "./BlockTimes.ts"
import { keptUnits, type UnitsMemory } from "./UnitsMemory.ts"
import type { RequestReport, Resumption, RunEvent } from "./RunEvent.ts"

/** How a plan runs. */
export interface RunOptions {
  /** Requests that may run at once; 1 runs them in order. */
  readonly parallel?: number | undefined
  /** After the first request that is not ok, or whose check fails, the rest are skipped. */
  readonly bail?: boolean | undefined
  /** A request of an earlier document after which this one is not to run: everything is skipped. */
  readonly stoppedBy?: RequestReport | undefined
  /** What the run spends is taken from this, and its limit is never exceeded. A meter without limit when absent. */
  readonly allowance?: CreditBudget.Allowance | undefined
  /** The file, as a ledger that outlives the run names it beside what was spent. */
  readonly file?: string | undefined
  /** Told how each call of a request goes, as it happens, and not in turn with the events. */
  readonly observe?: ((request: BoundRequest) => CallObserver) | undefined
  /** Gets the report of each request that an interruption of the run stopped, once its last calls are settled. */
  readonly onStopped?: ((report: RequestReport) => void) | undefined
  /**
   * Gets each row of `# @each`, and each answer that other requests of the file read, as soon as it was paid for, so that it can be kept: the
   * process may be killed.
   */
  readonly onPaidRow?: ((request: BoundRequest, row: PaidRow) => void) | undefined
  /** Requests that are resumed instead of read from the beginning, by their positions among the requests of the file. */
  readonly resume?: ReadonlyMap<number, Resumption> | undefined
  /** The IANA name of the zone that rows show times in, `"Europe/Paris"`; that of the machine when absent. */
  readonly timeZone?: string | undefined
  /** What `?? snapshot` compares with; without it those checks are not checked. */
  readonly snapshots?: Snapshots | undefined
  /** Keeps the units of tokens for `# @units`; without it, and from a node on this machine, they are kept for this run only. */
  readonly units?: UnitsMemory | undefined
  /** Keeps the times of blocks that results have shown, for logs without them; without it, they are kept for this run only. */
  readonly blockTimes?: BlockTimes | undefined
  /** Keeps what scans learn about an endpoint for the next ones; without it, each learns by itself. */
  readonly scans?: RangeScan.Memory | undefined
  /** Keeps final blocks that scans have read, so that they are not paid for again; without it nothing is kept. */
  readonly keptScans?: FinalResults.Memory | undefined
}

/**
 * The events of one run. Interrupting the stream stops every request and gives unused credits back. Throws a `RangeError`
 * when `parallel` is not a whole number above zero.
 */
export const run = (
  plan: RunPlan,
  options: RunOptions = {},
): Stream.Stream<RunEvent, never, RpcClient | CreditLedger.CreditLedger> => {
  if (options.parallel !== undefined) Options.wholeAboveZero("parallel", options.parallel)
  return Stream.callback((queue) =>
    runPlan(plan, options, (event) => Queue.offerUnsafe(queue, event)).pipe(
      Effect.provideService(CreditBudget.SpendingFile, options.file),
      // A run that breaks off must not look like one that has come to its end.
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Queue.end(queue) : Queue.failCause(queue, exit.cause))),
    ),
  )
}

/** Whether a result came, so that others can use it; its checks may have failed. */
export const isAnswered = ({ status }: Pick<RequestReport, "status">): boolean =>
  status === "ok" || status === "check-failed" || status === "compare-failed"

/** Whether anything about a report should fail a run. */
export const isGood = (report: RequestReport): boolean =>
  (report.status === "ok" || report.expected === true || isLeftOut(report)) &&
  !report.checks.some(isBroken) &&
  (report.compare === undefined || report.compare.equal === true)

const isLeftOut = (report: RequestReport): boolean => report.status === "skipped" && report.error?.id === "left-out"

const runPlan = Effect.fnUntraced(function* (plan: RunPlan, options: RunOptions, emit: (event: RunEvent) => void) {
  const run = makePlanRun(plan, options, emit)
  const { allowance } = run.common
  const before = allowance.spent
  emit({ _tag: "RunStarted", requests: plan.requests, estimate: plan.estimate })
  // Dependencies come first in a plan, so a request that waits never holds the slot of one it waits for.
  yield* Effect.forEach(plan.requests, (request, position) => runFrom(run, request, position), {
    concurrency: options.parallel ?? 1,
    discard: true,
  }).pipe(Effect.catchCause((cause) => noteDefect(run, cause)))
  for (const request of plan.requests) if (run.defect !== undefined) finish(run, internalReport(request, run.defect))
  for (const entry of plan.skipped) finish(run, leftOutReport(entry))

  const { remaining, resetsAt } = yield* balanceOf(plan).pipe(
    Effect.orElseSucceed(() => unknownBalance),
    Effect.catchCause((cause) => Effect.as(noteDefect(run, cause), unknownBalance)),
  )
  emit({
    _tag: "RunFinished",
    reports: run.reports.toSorted(inOrder),
    credits: { spent: allowance.spent - before, estimated: plan.estimate, remaining, resetsAt },
    defect: run.defect,
  })
})

/** A plan while it runs. */
interface PlanRun {
  readonly plan: RunPlan
  readonly options: RunOptions
  /** What every request is executed with. */
  readonly common: Omit<RowsExecution, "kept" | "observe" | "request" | "resume">
  /** By the positions of their requests. */
  readonly outcomes: ReadonlyMap<number, Deferred.Deferred<RequestReport>>
  /** What requests can read of those before them, by name. */
  readonly results: Map<string, Json.Json>
  readonly reports: Array<RequestReport>
  readonly reported: Set<BoundRequest>
  /** Requests whose answers are kept for the next run. */
  readonly sources: ReadonlySet<number>
  readonly begun: Set<BoundRequest>
  /** They share a key, and are too few to cost less together. */
  readonly separate: Set<BoundRequest>
  /** After it, nothing more is sent. */
  bailed: RequestReport | undefined
  /** What went wrong in the run itself. */
  defect: string | undefined
}

const makePlanRun = (plan: RunPlan, options: RunOptions, emit: (event: RunEvent) => void): PlanRun => {
  const { analysis } = plan
  const secrets = analysis.workspace.networks.flatMap(({ network }) => network.secrets)
  const unitsOfRun = keptUnits()
  const results = new Map<string, Json.Json>()
  return {
    plan,
    options,
    common: {
      analysis,
      results,
      snapshots: options.snapshots,
      allowance: options.allowance ?? CreditBudget.makeAllowance({ name: "the run" }),
      emit,
      onStopped: options.onStopped,
      onPaidRow: options.onPaidRow,
      shown: options.timeZone === undefined ? {} : { timeZone: options.timeZone },
      seenBlocks: SeenBlocks.make(),
      blockTimes: options.blockTimes ?? blockTimesOfProcess(),
      pins: makePins(),
      unitsOf: (network) => (outlivesRun(network) ? (options.units ?? unitsOfRun) : unitsOfRun),
      scans: { memory: options.scans, kept: options.keptScans },
      wordsOf: (defect, more = []) => internalErrorWords(defect, [...secrets, ...more]),
      bail: options.bail === true,
    },
    outcomes: new Map(plan.requests.map(({ index }) => [index, Deferred.makeUnsafe()])),
    results,
    reports: [],
    reported: new Set(),
    sources: sourcesIn(analysis),
    begun: new Set(),
    separate: new Set(),
    bailed: options.stoppedBy,
    defect: undefined,
  }
}

/** Runs the request at this position with those that go together with it, unless it ran with an earlier one. */
const runFrom = Effect.fnUntraced(function* (run: PlanRun, request: BoundRequest, position: number) {
  if (run.begun.has(request)) return
  const group = groupAt(run, position, request)
  for (const one of group) run.begun.add(one)
  if (group.length === 1) return yield* settle(run, request)
  const together: Group = { first: request, separately: makeSeparately() }
  // Their calls are made in one turn.
  yield* Turn.next
  yield* Effect.forEach(group, (one) => settle(run, one, together), { concurrency: "unbounded", discard: true })
})

/** Requests that go together. */
interface Group {
  readonly first: BoundRequest
  readonly separately: Separately
}

/** The requests that go together with the one at this position, itself included. A run that may stop after each request takes them one by one. */
const groupAt = (
  { begun, common, options, outcomes, plan, results, separate }: PlanRun,
  position: number,
  first: BoundRequest,
): ReadonlyArray<BoundRequest> => {
  const keyOf = (request: BoundRequest) =>
    request.dependsOn.every((index) => isDone(outcomes.get(index)))
      ? togetherKey(plan.analysis, request, results, common.seenBlocks.blockOf)
      : undefined
  const key = options.bail === true || separate.has(first) ? undefined : keyOf(first)
  if (key === undefined) return [first]
  const later = plan.requests.slice(position + 1, position + mostTogether)
  const end = later.findIndex((request) => begun.has(request) || keyOf(request) !== key)
  const group = [first, ...later.slice(0, end === -1 ? later.length : end)]
  if (savesTogether(first, group.length)) return group
  for (const one of group) separate.add(one)
  return [first]
}

const isDone = (outcome: Deferred.Deferred<RequestReport> | undefined): boolean =>
  outcome === undefined || Deferred.isDoneUnsafe(outcome)

/** Runs a request, whatever happens in it, and reports it to everyone who waits for it. */
const settle = Effect.fnUntraced(function* (run: PlanRun, request: BoundRequest, group?: Group) {
  const report = yield* Effect.catchCause(runOne(run, request, group), (cause) =>
    Effect.succeed(internalReport(request, run.common.wordsOf(cause))),
  )
  finish(run, report)
  const outcome = run.outcomes.get(request.index)
  if (outcome !== undefined) yield* Deferred.succeed(outcome, report)
})

const runOne = Effect.fnUntraced(function* (run: PlanRun, request: BoundRequest, group: Group | undefined) {
  const { common, options, outcomes, plan, results } = run
  const needed: Array<RequestReport> = []
  for (const index of request.dependsOn) {
    const outcome = outcomes.get(index)
    if (outcome !== undefined) needed.push(yield* Deferred.await(outcome))
  }
  const failed = needed.find((report) => !isAnswered(report))
  if (run.bailed !== undefined) return skippedReport(request, run.bailed, "bail")
  if (request.errors.length > 0) return unresolved(request, request.errors)
  if (failed !== undefined) return skippedReport(request, failed, "dependency")
  // A run that is stopped while it works on one result does not begin with the next request.
  if (group === undefined) yield* Turn.next
  const separately = group?.separately ?? makeSeparately()
  common.emit({ _tag: "RequestStarted", request })
  const reused = plan.reused?.get(request.index)
  const call = run.sources.has(request.index) ? callText(plan.analysis, request, results) : undefined
  const report = yield* (request.each === undefined ? executeRequest : executeRows)({
    ...common,
    request,
    observe: (one) => separately.observer(options.observe?.(one)),
    resume: request.origin === undefined ? options.resume?.get(request.index) : undefined,
    kept: reused?.result,
  })
  const separate = group === undefined || group.first === request ? separately.notes() : []
  const noted = { ...report, ...notesOf([...(report.notes ?? []), ...separate]) }
  return call === undefined || !isReusable(report)
    ? noted
    : yield* withReuse(noted, call, reused?.at, options.onPaidRow)
})

const finish = (run: PlanRun, report: RequestReport): void => {
  const { common, reported, reports, results } = run
  if (reported.has(report.request)) return
  reported.add(report.request)
  reports.push(report)
  const key = resultKey(report.request)
  if (key !== undefined) results.set(key, namedResult(report))
  if (common.bail && !isGood(report)) run.bailed ??= report
  common.emit({ _tag: "RequestFinished", report })
}

/** The first of them is reported. */
const noteDefect = (run: PlanRun, cause: Cause.Cause<never>) =>
  Effect.sync(() => {
    run.defect ??= run.common.wordsOf(cause)
  })

/**
 * Where there is nothing, as of a transaction that is not in a block yet, there may be something the next time; and what is unexpected in
 * a result is known only of one that has just come.
 */
const isReusable = ({ notes, result, status }: RequestReport): boolean =>
  status === "ok" && notes === undefined && result !== undefined && result !== null

/** With what it takes to use the answer again; one that has just come is kept. */
const withReuse = Effect.fnUntraced(function* (
  report: RequestReport,
  call: string,
  reusedFrom: number | undefined,
  keep: RunOptions["onPaidRow"],
) {
  const at = reusedFrom ?? (yield* Clock.currentTimeMillis)
  if (reusedFrom === undefined) keep?.(report.request, { key: yield* keyOf(call), at, result: report.result ?? null })
  return { ...report, reusedFrom, reusable: { at, call: Redacted.make(call) } }
})

/** The balance of the account that all requests are paid from; the common one where they have several accounts or none. */
const balanceOf = Effect.fnUntraced(function* ({ requests }: RunPlan) {
  const common = yield* CreditLedger.CreditLedger
  const networks = requests.flatMap(({ compare, network }) =>
    compare === undefined ? [network] : [network, compare.network],
  )
  const [account, ...others] = new Set(
    networks.map((network) => network && CreditLedger.paidFrom(common.accounts, network)),
  )
  const own = account === undefined || others.length > 0 ? undefined : common.accounts?.get(account)?.ledger
  return yield* (own ?? common).balance
})

const unknownBalance = { remaining: undefined, resetsAt: undefined }
