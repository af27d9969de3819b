/**
 * What attempts on a network cost by its price sheet. What depends on neither params nor reply is worked out once for each
 * method, so a sheet costs a call next to nothing.
 */
import type { Method, Network, RequestPricing } from "@dotrpc/spec"
import * as PriceSheet from "@dotrpc/spec/PriceSheet"

export const pricingOf = (sheet: PriceSheet.PriceSheet, network: Network, method: Method): RequestPricing => {
  const ofNetwork = pricings.get(network) ?? new WeakMap<Method, RequestPricing>()
  pricings.set(network, ofNetwork)
  const known = ofNetwork.get(method)
  if (known !== undefined) return known
  const pricing = makePricing(sheet, network, method)
  ofNetwork.set(method, pricing)
  return pricing
}

/** Networks and methods are values that do not change. */
const pricings = new WeakMap<Network, WeakMap<Method, RequestPricing>>()

const makePricing = (sheet: PriceSheet.PriceSheet, network: Network, method: Method): RequestPricing => {
  const call = { method, network, params: undefined }
  const { flat, isByBytes: countsBytes } = PriceSheet.shapeOf(sheet, call)
  if (flat !== undefined)
    return { countsBytes, most: () => flat, charge: (_, end) => PriceSheet.settledAt(sheet, end, flat) }
  return {
    countsBytes,
    most: (params, mostBytes) => PriceSheet.priceOf(sheet, { ...call, params, mostBytes }).max ?? Infinity,
    charge: (params, end, mostBytes) => PriceSheet.chargeOf(sheet, { ...call, params, mostBytes }, end),
  }
}
