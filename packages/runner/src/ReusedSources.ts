/**
 * Results that a run uses instead of paying for them again: of requests that others read from, where nothing has changed since that decides
 * what they are answered.
 *
 * Invariant: a result is used only if those that its own request needs are used as well, and if its call is the same by {@link callText}.
 */
import { type Analysis, bindParams, type BoundRequest, callText, type NamedResults, resultKey } from "@dotrpc/analysis"
import type { Json } from "@dotrpc/spec"
import { Effect, Redacted } from "effect"
import { outcomeOf } from "./NamedResult.ts"
import { type ReusedResult, type RunPlan, withRequests } from "./RunPlan.ts"
import type { RequestReport } from "./RunEvent.ts"

/** Finds the result of a request whose call has this text, which may contain secrets. */
export type FindResult = (request: BoundRequest, call: string) => Effect.Effect<ReusedResult | undefined>

/** The results to use, by the positions of their requests; `requests` are in the order in which they run. */
export const resultsToReuse = Effect.fnUntraced(function* (
  analysis: Analysis,
  requests: ReadonlyArray<BoundRequest>,
  find: FindResult,
): Effect.fn.Return<ReadonlyMap<number, ReusedResult>> {
  const results = new Map<string, Json.Json>()
  const reused = new Map<number, ReusedResult>()
  for (const request of requests) {
    if (!request.dependsOn.every((index) => reused.has(index))) continue
    const call = callText(analysis, request, results)
    const found = call === undefined ? undefined : yield* find(request, call)
    if (found === undefined) continue
    reused.set(request.index, found)
    const key = resultKey(request)
    if (key !== undefined) results.set(key, namedReused(analysis, request, results, found.result))
  }
  return reused
})

/** The plan that uses results of requests that nobody chose, where `find` has them, and its lower price. */
export const reuseSources = Effect.fnUntraced(function* (
  plan: RunPlan,
  isChosen: (request: BoundRequest) => boolean,
  find: FindResult,
): Effect.fn.Return<RunPlan> {
  const sources = sourcesIn(plan.analysis)
  const candidates = plan.requests.filter((request) => sources.has(request.index) && !isChosen(request))
  const reused = yield* resultsToReuse(plan.analysis, candidates, find)
  const requests = plan.requests.map((request) => (reused.has(request.index) ? atNoPrice(request) : request))
  return reused.size === 0 ? plan : { ...withRequests(plan, requests), reused }
})

/** The positions of requests that others of the file read from. */
export const sourcesIn = ({ imported, requests }: Analysis): ReadonlySet<number> =>
  new Set([...requests, ...imported].flatMap(({ dependsOn }) => dependsOn))

/** The result of a report, if it is of the call with this text. */
export const reusedOf = ({ result, reusable }: RequestReport, call: string): ReusedResult | undefined =>
  result === undefined || reusable === undefined || Redacted.value(reusable.call) !== call
    ? undefined
    : { result, at: reusable.at }

/** It is not sent, does not go together with others, and reads no units of a token, which may cost calls of their own. */
const atNoPrice = (request: BoundRequest): BoundRequest => ({
  ...request,
  together: undefined,
  units: undefined,
  price: { min: 0, max: 0, assumed: false, unit: request.price?.unit },
})

/** What the run itself will make of it. */
const namedReused = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
  result: Json.Json,
): Json.Json => ({
  ...outcomeOf(result, decodedOf(analysis, request, results, result)),
  error: null,
  credits: 0,
  ms: 0,
  calls: 0,
})

const decodedOf = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
  result: Json.Json,
): Json.Json | undefined => {
  if (request.method?.decode === undefined || request.each !== undefined) return undefined
  const bound = bindParams(analysis, request, results)
  if ("diagnostics" in bound) return undefined
  try {
    return request.method.decode(result, { abi: request.abi, sent: { params: bound.params, meanings: bound.meanings } })
  } catch {
    // The run reports what a plugin throws.
    return undefined
  }
}
