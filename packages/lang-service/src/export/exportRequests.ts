/** The requests of a file as another tool is given them, each by itself. */
import { type Analysis, bindParams, type BoundRequest, requestAt } from "@dotrpc/analysis"
import type { ExportedCall, LeftOutCall } from "./ExportedCall.ts"
import { methodObstacle } from "./methodObstacle.ts"
import { shownPlaceholders } from "./template.ts"

/** Where a network is, as its configuration has it. */
export type EndpointOf = (
  request: BoundRequest,
  network: string,
) => Pick<ExportedCall, "headers"> & { readonly url?: string | undefined }

/**
 * Every request of a file, in order. The analysis is made with {@link secretPlaceholder} for each secret and {@link variablePlaceholder} for
 * each variable of the environment, so that no value of one is in the calls. A request that is wrong, or that needs what another one
 * returns, is left out.
 */
export const exportRequests = (analysis: Analysis, endpointOf: EndpointOf): ReadonlyArray<ExportedCall | LeftOutCall> =>
  analysis.requests.map((request) => {
    const made = exported(analysis, request, endpointOf)
    return "reason" in made
      ? { label: shownPlaceholders(made.label), reason: shownPlaceholders(made.reason) }
      : { ...made, label: shownPlaceholders(made.label) }
  })

const exported = (analysis: Analysis, request: BoundRequest, endpointOf: EndpointOf): ExportedCall | LeftOutCall => {
  const { dependsOn, errors, label, method, network } = request
  const [first] = errors
  if (first !== undefined || method === undefined || network === undefined)
    return { label, reason: first?.message ?? "it is not complete" }
  const obstacle = methodObstacle(method)
  if (obstacle !== undefined) return { label, reason: obstacle }
  const bound = bindParams(analysis, request, new Map())
  if ("diagnostics" in bound) {
    const [needed] = dependsOn
    const reason =
      needed === undefined
        ? (bound.diagnostics[0]?.message ?? "it is not complete")
        : `it needs the result of "${requestAt(analysis, needed)?.label ?? "another request"}", which only a run has`
    return { label, reason }
  }
  const { headers, url } = endpointOf(request, network.id)
  if (url === undefined) return { label, reason: `network "${network.id}" has no "url"` }
  return {
    label,
    method,
    network,
    params: method.prepare(bound.params, network).params,
    url,
    headers,
    notes: notesOf(request),
  }
}

/** What dotrpc does around the call, where the result would be another one without it. */
const notesOf = ({ method, settings }: BoundRequest): ReadonlyArray<string> => {
  if (!settings.all || (method?.range === undefined && method?.pages === undefined)) return []
  return [
    method.range === undefined
      ? "With # @all, a run reads every page; this is the first."
      : "With # @all, a run reads the range in several calls if one is not enough; this is one call for all of it.",
  ]
}
