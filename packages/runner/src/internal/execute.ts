/** Runs one request: binds its params, calls, follows pages, evaluates checks. */
import { adviceOnMethod, bindParams, type BoundRequest, networksWith } from "@dotrpc/analysis"
import {
  CallObserver,
  CreditBudget,
  MulticallUse,
  RequestTimeout,
  RetryTimes,
  SeenBlocks,
  TransportKind,
} from "@dotrpc/core"
import type { Diagnostic } from "@dotrpc/lang"
import {
  CurrentNetwork,
  type DecodeContext,
  inTurns,
  type Json,
  type Method,
  type Network,
  Redaction,
  labelledTable,
  labelOf,
  type RenderContext,
  RpcClient,
  type RpcError,
  type Sent,
  Table,
} from "@dotrpc/spec"
import { Clock, Effect, type Redacted, Result } from "effect"
import { errorValue, outcomeOf } from "../NamedResult.ts"
import type { PartialResult, Render, RequestReport, Resumption, RunEvent } from "../RunEvent.ts"
import { type Checked, checksOfError, checksOfResult } from "./checks.ts"
import { isBroken } from "./broken.ts"
import { makeProgress, type Progress } from "./progress.ts"
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
  /** The message for an unexpected error, without secrets of networks and these. */
  readonly wordsOf: (defect: unknown, secrets?: Network["secrets"]) => string
  /** How rows are shown, as the reader wants it. */
  readonly shown: Pick<RenderContext, "timeZone">
  /** Where the units of the tokens of a network are kept. */
  readonly unitsOf: (network: Network) => UnitsMemory
  /** Which blocks the results of this run have shown. */
  readonly seenBlocks: SeenBlocks.SeenBlocks
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
      limit: request.settings.budget,
    })
    const started = yield* Clock.currentTimeNanos
    const spending = Effect.map(Clock.currentTimeNanos, (now) => ({
      calls: allowance.calls,
      credits: allowance.spent,
      ms: Math.round(Number(now - started) / 1e5) / 10,
    }))
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
  return answered({ ...execution, method, network, bound }, allowance, spending, noted)
}

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
  const call = readResult({ ...execution, received }).pipe(
    inContext(execution, allowance, progress, knowing(network, bound.secrets)),
  )
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

  if (Result.isFailure(outcome)) {
    const decode = (data: Json.Json) => method.decodeError?.(data, known)
    const elsewhere = () => adviceOnMethod(networksWith(request.workspace, method, network))
    const error = yield* inTurns(() => errorReport(outcome.failure, bound.secrets, { decode, elsewhere }))
    const own = { ...spending, result: null, error: errorValue(error) }
    const checks = checksOfError(execution, own)
    return {
      request,
      status: statusOf(outcome.failure),
      ...spending,
      ...saved,
      ...checks,
      error,
      partial: noted.partial(),
    }
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
    const notes = [method.prepare(bound.params, network).note, found.note].filter((text) => text !== undefined)
    note = notes.length === 0 ? undefined : notes.join("; ")
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

/** As many rows as any front end shows at first. */
const probedRows = 24

interface Reading extends Sendable {
  readonly received: (soFar: ReadSoFar) => void
}

/** One call; with `# @all` every page of it, or its whole range however many calls that takes. */
const readResult = (reading: Reading): Effect.Effect<Json.Json, RpcError, RpcClient> => {
  const { bound, method, received, request, resume } = reading
  const { params } = bound
  const { all, limit } = request.settings
  if (all && method.range !== undefined)
    return readRange({ method, range: method.range, params, limit, resume, received })
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
    { request: { price, settings }, seenBlocks }: Execution,
    allowance: CreditBudget.Allowance,
    progress: Progress,
    network: Network,
  ) =>
  <A, R>(effect: Effect.Effect<A, RpcError, R>): Effect.Effect<A, RpcError, R> => {
    const { budget = Infinity, multicall, timeout, retry, transport } = settings
    // A request that its budget cannot pay alone is refused.
    const isAlone = multicall === "off" || budget < (price?.min ?? 0)
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
