/**
 * A request of viem as calls of the runtime: one call where the server answers it whole, a scan where it does not.
 *
 * Invariant: a query that was refused as too large is not sent a second time.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { NarrowsOnTimeout, RangeScan, RpcClient } from "@dotrpc/core"
import {
  type BlockRange,
  type Json,
  type Method,
  type Network,
  type Price,
  Redaction,
  ResultNotes,
  RpcError,
  type RpcReason,
} from "@dotrpc/spec"
import type { BaseError } from "viem"
import { makeMethodOf, refusalOf } from "./evmMethods.ts"
import { type EvmRequest, paramsOf, plain } from "./request.ts"
import { viemError } from "./viemError.ts"

export interface Answering {
  readonly answer: (request: EvmRequest) => Effect.Effect<unknown, BaseError, RpcClient.RpcClient>
  readonly estimate: (request: EvmRequest) => Effect.Effect<Price.PriceRange, BaseError, RpcClient.RpcClient>
}

/** What scans learn about an endpoint is remembered as long as this is used. */
export const makeAnswering = (lanes: number): Answering => {
  const methodOf = makeMethodOf()
  const memory = RangeScan.memoryOfProcess()

  const scanWhole = (method: Method, range: BlockRange, params: Json.Json, refused?: RpcError) =>
    RangeScan.scan(method, params, { lanes, memory, refused }).pipe(
      Stream.runCollect,
      Effect.map((items) => range.join(RangeScan.standing(range, items))),
    )

  const call = (method: Method, params: Json.Json) =>
    // The client has checked it against the method's schema.
    Effect.map(RpcClient.call(method, params), (result) => result as Json.Json)

  const answer = (method: Method, params: Json.Json): Effect.Effect<Json.Json, RpcError, RpcClient.RpcClient> => {
    const { range } = method
    const bounds = range?.of(params)
    if (range === undefined || bounds === undefined) return call(method, params)
    const { from, to } = bounds
    if (typeof from === "number" && typeof to === "number") return scanWhole(method, range, params)
    // A scan has to look a tag up first, and most answers fit into one call.
    return call(method, params).pipe(
      Effect.provideService(NarrowsOnTimeout, from !== to),
      Effect.catchIf(
        (error) => isTooLarge(error, from !== to),
        (refused) => scanWhole(method, range, params, refused),
      ),
    )
  }

  /** The upper end is open where a range may have to be read in parts: how many it takes depends on what its blocks hold. */
  const estimate = (
    method: Method,
    params: Json.Json,
  ): Effect.Effect<Price.PriceRange, RpcError, RpcClient.RpcClient> => {
    const { from, to } = method.range?.of(params) ?? {}
    if (from === undefined || to === undefined) return RpcClient.estimate(method, params)
    if (typeof from === "string" || typeof to === "string")
      return Effect.map(RpcClient.estimate(method, params), (one) => ({ ...one, max: undefined }))
    return Effect.gen(function* () {
      const { calls, credits } = yield* RangeScan.estimate(method, params, { memory })
      const isKnown = calls.low === calls.high
      if (calls.low > 1) return { ...credits, max: isKnown ? credits.max : undefined }
      const one = yield* RpcClient.estimate(method, params)
      return { ...one, max: isKnown ? one.max : undefined }
    })
  }

  /** Runs with the method and its network, and fails with what viem knows. */
  const withMethod = <A>(
    request: EvmRequest,
    use: (method: Method, params: Json.Json) => Effect.Effect<A, RpcError, RpcClient.RpcClient>,
  ): Effect.Effect<A, BaseError, RpcClient.RpcClient> =>
    Effect.gen(function* () {
      const params = paramsOf(request)
      const method = methodOf(request.method)
      const client = yield* RpcClient.RpcClient
      const asked = yield* Effect.result(client.networkOf(method))
      if (asked._tag === "Failure") return yield* Effect.fail(viemError(asked.failure, { request, url: "unknown" }))
      const network = asked.success
      const refusal = refusalOf(request.method)
      const effect = refusal === undefined ? use(method, params) : Effect.fail(unsent(method, network, refusal))
      // viem reads what a server sent, and checks none of it.
      const whatever = Effect.provideService(effect, ResultNotes, () => {})
      return yield* Effect.mapError(whatever, (failure) => viemError(failure, { request, url: shownUrl(network) }))
    })

  return {
    answer: (request) => Effect.map(withMethod(request, answer), plain),
    estimate: (request) => withMethod(request, estimate),
  }
}

const isTooLarge = ({ outcome, reason }: RpcError, hasManyBlocks: boolean): boolean =>
  reason._tag === "SplitRequired" ||
  (hasManyBlocks && reason._tag === "ReplyTooLarge") ||
  (hasManyBlocks && reason._tag === "Timeout" && outcome !== "unsent")

const shownUrl = ({ url, wsUrl }: Network): string => {
  const used = url ?? wsUrl
  return used === undefined ? "unknown" : Redaction.showUrl(used)
}

const unsent = (method: Method, network: Network, reason: RpcReason.Reason): RpcError =>
  new RpcError({ method: method.name, network: network.id, reason, outcome: "unsent" })
