/**
 * How a method that asks about a range of blocks is scanned: what a scan must know of its params and results to ask for
 * the range piece by piece. The values are functions over the method's own JSON; they send nothing.
 */
import type { Json } from "./Json.ts"
import type { BlockRange, ItemRange, Method } from "./Method.ts"
import type { Network } from "./Network.ts"
import type { ParamIssue } from "./Params.ts"

/** How a method is asked for ranges on this network, whose calls may cover fewer blocks than the method's, and which may lack the one that looks a block up. */
export const rangeOn = (
  method: Method,
  { methods, spanCap }: Pick<Network, "methods" | "spanCap">,
): BlockRange | undefined => {
  const { range } = method
  if (range === undefined || (spanCap === undefined && methods === undefined)) return range
  const { lookUp, span } = range
  return {
    ...range,
    span: spanCap === undefined ? span : Math.min(span ?? Infinity, spanCap),
    lookUp:
      lookUp &&
      ((block) => {
        const way = lookUp(block)
        return way === undefined || methods?.[way.method.name] === false ? undefined : way
      }),
  }
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
 * and items of results that do: the casts state that. Scans of the method emit the type of an item.
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
export const blockRange = <Params, Result, Item>(range: BlockRange<Params, Result, Item>): ItemRange<Item> => {
  const { between, divide, matching, order, reorg, ...rest } = range
  return {
    limit: rest.limit,
    span: rest.span,
    onePerBlock: rest.onePerBlock,
    lookUp: rest.lookUp,
    of: (params) => range.of(params as Params),
    narrow: (params, from, to) => range.narrow(params as Params, from, to) as Json,
    between: between === undefined ? undefined : (params, from, to) => between(params as Params, from, to) as Json,
    items: (result) => range.items(result as Result) as ReadonlyArray<Json>,
    join: (items) => range.join(items as ReadonlyArray<Item>) as Json,
    blockOf: (item) => range.blockOf(item as Item),
    matching:
      matching === undefined
        ? undefined
        : (params) => {
            const matches = matching(params as Params)
            return (item) => matches(item as Item)
          },
    order: order === undefined ? undefined : (item) => order(item as Item),
    reorg:
      reorg === undefined
        ? undefined
        : {
            mayChange: reorg.mayChange,
            removed: (item: Json) => reorg.removed(item as Item) as Json,
            isRemoved: (item: Json) => reorg.isRemoved(item as Item),
          },
    divide:
      divide === undefined
        ? undefined
        : (params: Json) => {
            const division = divide(params as Params)
            return division === undefined
              ? undefined
              : {
                  alternatives: division.alternatives,
                  pick: (indexes: ReadonlyArray<number>) => division.pick(indexes) as Json,
                  indexOf: (item: Json) => division.indexOf(item as Item),
                }
          },
  }
}
