/** The same call on another network, as `# @compare` asks for it: where it goes, what is pinned, and what that costs. */
import { type BlockPinning, type Json, type Method, type Network, type Plugin, Price } from "@dotrpc/spec"
import { priceOfCall } from "./internal/callPrice.ts"

/** What `# @compare` adds to a request. */
export interface Comparison {
  readonly network: Network
  /** What the call costs there. */
  readonly price: Price.PriceRange
  /** How tags of the call become numbers; absent where the plugin has no tags. */
  readonly pinning?: BlockPinning | undefined
  /** The part of a result that is compared. */
  readonly comparable: (result: Json.Json) => Json.Json
  /** The lookups before the call, as far as its params are known. */
  readonly pins: ReadonlyArray<Pin>
}

/** The lookup of one tag on both networks, before a call names its block by number. */
export interface Pin {
  /** The same for lookups that one run makes once. */
  readonly key: string
  /** On each network. */
  readonly prices: ReadonlyArray<Price.PriceRange>
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
): string => {
  const isShort = networks.some(({ historyDepth }) => historyDepth !== undefined)
  return [...networks.map(({ id }) => id), tag, ...(isShort ? [request.index] : [])].join("\n")
}

/** What a request costs: its call, the same call elsewhere, and the lookups before them. */
export const priceParts = ({ compare, price }: PricedRequest): ReadonlyArray<Price.PriceRange> => {
  if (price === undefined) return []
  return compare === undefined ? [price] : [price, ...compare.pins.flatMap(({ prices }) => prices), compare.price]
}

/** The sum of {@link priceParts}; no more than a budget that may stop a scan. */
export const wholePrice = (request: PricedRequest): Price.PriceRange | undefined => {
  const { compare, price, settings } = request
  if (price === undefined || compare === undefined) return price
  const sum = priceParts(request).reduce(Price.addRanges, free)
  const { all = false, budget } = settings ?? {}
  return all && budget !== undefined && sum.max !== undefined && sum.min <= budget ? { ...sum, max: budget } : sum
}

/** The part of {@link wholePrice} that earlier requests of a run have paid for; each pin is added to `seen`. */
export const sharedPins = ({ compare }: Pick<PricedRequest, "compare">, seen: Set<string>): number => {
  let shared = 0
  for (const { key, prices } of compare?.pins ?? []) {
    if (seen.has(key)) shared += prices.reduce((sum, { min }) => sum + min, 0)
    seen.add(key)
  }
  return shared
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
    const prices = networks.flatMap((network) => {
      const way = pinning.lookUp(tagOn(tag, network))
      return way === undefined ? [] : priceOfCall(way.method, network)
    })
    return { key: pinKey(networks, tag, request), prices }
  })
}

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
