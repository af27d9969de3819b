/** The text by which a result is known to be that of a request as it is now. */
import { Json, placeOf } from "@dotrpc/spec"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { bindParams, type NamedResults, rowRequests } from "./Binding.ts"

/**
 * Everything that decides what a request is answered: its section as it is written, its network and where that is, how it is sent, and its
 * params with the values that they have now. `results` are those that it needs. `undefined` for a request that cannot be sent, and for a
 * comparison, which is the calls themselves. It may contain secrets: compare it, or keep a digest of it.
 */
export const callText = (analysis: Analysis, request: BoundRequest, results: NamedResults): string | undefined => {
  const { compare, errors, method, network, section, settings } = request
  if (method === undefined || network === undefined || compare !== undefined || errors.length > 0) return undefined
  const params = paramsOf(analysis, request, results)
  if (params === undefined) return undefined
  const { tree } = request.origin?.analysis ?? analysis
  const written = tree.tokens.text.slice(section.start, section.end).trimEnd()
  const { all, limit = null, listen, transport } = settings
  const how = [all, limit, listen?.millis ?? null, transport?.kind ?? ""]
  return Json.stringify([written, placeOf(network), how, method.name, params])
}

/** Of a request with `# @each`, all rows, and the params of the first and the last one: what they read besides is in these. */
const paramsOf = (analysis: Analysis, request: BoundRequest, results: NamedResults): Json.Json | undefined => {
  const calls = request.each === undefined ? [request] : rowRequests(analysis, request, results)
  if ("diagnostics" in calls) return undefined
  const all: Array<Json.Json> = calls.flatMap(({ row }) => row?.value ?? [])
  for (const call of new Set([calls[0], calls.at(-1)])) {
    const bound = call === undefined ? { params: null } : bindParams(analysis, call, results)
    if ("diagnostics" in bound) return undefined
    all.push(bound.params)
  }
  return all
}
