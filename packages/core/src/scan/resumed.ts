/**
 * Whether what an earlier run left fits the scan that is resumed from it. It may come from a disk or a store that others
 * write to, so what contradicts the query or itself is an error, and none of it is emitted.
 */
import { type BlockRange, type BlockRef, type Json, type RpcError, RpcReason } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import { failure } from "../internal/failure.ts"
import type { Checkpoint } from "./Checkpoint.ts"
import type { Target } from "./lookUp.ts"
import { blockWithTwoHashes, inOrder } from "./order.ts"
import type { Piece } from "./Piece.ts"

export interface Resumed extends Target {
  readonly query: string
  /** The ends that the query names; a checkpoint of a scan by pages holds zeros unless both are numbers. */
  readonly ends: { readonly from: BlockRef; readonly to: BlockRef } | undefined
  /** Whether the end of the chain is watched for reorganizations. */
  readonly watched: boolean
}

/** Fails with `InvalidParams` when the checkpoint is one of another scan, or contradicts its own query. */
export const expectOwn = (scan: Resumed, checkpoint: Checkpoint): Effect.Effect<void, RpcError> => {
  const other =
    checkpoint.network !== scan.network.id
      ? `network ${checkpoint.network}`
      : checkpoint.query !== scan.query
        ? `another query, ${checkpoint.query}`
        : undefined
  if (other !== undefined)
    return refused(scan, {
      said: `the checkpoint belongs to a scan of ${other}`,
      hint: "Resume with the method, params and network that the scan was started with.",
    })
  const fault = faultOf(scan, checkpoint)
  return fault === undefined
    ? Effect.void
    : refused(scan, {
        said: `the checkpoint is damaged: ${fault}`,
        hint: "Delete the checkpoint and start the scan again.",
      })
}

const faultOf = ({ ends, watched }: Resumed, { from, to, toHash, unplaced }: Checkpoint): string | undefined => {
  if (typeof ends?.from === "number" && unplaced !== true && from !== ends.from)
    return `"from" is ${from}, but its query starts at block ${ends.from}`
  if (typeof ends?.to === "number" && to !== ends.to) return `"to" is ${to}, but its query ends at block ${ends.to}`
  if (watched && toHash === undefined) return '"toHash" is missing, by which reorganizations are noticed'
  return undefined
}

interface Kept extends Target {
  readonly range: BlockRange
  readonly params: Json.Json
}

/** Fails with `InvalidParams` when a piece does not hold items of its blocks as a scan keeps them: in order, each of them once. */
export const expectPieces = Effect.fnUntraced(function* (
  scan: Kept,
  pieces: ReadonlyArray<Piece>,
): Effect.fn.Return<void, RpcError> {
  for (const piece of pieces) {
    // Each may be as long as a reply.
    yield* Effect.yieldNow
    const fault = faultInPiece(scan, piece)
    if (fault === undefined) continue
    return yield* refused(scan, {
      said: `the answer kept for blocks ${piece.from} to ${piece.to} is damaged: ${fault}`,
      hint: "Delete that answer, which lies beside the checkpoint, to ask for its blocks again; or delete both and start the scan again.",
    })
  }
})

/** What is wrong with a piece. */
export const faultInPiece = ({ params, range }: Kept, piece: Piece): string | undefined => {
  const { items } = piece
  const found = inOrder(range, piece, items, params)
  if ("_tag" in found) return found.message
  if (!isAlike(found, items)) return "its items are not in order, or not each of them once"
  // Parts of a block may have come before and after a reorganization, but each of them in one reply.
  const block = blockWithTwoHashes(range, items)
  return block === undefined ? undefined : `it holds items of two different blocks ${block}`
}

const isAlike = (left: ReadonlyArray<Json.Json>, right: ReadonlyArray<Json.Json>): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index])

const refused = (target: Target, reason: { readonly said: string; readonly hint: string }) =>
  Effect.fail(failure(target, new RpcReason.InvalidParams(reason), "unsent"))
