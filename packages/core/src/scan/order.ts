/**
 * The items of one reply in their order, each of them once, whatever the server made of it. A reply that contradicts itself or
 * its query is an error of the server: none of it is passed on.
 *
 * Invariant: no two items of the result have the same place, where the method has places: a block, and an order inside it.
 */
import { type BlockPlace, type BlockRange, type Json, RpcReason } from "@dotrpc/spec"
import { isSame } from "./sameItem.ts"

/** The reason why the items are not those of the blocks that were asked for; else the items. */
export const inOrder = (
  range: BlockRange,
  { from, to }: { readonly from: number; readonly to: number },
  items: ReadonlyArray<Json.Json>,
  params: Json.Json,
): ReadonlyArray<Json.Json> | RpcReason.Reason => {
  const matches = range.matching?.(params)
  const placed: Array<Placed> = []
  for (const item of items) {
    const number = range.blockOf(item)?.number
    if (number === undefined || number < from || number > to) {
      const found = number === undefined ? "without a block" : `of block ${number}`
      return new RpcReason.Malformed({ said: `the server sent an item ${found} for blocks ${from} to ${to}` })
    }
    if (range.reorg?.isRemoved(item) === true) {
      const said = `the server sent an item of block ${number} as taken back by a reorganization, which no answer to a query holds`
      return new RpcReason.Malformed({ said })
    }
    if (matches?.(item) === false)
      return new RpcReason.Malformed({
        said: `the server sent an item of block ${number} that does not match the query`,
      })
    placed.push({ item, number })
  }
  const compare = comparison(range)
  if (compare === undefined) return sorted(placed, byBlock)
  const once = withoutRepeated(sortedPlaces(placed, compare), compare)
  if ("conflict" in once) {
    const said = `the server sent two different items for the same place in block ${once.conflict}`
    return new RpcReason.Malformed({ said })
  }
  if (range.onePerBlock === true && once.items.length !== to - from + 1) {
    const said = `the server sent ${once.items.length} of the ${to - from + 1} blocks ${from} to ${to}`
    return new RpcReason.NodeBehind({ said })
  }
  return once.items
}

interface Placed {
  readonly item: Json.Json
  readonly number: number
}

type Compare = (left: Placed, right: Placed) => number

const byBlock: Compare = (left, right) => left.number - right.number

/** The first block of which one reply shows items under two hashes. */
export const blockWithTwoHashes = (range: BlockRange, items: ReadonlyArray<Json.Json>): number | undefined => {
  let last: BlockPlace | undefined
  for (const item of items) {
    const place = range.blockOf(item)
    if (place !== undefined && last?.number === place.number && last.hash !== place.hash) return place.number
    last = place
  }
  return undefined
}

/** Zero for the same place; `undefined` when nothing says which of two items of a block comes first. */
const comparison = ({ onePerBlock, order }: BlockRange): Compare | undefined => {
  const placeOf = ({ item }: Placed) => order?.(item) ?? NaN
  const between: Compare = (left, right) => byBlock(left, right) || placeOf(left) - placeOf(right)
  // An item without a place stays where the server put it, and is no other.
  if (order !== undefined) return (left, right) => (Number.isNaN(between(left, right)) ? -1 : between(left, right))
  return onePerBlock === true ? byBlock : undefined
}

/** Nearly every reply is in order: that is found out without making another list. */
const sortedPlaces = (placed: ReadonlyArray<Placed>, compare: Compare): ReadonlyArray<Placed> =>
  placed.every((item, index) => {
    const before = placed[index - 1]
    return before === undefined || compare(before, item) <= 0
  })
    ? placed
    : placed.toSorted(compare)

const sorted = (placed: ReadonlyArray<Placed>, compare: Compare): ReadonlyArray<Json.Json> =>
  sortedPlaces(placed, compare).map(({ item }) => item)

const withoutRepeated = (
  placed: ReadonlyArray<Placed>,
  compare: Compare,
): { readonly items: ReadonlyArray<Json.Json> } | { readonly conflict: number } => {
  const items: Array<Json.Json> = []
  let last: Placed | undefined
  for (const next of placed) {
    if (last === undefined || compare(last, next) !== 0) items.push(next.item)
    else if (!isSame(last.item, next.item)) return { conflict: next.number }
    last = next
  }
  return { items }
}
