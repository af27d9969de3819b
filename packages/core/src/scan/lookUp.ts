/** Finding the block that a number or a tag names, by the first way that the network offers. */
import {
  type BlockPlace,
  type BlockRef,
  type Json,
  type Method,
  type Network,
  rangeOn,
  readable,
  ResultNotes,
  RpcClient,
  type RpcError,
  RpcReason,
} from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import { failure } from "../internal/failure.ts"
import { untilReached } from "./behind.ts"

/** A block, and the calls that finding it took. */
export interface FoundBlock extends BlockPlace {
  readonly calls: number
}

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
): Effect.fn.Return<FoundBlock, RpcError, RpcClient> {
  const client = yield* RpcClient
  const ways = rangeOn(target.method, target.network)?.lookUp?.(ref) ?? []
  let unsupported: RpcError | undefined
  for (const [index, way] of ways.entries()) {
    // Of the block only its place is read.
    const outcome = yield* Effect.result(
      Effect.provideService(client.call(way.method, way.params), ResultNotes, () => {}),
    )
    if (outcome._tag === "Failure") {
      if (outcome.failure.reason._tag !== "Unsupported") return yield* outcome.failure
      unsupported = outcome.failure
      continue
    }
    const block = outcome.success as Json.Json
    const asked = { method: way.method, network: target.network }
    const place = yield* readable(asked, block, () => Effect.sync(() => way.read(block)))
    if (place !== undefined && typeof ref === "number" && place.number !== ref)
      return yield* malformed(target, `the server sent block ${place.number} for block ${ref}`)
    if (place !== undefined) return { ...place, calls: index + 1 }
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

const malformed = ({ method, network }: Target, said: string): RpcError =>
  failure({ method, network }, new RpcReason.Malformed({ said }), "ok")

/** Fails when the server left out the hash of a block that is watched: without it no reorganization would be noticed. */
export const hashOf = (target: Target, { hash, number }: BlockPlace): Effect.Effect<string, RpcError> =>
  hash === undefined
    ? Effect.fail(
        malformed(target, `the server sent block ${number} without its hash, by which reorganizations are noticed`),
      )
    : Effect.succeed(hash)

/** What a block is now that was in the chain before. */
export const lookUpAgain = (target: Target, block: number): Effect.Effect<FoundBlock, RpcError, RpcClient> =>
  untilReached(target, block)(lookUp(target, block))
