/** What is left of a scan that was stopped, as far as its checkpoint says. */
import type { Method, ScanStanding } from "@dotrpc/spec"
import type { Checkpoint } from "./Checkpoint.ts"
import { type Band, nothing } from "./costs.ts"
import type { Piece } from "./Piece.ts"

export interface Rest extends ScanStanding {
  readonly left: { readonly low: number; readonly high: number }
  /** Parts of the rest that were read: what is between them takes calls of its own. */
  readonly pieces: number
}

export const restOf = (method: Method, checkpoint: Checkpoint, ahead: ReadonlyArray<Piece>): Rest => {
  const { anchor, from, next, page, refusedParts = [], to } = checkpoint
  const blocks = { low: to - from + 1, high: to - from + 1 }
  const known = { tags: 0, blocks, isAnchored: anchor !== undefined || next !== from }
  if (method.pages !== undefined) {
    const left = Math.max(to - next + 1, page === undefined ? 0 : 1)
    return { ...known, left: { low: left, high: left }, pieces: 0 }
  }
  const kept = ahead.filter((piece) => piece.from >= next && piece.to <= to)
  const whole = kept.filter(({ part }) => part === undefined)
  const left = to - next + 1 - whole.reduce((sum, piece) => sum + piece.to - piece.from + 1, 0)
  // All parts of a block may have been read that was refused as a whole.
  const isDivided = kept.length > whole.length || refusedParts.length > 0
  return { ...known, left: { low: isDivided ? 0 : left, high: left }, pieces: kept.length + refusedParts.length }
}

/** The calls that read the rest, by those that would read all of it at once. */
export const readsOfRest = ({ left, pieces }: Rest, { high, likely, low }: Band): Band =>
  left.high <= 0
    ? nothing
    : { low: Math.min(low, left.low), likely, high: high === undefined ? undefined : high + pieces }

/** A scan that was stopped between the look-ups of its ends: its last block is known. */
export const unplaced = ({ to }: Checkpoint): ScanStanding => ({ tags: 1, blocks: { low: 0, high: to + 1 } })
