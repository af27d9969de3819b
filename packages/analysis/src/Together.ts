/** The requests of a file that may become one call when they run one after the other. Pure: at run time, the prices decide. */
import type { Json, Method, Network, Price } from "@dotrpc/spec"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { bindParams, type NamedResults } from "./Binding.ts"
import type { Settings } from "./Settings.ts"

/**
 * The key that a request shares with those that it may go together with; `undefined` for a request that goes alone. `results` are
 * those that it needs.
 */
export const togetherKey = (analysis: Analysis, request: BoundRequest, results: NamedResults): string | undefined => {
  const { dependsOn, errors, method, network, settings } = request
  if (dependsOn.length === 0) return errors.length > 0 ? undefined : request.together
  if (method?.multicall === undefined || network === undefined || errors.length > 0) return undefined
  const bound = bindParams(analysis, request, results)
  return "diagnostics" in bound ? undefined : keyOf(method, network, settings, bound.params, request.price)
}

/** As {@link togetherKey}, for params without issues. */
export const keyOf = (
  method: Method,
  network: Network,
  { all, budget, multicall, retry, timeout, transport }: Settings,
  params: Json.Json,
  price: Price.PriceRange | undefined,
): string | undefined => {
  if (all || multicall === "off" || price === undefined || price.min === 0) return undefined
  // A request that cannot be paid alone is refused.
  if (budget !== undefined && budget < price.min) return undefined
  const group = method.multicall?.groupOf(params, network)
  if (group === undefined || (!group.known && multicall !== "on")) return undefined
  return [network.id, method.plugin, method.name, group.key, retry, timeout, transport?.kind].join("\n")
}

/** The requests in order, in lists that go together. Requests that need results are alone in their list. */
export const togetherIn = (requests: ReadonlyArray<BoundRequest>): ReadonlyArray<ReadonlyArray<BoundRequest>> => {
  const groups: Array<Array<BoundRequest>> = []
  let key: string | undefined
  for (const request of requests) {
    const isAlone = request.dependsOn.length > 0 || request.errors.length > 0
    const own = isAlone ? undefined : request.together
    const last = groups.at(-1)
    if (own !== undefined && own === key && last !== undefined && last.length < mostTogether) last.push(request)
    else groups.push([request])
    key = own
  }
  return groups
}

/** The most requests that go together. */
export const mostTogether = 100
