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
  | {
      readonly _tag: "Answered"
      readonly items: number
      readonly stretches?: ReadonlyArray<Query & { readonly items: number }>
    }
  | {
      readonly _tag: "TooLarge"
      readonly cause: "results" | "span"
      readonly hint?: { readonly from?: number; readonly to?: number; readonly span?: number }
    }

/** What the server answers. With `stretchItems` an answer tells where its items lie, in stretches of about so many. */
export const answer = (
  world: World,
  { from, to }: Query,
  { hints = false, limit = 10_000, span = Infinity }: ServerOptions,
  stretchItems?: number,
): Answer => {
  if (to - from + 1 > span) return { _tag: "TooLarge", cause: "span", hint: { span } }
  const items = itemsIn(world, from, to)
  if (items <= limit) {
    if (stretchItems === undefined) return { _tag: "Answered", items }
    const stretches: Array<Query & { readonly items: number }> = []
    let start = from
    while (itemsIn(world, start, to) > stretchItems) {
      const end = blockOfItem(world, (world.sums[start] ?? 0) + stretchItems - 1)
      if (end >= to) break
      stretches.push({ from: start, to: end, items: itemsIn(world, start, end) })
      start = end + 1
    }
    return { _tag: "Answered", items, stretches: [...stretches, { from: start, to, items: itemsIn(world, start, to) }] }
  }
  const last = lastWithin(world, from, limit)
  if (!hints || last < from) return { _tag: "TooLarge", cause: "results" }
  return { _tag: "TooLarge", cause: "results", hint: { from, to: last } }
}
