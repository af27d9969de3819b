/**
 * What a reorganization of the chain changed in blocks that were read: whether it stayed within those that are watched, and
 * which of their items it took back.
 *
 * A hash that was looked up before anything was read vouches for all blocks up to its own. Hashes of items do not: a block
 * without items that was read before them may have some by now.
 */
import { type BlockRange, type Json, type RpcClient, type RpcError, RpcReason } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import { failure } from "../internal/failure.ts"
import type { Anchor } from "./Checkpoint.ts"
import { lookUpAgain, type Target } from "./lookUp.ts"
import { isSame } from "./order.ts"

export interface Watched extends Target {
  /** The first block of the scan, and the first that is watched. */
  readonly from: number
  readonly first: number
  /** The first block that this run emitted items of. */
  readonly resumedAt: number
  readonly anchor: Anchor | undefined
}

/** Fails with `Reorganized` when blocks changed whose items cannot be taken back. */
export const expectWatched = Effect.fnUntraced(function* (scan: Watched): Effect.fn.Return<void, RpcError, RpcClient> {
  const { anchor, first, from, resumedAt } = scan
  if (anchor !== undefined && (yield* lookUpAgain(scan, anchor.number)).hash !== anchor.hash)
    return yield* reorganized(scan, anchor.number, { deeper: true })
  if (anchor === undefined && first > from) return yield* reorganized(scan, first, { deeper: true })
  // What an earlier run emitted would have to be taken back.
  if (resumedAt > first) return yield* reorganized(scan, first, { deeper: false })
})

/** The server goes on to show another block in items than where it is asked for the block itself. */
export const contradicted = ({ method, network }: Target, block: number): RpcError => {
  const said = `the server sent items of another block ${block} than the one it shows under this number`
  return failure({ method, network }, new RpcReason.Malformed({ said }), "ok")
}

/** The hash that items show for a block; `undefined` when none of them lies in it. */
export const hashAmong = (
  { blockOf }: Pick<BlockRange, "blockOf">,
  items: ReadonlyArray<Json.Json>,
  block: number,
): string | undefined => {
  const last = items.findLast((item) => blockOf(item)?.number === block)
  return last === undefined ? undefined : blockOf(last)?.hash
}

/** The chain changed where it cannot be followed; `deeper` when nothing vouches for the blocks before. */
export const reorganized = (
  { method, network }: Target,
  block: number,
  { deeper }: { readonly deeper: boolean },
): RpcError => {
  const first = Math.max(0, block)
  const reason = new RpcReason.Reorganized({ block: first, ...(deeper && first > 0 ? { deeper } : {}) })
  return failure({ method, network }, reason, "ok")
}

/** From the first item on that is another than before: the old ones, newest first as they are taken back, and the new ones. */
export const changes = (
  reorg: NonNullable<BlockRange["reorg"]>,
  before: ReadonlyArray<Json.Json>,
  now: ReadonlyArray<Json.Json>,
): { readonly kept: ReadonlyArray<Json.Json>; readonly changed: ReadonlyArray<Json.Json> } => {
  const first = before.findIndex((item, index) => now[index] === undefined || !isSame(item, now[index]))
  const same = first === -1 ? before.length : first
  return {
    kept: before.slice(0, same),
    changed: [...before.slice(same).toReversed().map(reorg.removed), ...now.slice(same)],
  }
}

/**
 * What is left of the items of a scan without those whose block a reorganization took back meanwhile, and without the second
 * telling of them: for those who keep the items as a whole instead of following the stream.
 */
export const standing = ({ blockOf, reorg }: BlockRange, items: ReadonlyArray<Json.Json>): ReadonlyArray<Json.Json> => {
  if (reorg === undefined || !items.some(reorg.isRemoved)) return items
  let kept: Array<Json.Json> = []
  let gone = new Set<string | undefined>()
  const forgetGone = () => {
    if (gone.size > 0) kept = kept.filter((item) => !gone.has(blockOf(item)?.hash))
    gone = new Set()
  }
  for (const item of items) {
    if (reorg.isRemoved(item)) gone.add(blockOf(item)?.hash)
    else {
      // A block may come back: only what was reported before it was taken back is removed.
      forgetGone()
      kept.push(item)
    }
  }
  forgetGone()
  return kept
}
