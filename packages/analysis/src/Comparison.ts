/** The same call on another network, as `# @compare` asks for it: where it goes, what is pinned, and what that costs. */
import { type BlockPinning, type Json, type Method, type Network, type Plugin, Price } from "@dotrpc/spec"
import { priceOfCall } from "./internal/callPrice.ts"
import type { SnapshotPath } from "./SnapshotCheck.ts"

/** What `# @compare` adds to a request. */
export interface Comparison {
  readonly network: Network
  /** What the call costs there. */
  readonly price: Price.PriceRange
  /** How tags of the call become numbers; absent where the plugin has no tags. */
  readonly pinning?: BlockPinning | undefined
  /** The part of a result that is compared. */
  readonly comparable: (result: Json.Json) => Json.Json
  /** Parts of the result that are not compared. */
  readonly ignored: ReadonlyArray<SnapshotPath>
  /** The lookups before the call, as far as its params are known. */
  readonly pins: ReadonlyArray<Pin>
}

/** The lookup of one tag on both networks, before a call names its block by number. */
export interface Pin {
  /** The same for lookups that one run makes once. */
  readonly key: string
  /** Whether another request of the run may make it. */
  readonly isShared: boolean
  /** On each network. */
  readonly calls: ReadonlyArray<PinCall>
  /** Of its calls. */
  readonly prices: ReadonlyArray<Price.PriceRange>
}

/** The lookup of a tag on one network. */
export interface PinCall {
  readonly method: Method
  readonly network: Network
  readonly params: Json.Json
}

/** The members of a request that its price is made of. */
export interface PricedRequest {
  /** Of the call by itself. */
  readonly price?: Price.PriceRange | undefined
  readonly compare?: Comparison | undefined
  readonly settings?: { readonly all: boolean; readonly budget?: number | undefined } | undefined
}

/** The tags of a call that a comparison can pin, and those that it cannot. */
export interface PinnedTags {
  readonly pinned: ReadonlyArray<string>
  readonly racing: ReadonlyArray<string>
}

/** Which tags of these params become numbers. Takes params without issues. */
export const pinnedTags = (pinning: BlockPinning | undefined, method: Method, params: Json.Json): PinnedTags => {
  const tags = pinning?.tagsIn(method, params) ?? []
  const hasNumber = (tag: string) => pinning?.lookUp(tag) !== undefined
  return { pinned: tags.filter(hasNumber), racing: tags.filter((tag) => !hasNumber(tag)) }
}

/** The tag to look up on a network: `latest` where that does not answer this one, as that block is at least as new there. */
export const tagOn = (tag: string, { blockTags }: Pick<Network, "blockTags">): string =>
  blockTags === undefined || blockTags.includes(tag) ? tag : "latest"

/**
 * The key by which requests of a run share a lookup. Networks that keep few blocks are asked again for each request, as a number that was found at the
 * beginning of a run may be too old later.
 */
export const pinKey = (
  networks: readonly [Network, Network],
  tag: string,
  request: { readonly index: number },
): string => [...networks.map(({ id }) => id), tag, ...(isShared(networks) ? [] : [request.index])].join("\n")

const isShared = (networks: readonly [Network, Network]): boolean =>
  networks.every(({ historyDepth }) => historyDepth === undefined)

/** What a request costs: its call, the same call elsewhere, and the lookups before them. */
export const priceParts = ({ compare, price }: PricedRequest): ReadonlyArray<Price.PriceRange> => {
  if (price === undefined) return []
  return compare === undefined ? [price] : [price, ...compare.pins.flatMap(({ prices }) => prices), compare.price]
}

/** The sum of {@link priceParts}; no more than a budget that may stop a scan. */
export const wholePrice = (request: PricedRequest): Price.PriceRange | undefined => priceInRun(request, new Set())

/** {@link wholePrice} without the lookups that earlier requests of a run have paid for; each of its own is added to `seen`. */
export const priceInRun = (request: PricedRequest, seen: Set<string>): Price.PriceRange | undefined => {
  const { compare, price, settings } = request
  if (price === undefined || compare === undefined) return price
  const sum = [price, ...newPins(compare, seen).flatMap(({ prices }) => prices), compare.price].reduce(
    Price.addRanges,
    free,
  )
  const { all = false, budget } = settings ?? {}
  return all && budget !== undefined && sum.max !== undefined && sum.min <= budget
    ? { ...sum, max: Math.min(sum.max, budget) }
    : sum
}

/** The lookups that no earlier request of a run has made; each is added to `seen`. */
export const newPins = ({ pins }: Comparison, seen: Set<string>): ReadonlyArray<Pin> => {
  const found = pins.filter(({ key }) => !seen.has(key))
  for (const { key } of found) seen.add(key)
  return found
}

/** The lookups for these params. */
export const pinsOf = (
  request: { readonly index: number; readonly method: Method },
  networks: readonly [Network, Network],
  plugin: Plugin | undefined,
  params: Json.Json | undefined,
): ReadonlyArray<Pin> => {
  const { pinning } = plugin ?? {}
  if (pinning === undefined || params === undefined) return []
  return pinnedTags(pinning, request.method, params).pinned.map((tag) => {
    const calls = networks.flatMap((network) => {
      const way = pinning.lookUp(tagOn(tag, network))
      return way === undefined ? [] : [{ method: way.method, network, params: way.params }]
    })
    const prices = calls.map(({ method, network }) => priceOfCall(method, network))
    return { key: pinKey(networks, tag, request), isShared: isShared(networks), calls, prices }
  })
}

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
