/** How many calls a request takes at least, by what is known before it is sent. */
import { type Json, type Method, type Network, rangeOn } from "@dotrpc/spec"

import type { Settings } from "../Settings.ts"

/**
 * The fewest calls that read the whole range of a request with `# @all`: its blocks over the most that one call covers, where
 * both ends are numbers; 1 where that is not known, or where the request stops before it has read all.
 *
 * @param params that fit the method; `undefined` where they are not known yet
 */
export const leastCalls = (
  method: Method,
  network: Network,
  { all, limit }: Pick<Settings, "all" | "limit">,
  params: Json.Json | undefined,
): number => {
  const range = all && limit === undefined ? rangeOn(method, network) : undefined
  if (range?.span === undefined || method.pages !== undefined || params === undefined) return 1
  const { from, to } = range.of(params) ?? {}
  return typeof from === "number" && typeof to === "number" ? Math.max(1, Math.ceil((to - from + 1) / range.span)) : 1
}
