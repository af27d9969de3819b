/** Finding the block that a number or a tag names, by the first way that the network offers. */
import {
  type BlockPlace,
  type BlockRef,
  type Json,
  type Method,
  type Network,
  RpcClient,
  type RpcError,
  RpcReason,
} from "@dotrpc/spec"
import { Effect } from "effect"
import { failure } from "../internal/failure.ts"
import { untilReached } from "./behind.ts"

export interface Target {
  readonly method: Method
  readonly network: Network
}

/**
 * What the block is now. Fails with `NotFound` when there is no block with this number, and with `InvalidParams` when the
 * tag names no block with a number.
 */
export const lookUp = Effect.fnUntraced(function* (
  target: Target,
  ref: BlockRef,
): Effect.fn.Return<BlockPlace, RpcError, RpcClient> {
  const client = yield* RpcClient
  const ways = target.method.range?.lookUp?.(ref) ?? []
  let unsupported: RpcError | undefined
  for (const way of ways) {
    const outcome = yield* Effect.result(client.call(way.method, way.params))
    if (outcome._tag === "Failure") {
      if (outcome.failure.reason._tag !== "Unsupported") return yield* outcome.failure
      unsupported = outcome.failure
      continue
    }
    // The client has checked it against the method's schema.
    const place = way.read(outcome.success as Json.Json)
    if (place !== undefined) return place
    if (typeof ref === "number") {
      const reason = new RpcReason.NotFound({ said: `the node that was asked has no block ${ref}` })
      return yield* failure(target, reason, "ok")
    }
    return yield* invalid(target, `"${ref}" has no block number yet; use "latest" or a number`)
  }
  return yield* unsupported ?? invalid(target, `"${ref}" cannot be looked up; a scan needs the numbers of its blocks`)
})

const invalid = ({ method, network }: Target, said: string): RpcError =>
  failure({ method, network }, new RpcReason.InvalidParams({ said }), "unsent")

/** What a block is now that was in the chain before. */
export const lookUpAgain = (target: Target, block: number): Effect.Effect<BlockPlace, RpcError, RpcClient> =>
  untilReached(target, block)(lookUp(target, block))
