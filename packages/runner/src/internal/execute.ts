/** Runs one request: binds its params, calls, follows pages, evaluates checks. */
import { bindParams, type BoundRequest } from "@dotrpc/analysis"
import { CallObserver, CreditBudget, RangeScan, RequestTimeout, RetryTimes, TransportKind } from "@dotrpc/core"
import type { Diagnostic } from "@dotrpc/lang"
import {
  type BlockRange,
  CurrentNetwork,
  inTurns,
  Json,
  type Method,
  type Network,
  type RenderContext,
  RpcClient,
  RpcError,
  RpcReason,
  Table,
} from "@dotrpc/spec"
import { Clock, Effect, type Redacted, Result, Stream } from "effect"
import type { RequestReport, RunEvent } from "../RunEvent.ts"
import { type Checked, checksOfError, checksOfResult } from "./checks.ts"
import { makeProgress, type Progress } from "./progress.ts"
import { errorReport, errorValue, internalReport, statusOf, unresolvedReport } from "./reports.ts"

export interface Execution extends Checked {
  /** The run's allowance; the request gets one of its own below it. */
  readonly allowance: CreditBudget.Allowance
  readonly emit: (event: RunEvent) => void
  /** Other observers of a request's calls. */
  readonly observe: ((request: BoundRequest) => CallObserver) | undefined
  /** The message for an unexpected error, without secrets of networks and these. */
  readonly wordsOf: (defect: unknown, secrets?: Network["secrets"]) => string
  /** How rows are shown, as the reader wants it. */
  readonly shown: Pick<RenderContext, "timeZone">
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
    const report = Effect.suspend(() => begin(execution, allowance, spending, (secret) => secrets.push(secret)))
    return yield* Effect.catchCause(report, (cause) =>
      Effect.map(spending, (spent) => internalReport(request, execution.wordsOf(cause, secrets), spent)),
    )
  })

type Spending = Effect.Effect<Pick<RequestReport, "calls" | "credits" | "ms">>

const begin = (
  execution: Execution,
  allowance: CreditBudget.Allowance,
  spending: Spending,
  onSecret: (secret: Redacted.Redacted<string>) => void,
): Effect.Effect<RequestReport, never, RpcClient> => {
  const { analysis, request, results } = execution
  const { method, network } = request
  if (method === undefined || network === undefined) return Effect.succeed(unresolvedReport(request, request.errors))
  const bound = bindParams(analysis, request, results, onSecret)
  if ("diagnostics" in bound) return Effect.succeed(unresolvedReport(request, bound.diagnostics))
  return answered({ ...execution, method, network, bound }, allowance, spending)
}

/** A request that may be sent. */
interface Sendable extends Execution {
  readonly method: Method
  readonly network: Network
  readonly bound: { readonly params: Json.Json; readonly secrets: Network["secrets"] }
}

const answered = Effect.fnUntraced(function* (
  execution: Sendable,
  allowance: CreditBudget.Allowance,
  spent: Spending,
): Effect.fn.Return<RequestReport, never, RpcClient> {
  const { bound, method, network, request } = execution
  const { abi } = request
  const wordsOf = (defect: unknown) => execution.wordsOf(defect, bound.secrets)

  const progress = makeProgress(request, allowance, execution.emit, execution.observe?.(request))
  const drawn =
    (result: Json.Json) =>
    (limit: number, part = result) =>
      method.render(part, limit, { ...execution.shown, network, ...(abi === undefined ? {} : { abi }) })
  const call = readResult(method, network, bound.params, request, (total, first) =>
    progress.grew((limit) => {
      try {
        return { ...drawn(first(limit))(limit), total }
      } catch (defect) {
        return { total, columns: [], rows: [], notes: [wordsOf(defect)] }
      }
    }),
  ).pipe(inContext(request, allowance, progress, knowing(network, bound.secrets)))
  const outcome = yield* Effect.result(call)
  const spending = yield* spent

  if (Result.isFailure(outcome)) {
    const error = yield* inTurns(() => errorReport(outcome.failure, bound.secrets))
    const own = { ...spending, result: null, error: errorValue(error) }
    const checks = checksOfError(execution, own)
    return { request, status: statusOf(outcome.failure), ...spending, ...checks, error }
  }
  const result = outcome.success
  const own = { ...spending, result, error: null }
  const checks = yield* inTurns(() => checksOfResult(execution, own))
  let note: string | undefined
  try {
    // A report is drawn when nobody is there to catch what drawing it throws.
    drawn(result)(probedRows)
    ;({ note } = method.prepare(bound.params, network))
  } catch (defect) {
    return internalReport(request, wordsOf(defect), { ...spending, result, checks })
  }
  return {
    request,
    status: "ok",
    ...spending,
    result,
    render: (limit, part = result) => {
      try {
        return drawn(result)(limit, part)
      } catch (defect) {
        return { ...Table.tableOf(part, limit), notes: [wordsOf(defect)] }
      }
    },
    ...(note === undefined ? {} : { note }),
    checks,
  }
})

/** As many rows as any front end shows at first. */
const probedRows = 24

/** One call; with `# @all` every page of it, or its whole range however many calls that takes. */
const readResult = (
  method: Method,
  network: Network,
  params: Json.Json,
  request: BoundRequest,
  grew: Grew,
): Effect.Effect<Json.Json, RpcError, RpcClient> => {
  const { pages } = method
  const call = (of: Json.Json) => Effect.map(RpcClient.call(method, of), (result) => result as Json.Json)
  if (request.settings.all && method.range !== undefined) return readRange(method, method.range, params, request, grew)
  if (!request.settings.all || pages === undefined) return call(params)
  return Effect.gen(function* () {
    const results: Array<Json.Json> = []
    const enough = request.settings.limit ?? Infinity
    let next: Json.Json | undefined = params
    let items = 0
    while (next !== undefined && items < enough) {
      const page: Json.Json = next
      const result: Json.Json = yield* call(page)
      results.push(result)
      items += method.render(result, 0).total
      grew(items, (limit) => pages.join(results.slice(0, Math.max(1, limit))))
      next = pages.next(page, result)
      // Asking the same page again would spend credits forever.
      if (next !== undefined && Json.stringify(next) === Json.stringify(page))
        return yield* repeatedPage(method, network)
    }
    return pages.join(results)
  })
}

/** Every item of a range of blocks as one result of the method's own shape. */
const readRange = (
  method: Method,
  range: BlockRange,
  params: Json.Json,
  { settings }: BoundRequest,
  grew: Grew,
): Effect.Effect<Json.Json, RpcError, RpcClient> => {
  const items = RangeScan.scan(method, params)
  const wanted = settings.limit === undefined ? items : Stream.take(items, settings.limit)
  const found: Array<Json.Json> = []
  const receive = (more: ReadonlyArray<Json.Json>) =>
    Effect.sync(() => {
      for (const item of more) found.push(item)
      grew(found.length, (limit) => range.join(found.slice(0, limit)))
    })
  return Effect.map(Stream.runForEachArray(wanted, receive), () => range.join(RangeScan.standing(range, found)))
}

/** How many items there are so far, and a result of the method's own shape that holds some of the first. */
type Grew = (total: number, first: (limit: number) => Json.Json) => void

const repeatedPage = (method: Method, network: Network): RpcError =>
  new RpcError({
    method: method.name,
    network: network.id,
    reason: new RpcReason.Malformed({ said: "the server returned the token of the page that was asked for" }),
    outcome: "ok",
  })

/** A server may repeat what it was asked with, which is to be masked before anyone shortens it. */
const knowing = (network: Network, secrets: Network["secrets"]): Network =>
  secrets.length === 0 ? network : { ...network, secrets: [...network.secrets, ...secrets] }

/** Everything a call takes from its surroundings: network, limits, and someone to tell. */
const inContext =
  ({ settings }: BoundRequest, allowance: CreditBudget.Allowance, progress: Progress, network: Network) =>
  <A, R>(effect: Effect.Effect<A, RpcError, R>): Effect.Effect<A, RpcError, R> => {
    const { timeout, retry, transport } = settings
    return effect.pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, network),
      Effect.provideService(CallObserver, progress),
      timeout === undefined ? (self) => self : Effect.provideService(RequestTimeout, timeout),
      retry === undefined ? (self) => self : Effect.provideService(RetryTimes, retry),
      transport === undefined ? (self) => self : Effect.provideService(TransportKind, transport.kind),
    )
  }
