/** Runs one request: binds its params, calls, follows pages, evaluates checks. */
import {
  adviceOnMethod,
  bindParams,
  type BoundRequest,
  type Comparison,
  networksWith,
  streamBounds,
} from "@dotrpc/analysis"
import {
  CallObserver,
  CreditBudget,
  MulticallUse,
  RequestTimeout,
  RetryTimes,
  SeenBlocks,
  TransportKind,
  type RangeScan,
} from "@dotrpc/core"
import type { Diagnostic } from "@dotrpc/lang"
import {
  CurrentNetwork,
  type DecodeContext,
  inTurns,
  isStream,
  type Json,
  type Method,
  type Network,
  Redaction,
  labelledTable,
  labelOf,
  type RenderContext,
  RpcClient,
  RpcError,
  RpcReason,
  type Sent,
  Table,
} from "@dotrpc/spec"
import { Clock, Effect, type Redacted, Result } from "effect"
import { errorValue, outcomeOf } from "../NamedResult.ts"
import type { PartialResult, Render, RequestReport, Resumption, RunEvent } from "../RunEvent.ts"
import { type Checked, checksOfError, checksOfResult } from "./checks.ts"
import { isBroken } from "./broken.ts"
import { comparedReport } from "./compared.ts"
import { listen } from "./listen.ts"
import type { Pins } from "./pins.ts"
import { makeProgress, type Progress } from "./progress.ts"
import { expectEnough } from "./budget.ts"
import { readPages, readRange, type ReadSoFar } from "./pieces.ts"
import type { UnitsMemory } from "../UnitsMemory.ts"
import { type FoundUnits, readUnits } from "./units.ts"
import { errorReport, internalReport, interruptedReport, statusOf, unresolvedReport } from "./reports.ts"

export interface Execution extends Checked {
  /** The run's allowance; the request gets one of its own below it. */
  readonly allowance: CreditBudget.Allowance
  readonly emit: (event: RunEvent) => void
  /** Other observers of a request's calls. */
  readonly observe: ((request: BoundRequest) => CallObserver) | undefined
  /** Gets the report when the request is interrupted. */
  readonly onStopped: ((report: RequestReport) => void) | undefined
  /** Where an earlier run of the request was stopped. */
  readonly resume: Resumption | undefined
  /** The result of a row that an earlier run paid for: it is checked and shown, and not sent. */
  readonly kept?: Json.Json | undefined
  /** The message for an unexpected error, without secrets of networks and these. */
  readonly wordsOf: (defect: unknown, secrets?: Network["secrets"]) => string
  /** How rows are shown, as the reader wants it. */
  readonly shown: Pick<RenderContext, "timeZone">
  /** Where the units of the tokens of a network are kept. */
  readonly unitsOf: (network: Network) => UnitsMemory
  /** Where scans keep what they learn; absent where each learns by itself. */
  readonly scans: RangeScan.Memory | undefined
  /** Which blocks the results of this run have shown. */
  readonly seenBlocks: SeenBlocks.SeenBlocks
  /** The blocks that comparisons of this run were pinned to. */
  readonly pins: Pins
}

export const unresolved = (request: BoundRequest, diagnostics: ReadonlyArray<Diagnostic>): RequestReport =>
  unresolvedReport(request, diagnostics)

/** Fails never: whatever happens to a request, there is one report of it. Only an interruption of the run leaves none. */
export const executeRequest = (execution: Execution): Effect.Effect<RequestReport, never, RpcClient> =>
  Effect.gen(function* () {
    const { request } = execution
    const allowance = CreditBudget.makeAllowance({
      name: "# @budget",
      parent: execution.allowance,
      limit: request.settings.budget ?? mostOfStream(request),
    })
    const started = yield* Clock.currentTimeNanos
    const spending = spendingSince(started, allowance)
    // Of its params: no message about the request may show them.
    const secrets: Array<Redacted.Redacted<string>> = []
    const noted: Noted = { partial: () => undefined }
    const report = Effect.suspend(() => begin(execution, allowance, spending, noted, (secret) => secrets.push(secret)))
    return yield* Effect.catchCause(report, (cause) =>
      Effect.map(spending, (spent) => ({
        ...internalReport(request, execution.wordsOf(cause, secrets), spent),
        partial: noted.partial(),
      })),
    ).pipe(
      Effect.onInterrupt(() =>
        Effect.map(spending, (spent) =>
          execution.onStopped?.({ ...interruptedReport(request, spent), partial: noted.partial() }),
        ),
      ),
    )
  })

/** A request that listens never costs more than its price says, even without a budget. Two events are reserved ahead. */
const mostOfStream = ({ stream }: BoundRequest): number | undefined =>
  stream?.range.max === undefined ? undefined : stream.range.max + 2 * stream.event

/** What is known of a request while it is read. */
interface Noted {
  partial: () => PartialResult | undefined
}

type Spending = Effect.Effect<Pick<RequestReport, "calls" | "credits" | "ms">>

const begin = (
  execution: Execution,
  allowance: CreditBudget.Allowance,
  spending: Spending,
  noted: Noted,
  onSecret: (secret: Redacted.Redacted<string>) => void,
): Effect.Effect<RequestReport, never, RpcClient> => {
  const { analysis, request, results } = execution
  const { method, network } = request
  if (method === undefined || network === undefined) return Effect.succeed(unresolvedReport(request, request.errors))
  const bound = bindParams(analysis, request, results, onSecret)
  if ("diagnostics" in bound) return Effect.succeed(unresolvedReport(request, bound.diagnostics))
  const sendable = { ...execution, method, network, bound }
  return request.compare === undefined
    ? answered(sendable, allowance, spending, noted)
    : answeredTwice({ ...sendable, resume: undefined }, request.compare, allowance, noted)
}

/** The call on two networks, each side with a meter of its own below the limit of the request. */
const answeredTwice = (
  execution: Sendable,
  compare: Comparison,
  allowance: CreditBudget.Allowance,
  noted: Noted,
): Effect.Effect<RequestReport, never, RpcClient> => {
  const { bound, method, network, request } = execution
  const left = CreditBudget.makeAllowance({ name: "the first side", parent: allowance })
  const right = CreditBudget.makeAllowance({ name: "the other side", parent: allowance })
  const progress = makeProgress(request, allowance, execution.emit, execution.observe?.(request))
  const inSide = (side: "left" | "right") =>
    side === "left"
      ? inContext(execution, left, progress, knowing(network, bound.secrets))
      : inContext(execution, right, progress, knowing(compare.network, bound.secrets))
  const timed = <A, R>(work: (spent: Spending) => Effect.Effect<A, never, R>, meter: CreditBudget.Allowance) =>
    Effect.flatMap(Clock.currentTimeNanos, (started) => work(spendingSince(started, meter)))
  let spentOnRight: Spending = spendingSince(undefined, right)
  return comparedReport({
    request,
    compare,
    method,
    network,
    params: bound.params,
    pins: execution.pins,
    allowances: lineOf(allowance),
    lookUp: (side, way) =>
      Effect.map(RpcClient.call(way.method, way.params), (result) => result as Json.Json).pipe(inSide(side)),
    left: (params) =>
      timed((spent) => answered({ ...execution, bound: { ...bound, params } }, left, spent, noted), left),
    leftFailed: (error) =>
      Effect.flatMap(spendingSince(undefined, left), (spent) => failedReport(execution, error, spent)),
    right: (params) =>
      Effect.flatMap(Clock.currentTimeNanos, (started) => {
        spentOnRight = spendingSince(started, right)
        const sent = { ...bound, params }
        const reading = { ...execution, bound: sent, network: compare.network, received: () => {}, budget: right }
        return readResult(reading).pipe(inSide("right"))
      }),
    rightError: (error) =>
      inTurns(() => errorReport(error, bound.secrets, { decode: (data) => method.decodeError?.(data, {}) })),
    spentOnRight: Effect.suspend(() => spentOnRight),
  })
}

/** What a side has spent, and how long its call takes since it began. */
const spendingSince = (started: bigint | undefined, allowance: CreditBudget.Allowance): Spending =>
  Effect.map(Clock.currentTimeNanos, (now) => ({
    calls: allowance.calls,
    credits: allowance.spent,
    ms: started === undefined ? 0 : Math.round(Number(now - started) / 1e5) / 10,
  }))

const lineOf = (allowance: CreditBudget.Allowance): ReadonlyArray<CreditBudget.Allowance> =>
  allowance.parent === undefined ? [allowance] : [allowance, ...lineOf(allowance.parent)]

/** A request that may be sent. */
interface Sendable extends Execution {
  readonly method: Method
  readonly network: Network
  readonly bound: Sent & { readonly secrets: Network["secrets"] }
}

const answered = Effect.fnUntraced(function* (
  execution: Sendable,
  allowance: CreditBudget.Allowance,
  spent: Spending,
  noted: Noted,
): Effect.fn.Return<RequestReport, never, RpcClient> {
  const { bound, method, network, request } = execution
  const { abi } = request
  const known: DecodeContext = { abi, sent: { params: bound.params, meanings: bound.meanings } }
  const wordsOf = (defect: unknown) => execution.wordsOf(defect, bound.secrets)

  const progress = makeProgress(request, allowance, execution.emit, execution.observe?.(request))
  /** Read when there is a result to show. */
  let found: FoundUnits = {}
  const drawn =
    (result: Json.Json) =>
    (limit: number, part = result, { plain, whole }: NonNullable<Parameters<Render>[2]> = {}) => {
      const table = method.render(part, limit, {
        ...execution.shown,
        ...known,
        network,
        label: (address) => labelOf(network, address),
        whole,
        ...(plain === true || found.units === undefined ? {} : { units: found.units }),
      })
      return whole === true ? table : labelledTable(table, network)
    }
  /** A report is drawn when nobody is there to catch what drawing it throws. */
  const drawnSafely =
    (result: Json.Json): Render =>
    (limit: number, part = result, options = {}) => {
      try {
        return drawn(result)(limit, part, options)
      } catch (defect) {
        return { ...Table.tableOf(part, limit, options), notes: [wordsOf(defect)] }
      }
    }
  const received = (soFar: ReadSoFar) => {
    noted.partial = () => partialOf(soFar, drawnSafely)
    progress.grew((limit) => {
      try {
        return { ...drawn(soFar.first(limit))(limit), total: soFar.total }
      } catch (defect) {
        return { total: soFar.total, columns: [], rows: [], notes: [wordsOf(defect)] }
      }
    })
  }
  const heard: Array<string> = []
  const call = readResult({
    ...execution,
    received,
    budget: allowance,
    note: (words) => heard.push(words),
  }).pipe(inContext(execution, allowance, progress, knowing(network, bound.secrets)))
  const outcome = yield* Effect.result(call)
  if (Result.isSuccess(outcome) && request.units !== undefined)
    found = yield* readUnits(
      request.units,
      network,
      execution.unitsOf(network),
      inContext(execution, allowance, progress, knowing(network, bound.secrets)),
    )
  const spending = yield* spent
  const saved = progress.saved()

  if (Result.isFailure(outcome))
    return {
      ...(yield* failedReport(execution, outcome.failure, spending)),
      ...saved,
      partial: noted.partial(),
      ...noteOf(heard),
    }
  const result = outcome.success
  let decoded: Json.Json | undefined
  try {
    decoded = method.decode?.(result, known)
  } catch (defect) {
    return internalReport(request, wordsOf(defect), { ...spending, result })
  }
  if (decoded !== undefined) decoded = Redaction.scrubJson(decoded, knowing(network, bound.secrets).secrets)
  const own = { ...spending, ...outcomeOf(result, decoded), error: null }
  const checks = yield* inTurns(() => checksOfResult(execution, own))
  let note: string | undefined
  try {
    drawn(result)(probedRows)
    note = noteOf([method.prepare(bound.params, network).note, ...heard, found.note]).note
  } catch (defect) {
    return internalReport(request, wordsOf(defect), { ...spending, result, checks })
  }
  return {
    request,
    status: checks.some(isBroken) ? "check-failed" : "ok",
    ...spending,
    ...saved,
    result,
    decoded,
    units: found.units,
    render: drawnSafely(result),
    ...(note === undefined ? {} : { note }),
    checks,
  }
})

const noteOf = (words: ReadonlyArray<string | undefined>): Pick<RequestReport, "note"> => {
  const notes = words.filter((text) => text !== undefined)
  return notes.length === 0 ? {} : { note: notes.join("; ") }
}

const failedReport = Effect.fnUntraced(function* (
  execution: Sendable,
  reported: RpcError,
  spending: Pick<RequestReport, "calls" | "credits" | "ms">,
): Effect.fn.Return<RequestReport> {
  const failure = afterSpending(reported, spending)
  const { bound, method, network, request } = execution
  const known: DecodeContext = { abi: request.abi, sent: { params: bound.params, meanings: bound.meanings } }
  const decode = (data: Json.Json) => method.decodeError?.(data, known)
  const elsewhere = () => adviceOnMethod(networksWith(request.workspace, method, network))
  const error = yield* inTurns(() => errorReport(failure, bound.secrets, { decode, elsewhere }))
  const own = { ...spending, result: null, error: errorValue(error) }
  return { request, status: statusOf(failure), ...spending, ...checksOfError(execution, own), error }
})

/** A limit may refuse a call of a request that has sent others. */
const afterSpending = (error: RpcError, { calls, credits }: Pick<RequestReport, "calls" | "credits">): RpcError => {
  const reason = RpcReason.afterSending(error.reason, { calls, credits })
  const { data, method, network, outcome } = error
  return reason === error.reason ? error : new RpcError({ method, network, outcome, data, reason })
}

/** As many rows as any front end shows at first. */
const probedRows = 24

interface Reading extends Sendable {
  readonly received: (soFar: ReadSoFar) => void
  readonly scans: RangeScan.Memory | undefined
  readonly note?: ((words: string) => void) | undefined
  /** The request's own allowance. */
  readonly budget: CreditBudget.Allowance
}

/** One call; with `# @all` every page of it, or its whole range however many calls that takes. */
const readResult = (reading: Reading): Effect.Effect<Json.Json, RpcError, RpcClient> => {
  const { bound, budget, kept, method, network, note, received, request, resume, scans } = reading
  if (kept !== undefined) return Effect.succeed(kept)
  const { params } = bound
  const { all, limit } = request.settings
  if (isStream(method)) {
    const bounds = streamBounds(request.settings)
    return listen({ method, network, params, bounds, isLimited: limit !== undefined, received, note })
  }
  if (all && method.range !== undefined) {
    const paying = { method, network, params, allowance: budget }
    const read = readRange({ method, range: method.range, params, limit, paying, resume, received, scans })
    return resume === undefined ? Effect.andThen(expectEnough(paying, request.settings), read) : read
  }
  if (all && method.pages !== undefined)
    return readPages({ method, pages: method.pages, params, limit, resume, received })
  return Effect.map(RpcClient.call(method, params), (result) => result as Json.Json)
}

/** `undefined` before the first items came, and where the method cannot join what it was sent. */
const partialOf = (
  { point, share, total, whole }: ReadSoFar,
  drawn: (result: Json.Json) => Render,
): PartialResult | undefined => {
  if (total === 0) return undefined
  try {
    const result = whole()
    return { result, render: drawn(result), share, point: point() }
  } catch {
    // The report says already what was thrown, or the request was stopped.
    return undefined
  }
}

/** A server may repeat what it was asked with, which is to be masked before anyone shortens it. */
const knowing = (network: Network, secrets: Network["secrets"]): Network =>
  secrets.length === 0 ? network : { ...network, secrets: [...network.secrets, ...secrets] }

/** Everything a call takes from its surroundings: network, limits, and someone to tell. */
const inContext =
  (
    { request: { compare, price, settings }, seenBlocks }: Execution,
    allowance: CreditBudget.Allowance,
    progress: Progress,
    network: Network,
  ) =>
  <A, R>(effect: Effect.Effect<A, RpcError, R>): Effect.Effect<A, RpcError, R> => {
    const { budget = Infinity, multicall, timeout, retry, transport } = settings
    // A request that its budget cannot pay alone is refused, and a comparison is one of the calls themselves.
    const isAlone = multicall === "off" || compare !== undefined || budget < (price?.min ?? 0)
    return effect.pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, network),
      Effect.provideService(CallObserver, progress),
      Effect.provideService(SeenBlocks.Current, seenBlocks),
      isAlone
        ? Effect.provideService(MulticallUse, "off")
        : multicall === "on"
          ? Effect.provideService(MulticallUse, "try")
          : (self) => self,
      timeout === undefined ? (self) => self : Effect.provideService(RequestTimeout, timeout),
      retry === undefined ? (self) => self : Effect.provideService(RetryTimes, retry),
      transport === undefined ? (self) => self : Effect.provideService(TransportKind, transport.kind),
    )
  }
