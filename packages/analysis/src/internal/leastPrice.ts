/** What a request costs at least, by what is known before it is sent. */
import { type Json, type Method, type Network, type Price, rangeOn, scanCalls } from "@dotrpc/spec"

import type { Settings } from "../Settings.ts"

/** The least that is paid, and whether any of it is not published. */
export interface LeastPrice extends Pick<Price.PriceRange, "assumed" | "min"> {
  /** What is paid where one call reads all that is not known to need more: a budget below it is likely to be too low. */
  readonly usual: number
}

/** The settings of a request that decide how it is read. */
export interface PricedSettings extends Pick<Settings, "all" | "limit"> {
  /** Whether its tags are looked up apart from it, as those of a comparison are: what it reads is named by numbers. */
  readonly isPinned?: boolean | undefined
}

type OneCall = Pick<Price.PriceRange, "assumed" | "min">

/**
 * The least that a request costs which reads all that is asked for. With `# @all` a range is read in as many calls as its
 * blocks need, and a tag is looked up before and, where the chain may change, after; 1 call where nothing is known.
 *
 * @param params that fit the method; `undefined` where they are not known yet
 * @param priceOf the least that one call of a method costs
 */
export const leastPrice = (
  method: Method,
  network: Network,
  { all, isPinned, limit }: PricedSettings,
  params: Json.Json | undefined,
  priceOf: (method: Method) => OneCall,
): LeastPrice => {
  const one = priceOf(method)
  const single = { ...one, usual: one.min }
  const range = all && method.pages === undefined ? rangeOn(method, network) : undefined
  if (range === undefined) return single
  const way = range.lookUp?.("latest")
  const lookUp = way === undefined ? one : priceOf(way.method)
  // Params that are not known yet may name a range up to a tag that turns out to be empty.
  if (params === undefined && isPinned === true) return single
  if (params === undefined) return { ...cheaper(one, lookUp), usual: one.min }
  const bounds = range.of(params)
  if (bounds === undefined) return single
  const { lookUps, reads } = scanCalls(range, bounds)
  if (isPinned === true) {
    const min = rounded(Math.max(1, reads) * one.min)
    return { ...single, min, usual: min }
  }
  const tags = new Set([bounds.from, bounds.to].filter((end) => typeof end === "string")).size
  // With `# @limit` it stops before it has read all, and does not look at the end again.
  const [calls, times] = limit === undefined ? [reads, lookUps.low] : [Math.min(1, reads), tags]
  return {
    min: rounded(calls * one.min + times * lookUp.min),
    assumed: (calls > 0 && one.assumed) || (times > 0 && lookUp.assumed),
    usual: rounded(Math.max(1, calls) * one.min + (limit === undefined ? lookUps.high : tags) * lookUp.min),
  }
}

/** Binary cannot hold every sum of fractions of a unit. */
const rounded = (amount: number): number => Number(amount.toFixed(9))

/** Of two that cost the same, the one whose price is published. */
const cheaper = (left: OneCall, right: OneCall): OneCall =>
  right.min < left.min || (right.min === left.min && left.assumed) ? right : left
