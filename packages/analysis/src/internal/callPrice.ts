/** What one call costs on a network. */
import { type Json, type Method, type Network, type Price, PriceSheet } from "@dotrpc/spec"
import { compositePriceOf } from "../CompositePrice.ts"

/** @param params where they are known: they may be those of an earlier result. */
export const priceOfCall = (method: Method, network: Network, params?: Json.Json): Price.PriceRange =>
  compositePriceOf(method, (sent) => PriceSheet.priceOn(sent, network, sent === method ? params : undefined))
