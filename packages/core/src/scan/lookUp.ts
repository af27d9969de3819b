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

export interface Target {
  readonly method: Method
  readonly network: Network
}

/** What the block is now. Fails with `InvalidParams` when the tag names no block with a number. */
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
    return yield* invalid(target, `"${ref}" has no block number yet; use "latest" or a number`)
  }
  return yield* unsupported ?? invalid(target, `"${ref}" cannot be looked up; a scan needs the numbers of its blocks`)
})

const invalid = ({ method, network }: Target, said: string): RpcError =>
  failure({ method, network }, new RpcReason.InvalidParams({ said }), "unsent")
