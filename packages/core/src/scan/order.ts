/**
 * The items of one reply in their order, each of them once, whatever the server made of it. A reply that contradicts itself or
 * its query is an error of the server: none of it is passed on.
 *
 * Invariant: no two items of the result have the same place, where the server says it: a block, and a place inside it.
 */
import { type BlockPlace, type BlockRange, Json, RpcReason } from "@dotrpc/spec"

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
    // One item of each block is the only one, and one whose place nobody says stays behind the one before it.
    const own = range.order?.(item) ?? (range.onePerBlock === true ? 0 : undefined)
    const before = placed.at(-1)
    placed.push({
      item,
      number,
      place: own ?? (before?.number === number ? before.place : -1),
      isPlaced: own !== undefined,
    })
  }
  const once = withoutRepeated(sortedPlaces(placed))
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
  readonly place: number
  /** Nobody else has its place. */
  readonly isPlaced: boolean
}

const compare = (left: Placed, right: Placed): number => left.number - right.number || left.place - right.place

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

/** Nearly every reply is in order: that is found out without making another list. */
const sortedPlaces = (placed: ReadonlyArray<Placed>): ReadonlyArray<Placed> =>
  placed.every((item, index) => {
    const before = placed[index - 1]
    return before === undefined || compare(before, item) <= 0
  })
    ? placed
    : placed.toSorted(compare)

const withoutRepeated = (
  placed: ReadonlyArray<Placed>,
): { readonly items: ReadonlyArray<Json.Json> } | { readonly conflict: number } => {
  const items: Array<Json.Json> = []
  let last: Placed | undefined
  for (const next of placed) {
    if (!next.isPlaced || last === undefined || compare(last, next) !== 0) items.push(next.item)
    else if (!isSame(last.item, next.item)) return { conflict: next.number }
    if (next.isPlaced) last = next
  }
  return { items }
}

/** Whether two items are one, as two replies show it: the order of an object's members does not matter. */
export const isSame = (left: Json.Json, right: Json.Json): boolean => {
  if (Json.isArray(left) || Json.isArray(right))
    return (
      Json.isArray(left) &&
      Json.isArray(right) &&
      left.length === right.length &&
      left.every((member, index) => isSame(member, right[index] ?? null))
    )
  if (!Json.isObject(left) || !Json.isObject(right)) return Json.stringify(left) === Json.stringify(right)
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => {
      const [mine, other] = [left[name], right[name]]
      return mine !== undefined && other !== undefined && isSame(mine, other)
    })
  )
}
