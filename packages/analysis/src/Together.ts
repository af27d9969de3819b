/** The requests of a file that may become one call when they run one after the other. Pure: at run time, the prices decide. */
import { type Json, type Method, type Network, offersWhole, type Price, pricesOf, wholeSaves } from "@dotrpc/spec"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { bindParams, type NamedResults } from "./Binding.ts"
import type { Settings } from "./Settings.ts"

/** The hash of the block that has an item, such as a transaction, as far as results have shown it. */
export type BlockOf = (network: Network, item: string) => string | undefined

/**
 * The key that a request shares with those that it may go together with; `undefined` for a request that goes alone. `results` are
 * those that it needs.
 */
export const togetherKey = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
  blockOf: BlockOf,
): string | undefined => {
  const { dependsOn, errors, method, network, settings } = request
  if (method === undefined || network === undefined || errors.length > 0) return undefined
  if (method.blockPart === undefined && dependsOn.length === 0 && request.row === undefined) return request.together
  if (method.blockPart === undefined && method.multicall === undefined) return undefined
  const bound = bindParams(analysis, request, results)
  return "diagnostics" in bound ? undefined : keyOf(method, network, settings, bound.params, request.price, blockOf)
}

/** As {@link togetherKey}, for params without issues. */
export const keyOf = (
  method: Method,
  network: Network,
  settings: Settings,
  params: Json.Json,
  price: Price.PriceRange | undefined,
  blockOf: BlockOf = () => undefined,
): string | undefined => {
  if (!mayGoTogether(settings, price)) return undefined
  const { blockPart, multicall } = method
  if (blockPart !== undefined) {
    const item = isOffered(method, network, settings) ? blockPart.itemOf(params) : undefined
    const block = item === undefined ? undefined : blockOf(network, item)
    return block === undefined ? undefined : keyOfCall(method, network, settings, block)
  }
  const group = multicall?.groupOf(params, network)
  if (group === undefined || (!group.known && settings.multicall !== "on")) return undefined
  return keyOfCall(method, network, settings, group.key)
}

/** Whether so many requests that share the key of this one cost less as one call. */
export const savesTogether = ({ method, network }: BoundRequest, count: number): boolean =>
  count > 1 && (method?.blockPart === undefined || (network !== undefined && wholeSaves(method, network, count)))

/** The least credits that requests cost as one call, which they may become. */
export const leastTogether = (group: ReadonlyArray<BoundRequest>): number => {
  const [first] = group
  const part = first?.method?.blockPart
  if (first?.network !== undefined && part !== undefined && group.length > 1)
    return pricesOf(part.whole, first.network).least
  return group.reduce((least, { price }) => Math.min(least, price?.min ?? 0), Infinity)
}

/**
 * What the one call costs at most that requests may become: where it fails, or does not answer each of them, they are sent alone as well.
 * `undefined` where the length of a reply has a price.
 */
export const mostLostTogether = (group: ReadonlyArray<BoundRequest>): number | undefined => {
  const [first] = group
  const part = first?.method?.blockPart
  if (group.length < 2) return 0
  if (first?.network !== undefined && part !== undefined) {
    const { most } = pricesOf(part.whole, first.network)
    return Number.isFinite(most) ? most : undefined
  }
  return group.reduce<number | undefined>(
    (most, { price }) => (most === undefined || price?.max === undefined ? undefined : Math.max(most, price.max)),
    0,
  )
}

/** The requests in order, in lists that go together. Requests that need results are alone in their list, unless they are parts of a block. */
export const togetherIn = (requests: ReadonlyArray<BoundRequest>): ReadonlyArray<ReadonlyArray<BoundRequest>> => {
  const groups: Array<Array<BoundRequest>> = []
  const seen = new Set<string>()
  let key: string | undefined
  for (const request of requests) {
    const own = plannedKey(request, seen)
    const last = groups.at(-1)
    if (own !== undefined && own === key && last !== undefined && last.length < mostTogether) last.push(request)
    else groups.push([request])
    key = own
    if (showsBlocks(request) && request.network !== undefined) seen.add(request.network.id)
  }
  return groups.flatMap((group) => {
    const [first] = group
    return first?.method?.blockPart === undefined || savesTogether(first, group.length)
      ? [group]
      : group.map((one) => [one])
  })
}

/** A part of a block shows the block of itself only. */
const showsBlocks = ({ method }: BoundRequest): boolean =>
  method?.blockItems !== undefined && method.blockPart === undefined

/** Parts of a block go together if they are parts of the same one: that is possible once a result before them may show it. */
const plannedKey = (request: BoundRequest, seen: ReadonlySet<string>): string | undefined => {
  const { dependsOn, errors, method, network, price, settings } = request
  if (errors.length > 0 || method === undefined || network === undefined) return undefined
  if (method.blockPart === undefined) return dependsOn.length > 0 ? undefined : request.together
  const isPossible = mayGoTogether(settings, price) && isOffered(method, network, settings) && seen.has(network.id)
  return isPossible ? keyOfCall(method, network, settings, "") : undefined
}

const mayGoTogether = ({ all, budget, multicall }: Settings, price: Price.PriceRange | undefined): boolean =>
  // A request that cannot be paid alone is refused.
  !all && multicall !== "off" && price !== undefined && price.min !== 0 && (budget === undefined || budget >= price.min)

const isOffered = ({ blockPart }: Method, network: Network, { multicall }: Settings): boolean => {
  const offers = blockPart === undefined ? false : offersWhole(network, blockPart)
  return offers ?? multicall === "on"
}

const keyOfCall = (method: Method, network: Network, { retry, timeout, transport }: Settings, part: string): string =>
  [network.id, method.plugin, method.name, part, retry, timeout, transport?.kind].join("\n")

/** The most requests that go together. */
export const mostTogether = 100
