/** Finding the block that a number or a tag names, by the call that the network has for it. */
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
import { hasNone, untilReached } from "./behind.ts"

export interface Target {
  readonly method: Method
  readonly network: Network
}

/**
 * What the block is now. Fails with `NotFound` when there is no block with this number, and with `InvalidParams` when the
 * tag names no block with a number. At a height without a block some nodes answer with the block before it.
 */
export const lookUp = Effect.fnUntraced(function* (
  target: Target,
  ref: BlockRef,
): Effect.fn.Return<BlockPlace, RpcError, RpcClient> {
  const way = rangeOn(target.method, target.network)?.lookUp?.(ref)
  if (way === undefined)
    return yield* invalid(target, `"${ref}" cannot be looked up; a scan needs the numbers of its blocks`)
  // Of the block only its place is read.
  const result = yield* Effect.provideService(RpcClient.call(way.method, way.params), ResultNotes, () => {})
  const block = result as Json.Json
  const asked = { method: way.method, network: target.network }
  const place = yield* readable(asked, block, () => Effect.sync(() => way.read(block)))
  if (place !== undefined) {
    if (typeof ref === "string" || place.number <= ref) return place
    return yield* malformed(target, `the server sent block ${place.number} for block ${ref}`)
  }
  if (typeof ref === "string")
    return yield* invalid(target, `"${ref}" has no block number yet; use "latest" or a number`)
  return yield* failure(target, new RpcReason.NotFound({ said: `the node that was asked has no block ${ref}` }), "ok")
})

/**
 * The block at a height or, where the node shows none there, a block below it. `undefined` where it shows none either: nothing
 * is waited for, as some heights never have a block.
 */
export const nearestBelow = Effect.fnUntraced(function* (
  target: Target,
  height: number,
): Effect.fn.Return<BlockPlace | undefined, RpcError, RpcClient> {
  for (const distance of distances) {
    if (distance > height) break
    const found = yield* Effect.result(lookUp(target, height - distance))
    if (found._tag === "Success") return found.success
    if (!hasNone(target.method, found.failure)) return yield* found.failure
  }
  return undefined
})

/** Few calls reach past many heights without a block. */
const distances = [0, 1, 3, 7, 15]

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
export const lookUpAgain = (target: Target, block: number): Effect.Effect<BlockPlace, RpcError, RpcClient> =>
  untilReached(target, block)(lookUp(target, block))
