/** The items of a scan that a reorganization of the chain has taken back. */
import { type BlockPlace, type BlockRange, type Json, type RpcClient, type RpcError, RpcReason } from "@dotrpc/spec"
import { Effect } from "effect"
import { failure } from "../internal/failure.ts"
import { lookUp, type Target } from "./lookUp.ts"

export interface Watched extends Target {
  readonly range: BlockRange
  /** The first block that this run emitted items of. */
  readonly resumedAt: number
}

export interface Emitted {
  readonly tail: ReadonlyArray<Json.Json>
  readonly anchor: BlockPlace | undefined
  /** The first block that is watched. */
  readonly first: number
}

/** The first block that may be another than the one whose items were emitted. */
export const forkOf = Effect.fnUntraced(function* (
  scan: Watched,
  { anchor, first, tail }: Emitted,
): Effect.fn.Return<number, RpcError, RpcClient> {
  // What an earlier run emitted cannot be taken back.
  if (scan.resumedAt > first) return yield* reorganized(scan, first)
  let above = Number.POSITIVE_INFINITY
  for (const item of tail.toReversed()) {
    const place = scan.range.blockOf(item)
    if (place === undefined || place.number >= above) continue
    above = place.number
    const now = yield* lookUp(scan, place.number)
    if (now.hash === place.hash) return place.number + 1
  }
  if (anchor !== undefined && (yield* lookUp(scan, anchor.number)).hash !== anchor.hash)
    return yield* reorganized(scan, anchor.number)
  return first
})

/** The chain changed below what is watched. */
export const reorganized = ({ method, network }: Target, block: number): RpcError =>
  failure({ method, network }, new RpcReason.Reorganized({ block: Math.max(0, block) }), "ok")
