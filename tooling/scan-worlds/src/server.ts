/** A server over a made-up chain, which refuses what is too much for one call. */
import { blockOfItem, itemsIn, lastWithin, type World } from "./worlds.ts"

export interface ServerOptions {
  /** The most items in one answer; 10,000 by default. */
  readonly limit?: number
  /** The most blocks in one query; no limit by default. */
  readonly span?: number
  /** A refusal names a range that fits. */
  readonly hints?: boolean
}

export interface Query {
  readonly from: number
  readonly to: number
}

export type Answer =
  | { readonly _tag: "Answered"; readonly items: number; readonly marks?: ReadonlyArray<number> }
  | {
      readonly _tag: "TooLarge"
      readonly cause: "results" | "span"
      readonly hint?: { readonly from?: number; readonly to?: number; readonly span?: number }
    }

/** What the server answers. With `markDistance` an answer tells the block of every so many items. */
export const answer = (
  world: World,
  { from, to }: Query,
  { hints = false, limit = 10_000, span = Infinity }: ServerOptions,
  markDistance?: number,
): Answer => {
  if (to - from + 1 > span) return { _tag: "TooLarge", cause: "span", hint: { span } }
  const items = itemsIn(world, from, to)
  if (items <= limit) {
    if (markDistance === undefined) return { _tag: "Answered", items }
    const first = world.sums[from] ?? 0
    const marks: Array<number> = []
    for (let item = markDistance - 1; item < items; item += markDistance) marks.push(blockOfItem(world, first + item))
    return { _tag: "Answered", items, marks }
  }
  const last = lastWithin(world, from, limit)
  if (!hints || last < from) return { _tag: "TooLarge", cause: "results" }
  return { _tag: "TooLarge", cause: "results", hint: { from, to: last } }
}
