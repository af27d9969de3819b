/** What a request with `# @all` is likely to take, by what earlier scans of this window learned about its endpoint. */
import { type Analysis, bindParams, type BoundRequest } from "@dotrpc/analysis"
import { RangeScan } from "@dotrpc/core"
import { Effect } from "effect"

/** `undefined` where no earlier scan says. */
export const likelyCost = (
  scans: RangeScan.Memory,
  analysis: Analysis,
  request: BoundRequest,
): RangeScan.LikelyCost | undefined => {
  const { method, network, settings } = request
  if (!settings.all || settings.limit !== undefined) return undefined
  if (method?.range === undefined || network === undefined) return undefined
  const known = Effect.runSync(scans.read(RangeScan.memoryKey(method, network)))
  if (known === undefined) return undefined
  const bound = bindParams(analysis, request, new Map())
  return "params" in bound ? RangeScan.likelyCost(method, network, bound.params, known, Date.now()) : undefined
}
