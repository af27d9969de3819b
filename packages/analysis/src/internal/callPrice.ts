/** What one call costs on a network. */
import { isUnchecked, type Method, type Network, Price, PriceSheet } from "@dotrpc/spec"
import { compositePriceOf } from "../CompositePrice.ts"

export const priceOfCall = (method: Method, network: Network): Price.PriceRange =>
  compositePriceOf(method, (sent) =>
    network.prices === undefined ? tablePrice(sent, network) : sheetPrice(network.prices, sent, network),
  )

const tablePrice = (method: Method, network: Network): Price.PriceRange => {
  const { assumed, credits } = Price.priceOf(method, network)
  return { min: credits, max: credits, assumed }
}

/** Before its params are known: they may be those of an earlier result. */
const sheetPrice = (sheet: PriceSheet.PriceSheet, method: Method, network: Network): Price.PriceRange => {
  const range = PriceSheet.priceOf(sheet, { method, network, params: undefined })
  return { ...range, assumed: range.assumed || isUnchecked(method), unit: sheet.unit }
}
