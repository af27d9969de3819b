/**
 * The calls that a scan makes whatever its blocks hold: those that look blocks up and, at least, those that read. Pure: what
 * prices a scan before it runs shares it with nothing that sends.
 */
import type { BlockRange, BlockRef } from "./Method.ts"

/** What is known of a scan before it starts or resumes; a new scan whose tags have no known numbers by default. */
export interface ScanStanding {
  /** Tags that are still looked up; all that the range names by default. */
  readonly tags?: number | undefined
  /** Blocks of the whole range, as far as they are known. */
  readonly blocks?: CountBounds | undefined
  /** Blocks that are still to be read; the whole range by default. */
  readonly left?: CountBounds | undefined
  /** Blocks below the end that are watched; the look-up of the block before them is certain only where this is known. */
  readonly reorgDepth?: number | undefined
  /** Whether the block before the watched ones is known already, or needs no look-up any more. */
  readonly isAnchored?: boolean | undefined
}

/** At least `low`, at most `high`. */
export interface CountBounds {
  readonly low: number
  readonly high: number
}

/** Calls of a scan; each look-up is one call. */
export interface ScanCalls {
  /** The fewest calls that read what is left; 0 where nothing may be. */
  readonly reads: number
  /** Times that a block is looked up, unless the chain changes. */
  readonly lookUps: CountBounds
}

/**
 * A range up to a tag is looked up before it is read. Where the block behind the tag may change, so is the block before the
 * watched ones, and the end is looked up once more after it was read.
 */
export const scanCalls = (
  range: Pick<BlockRange, "reorg" | "span">,
  { from, to }: { readonly from: BlockRef; readonly to: BlockRef },
  standing: ScanStanding = {},
): ScanCalls => {
  const { blocks = blocksOf(from, to), isAnchored = false, reorgDepth } = standing
  const { left = blocks, tags = new Set([from, to].filter((end) => typeof end === "string")).size } = standing
  const isWatched = typeof to === "string" && range.reorg?.mayChange(to) === true
  const atEnd = (count: number) => (isWatched && count > 0 ? 1 : 0)
  const below = (count: number, depth: number) => (isWatched && !isAnchored && count > depth ? 1 : 0)
  return {
    reads: left.low <= 0 ? 0 : Math.ceil(left.low / (range.span ?? Infinity)) || 1,
    lookUps: {
      low: tags + atEnd(blocks.low) + below(blocks.low, reorgDepth ?? Infinity),
      high: tags + atEnd(blocks.high) + below(blocks.high, reorgDepth ?? 0),
    },
  }
}

/** A range from the first block on, or of one tag, has a block; one up to a tag may have none. */
const blocksOf = (from: BlockRef, to: BlockRef): CountBounds => {
  if (typeof from === "number" && typeof to === "number") return { low: to - from + 1, high: to - from + 1 }
  if (from === to) return { low: 1, high: 1 }
  return { low: from === 0 || from === "earliest" ? 1 : 0, high: Infinity }
}
