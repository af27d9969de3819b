/**
 * Whether to ask for a whole block instead of parts of it: where the method for that exists, and what it costs at most.
 */
import * as Redacted from "effect/Redacted"
import { namesMethod } from "./internal/sheetRules.ts"
import { type BlockPart, type Method, wireName } from "./Method.ts"
import type { Network } from "./Network.ts"
import { priceOf as priceInTable } from "./Price.ts"
import { priceOf } from "./PriceSheet.ts"

/** Whether a network has the method that asks for a whole block; `undefined` if this is unknown. */
export const offersWhole = (network: Network, { whole }: BlockPart): boolean | undefined => {
  const { methods, prices, url } = network
  const name = wireName(whole, network)
  const said = methods?.[name]
  if (said !== undefined) return said
  if (url !== undefined && Redacted.value(url).startsWith("embedded:")) return true
  return prices !== undefined && namesMethod(prices, name) ? true : undefined
}

/**
 * Whether one call for a block costs less than so many calls of this method, however long its reply is and however old the block.
 * Where the method may be missing, they must save more than the attempt costs. `most` is the highest price of the one call.
 */
export const wholeSaves = (method: Method, network: Network, calls: number, most?: number): boolean => {
  const { blockPart } = method
  if (blockPart === undefined || calls < 2) return false
  const times = offersWhole(network, blockPart) === true ? 1 : 2
  return times * (most ?? pricesOf(blockPart.whole, network).most) < calls * pricesOf(method, network).least
}

/** What any call of a method costs on a network, in credits: a long reply and an old block may make it the most. */
export const pricesOf = (method: Method, network: Network): { readonly least: number; readonly most: number } => {
  if (network.prices === undefined) {
    const { credits } = priceInTable(method, network)
    return { least: credits, most: credits }
  }
  const { max = Infinity, min } = priceOf(network.prices, { method, network, params: undefined, mostBytes: longReply })
  return { least: min, most: max }
}

/** The most bytes of a reply that are read where nothing else is said. */
const longReply = 64 * 1_048_576
