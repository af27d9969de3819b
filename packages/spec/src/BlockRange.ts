/**
 * How a method that asks about a range of blocks is scanned: what a scan must know of its params and results to ask for
 * the range piece by piece. The values are functions over the method's own JSON; they send nothing.
 */
import type { Json } from "./Json.ts"
import type { Method } from "./Method.ts"
import type { Network } from "./Network.ts"
import type { ParamIssue } from "./Params.ts"

/** A block by its number, or by a tag whose number only the node knows. */
export type BlockRef = number | string

/** A block as it stood in the chain when it was looked at. */
export interface BlockPlace {
  readonly number: number
  readonly hash: string | undefined
}

/** What a scan needs to know of a method with params `Params`, result `Result` and items `Item`. */
export interface BlockRange<Params = Json, Result = Json, Item = Json> {
  /**
   * The blocks that params cover, both ends included; `undefined` when they cover no range, as with a block hash. A method
   * value asks only for params that fit its schema, and gives `undefined` for any others.
   */
  readonly of: (params: Params) => { readonly from: BlockRef; readonly to: BlockRef } | undefined
  /** The same query over these blocks alone. */
  readonly narrow: (params: Params, from: number, to: number) => Params
  readonly items: (result: Result) => ReadonlyArray<Item>
  /** All items as one result of the method's own shape. */
  readonly join: (items: ReadonlyArray<Item>) => Result
  /** The block an item lies in; `undefined` when it is in none yet. */
  readonly blockOf: (item: Item) => BlockPlace | undefined
  /** The order of items inside of one block: negative when `left` comes first. */
  readonly order?: (left: Item, right: Item) => number
  /** The most items one call answers. */
  readonly limit?: number
  /** The most blocks one call answers, where that is known beforehand. */
  readonly span?: number
  /** True when every block of a range has exactly one item: an answer with fewer is not complete. */
  readonly onePerBlock?: boolean
  /** Ways to ask for one block by number or tag, cheapest first; the first that the network offers is used. */
  readonly lookUp?: (block: BlockRef) => ReadonlyArray<BlockLookUp>
  /** How a query over one block that holds too many items is divided; `undefined` when nothing is left to divide. */
  readonly divide?: (params: Params) => Division<Params, Item> | undefined
  /** For items that a reorganization of the chain can take back. */
  readonly reorg?: {
    /** Whether the block behind this tag may still change. */
    readonly mayChange: (tag: string) => boolean
    /** The item as it is told once more when its block is no longer part of the chain. */
    readonly removed: (item: Item) => Item
    /** Whether the item is such a second telling. */
    readonly isRemoved: (item: Item) => boolean
  }
}

/** How a method is asked for ranges on this network, whose calls may cover fewer blocks than the method's. */
export const rangeOn = (method: Method, network: Pick<Network, "spanCap">): BlockRange | undefined => {
  const { range } = method
  if (range === undefined || network.spanCap === undefined) return range
  return { ...range, span: Math.min(range.span ?? Infinity, network.spanCap) }
}

/** Everything wrong with the params of a scan: that the range is too long for one call is not wrong there. */
export const scanIssues = (method: Method, params: Json, network: Network): ReadonlyArray<ParamIssue> => {
  const range = rangeOn(method, network)
  const bounds = range?.of(params)
  if (range?.span === undefined || bounds === undefined) return method.issues(params, network)
  const { from, to } = bounds
  if (typeof from === "number" && typeof to === "number")
    return method.issues(to < from || to - from < range.span ? params : range.narrow(params, from, from), network)
  return method.issues(params, network)
}

/**
 * Makes a typed description into the one that a method carries. Its functions see params that fit the method's schema,
 * and items of results that do: the casts state that.
 *
 * @example
 * ```ts
 * const range = blockRange({
 *   of: ([filter]: FilterParams) => ({ from: filter.fromBlock, to: filter.toBlock }),
 *   narrow: ([filter], from, to) => [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }],
 *   items: (logs: ReadonlyArray<Log>) => logs,
 *   join: (logs) => logs,
 *   blockOf: (log: Log) => ({ number: Number(log.blockNumber), hash: log.blockHash }),
 *   limit: 10_000,
 * })
 * ```
 */
export const blockRange = <Params, Result, Item>(range: BlockRange<Params, Result, Item>): BlockRange => {
  const { divide, order, reorg, ...rest } = range
  return {
    ...(rest.limit === undefined ? {} : { limit: rest.limit }),
    ...(rest.span === undefined ? {} : { span: rest.span }),
    ...(rest.onePerBlock === undefined ? {} : { onePerBlock: rest.onePerBlock }),
    ...(rest.lookUp === undefined ? {} : { lookUp: rest.lookUp }),
    of: (params) => range.of(params as Params),
    narrow: (params, from, to) => range.narrow(params as Params, from, to) as Json,
    items: (result) => range.items(result as Result) as ReadonlyArray<Json>,
    join: (items) => range.join(items as ReadonlyArray<Item>) as Json,
    blockOf: (item) => range.blockOf(item as Item),
    ...(order === undefined ? {} : { order: (left: Json, right: Json) => order(left as Item, right as Item) }),
    ...(reorg === undefined
      ? {}
      : {
          reorg: {
            mayChange: reorg.mayChange,
            removed: (item: Json) => reorg.removed(item as Item) as Json,
            isRemoved: (item: Json) => reorg.isRemoved(item as Item),
          },
        }),
    ...(divide === undefined
      ? {}
      : {
          divide: (params: Json) => {
            const division = divide(params as Params)
            return division === undefined
              ? undefined
              : {
                  alternatives: division.alternatives,
                  pick: (indexes: ReadonlyArray<number>) => division.pick(indexes) as Json,
                  indexOf: (item: Json) => division.indexOf(item as Item),
                }
          },
        }),
  }
}

/** A call that finds a block. */
export interface BlockLookUp {
  readonly method: Method
  readonly params: Json
  /** `undefined` when the result shows no such block. */
  readonly read: (result: Json) => BlockPlace | undefined
}

/** One member of a query that lists several alternatives, of which an item matches exactly one. */
export interface Division<Params = Json, Item = Json> {
  readonly alternatives: number
  /** The same query for some of the alternatives, which are named by their index. */
  readonly pick: (indexes: ReadonlyArray<number>) => Params
  /** The alternative that an item belongs to. */
  readonly indexOf: (item: Item) => number | undefined
}
