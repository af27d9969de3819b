/** What a request that reads a range is likely to cost, from what scans have learned: the same for every plan and every editor. */
import { type Analysis, bindParams, type BoundRequest } from "@dotrpc/analysis"
import { RangeScan } from "@dotrpc/core"

/**
 * What a request with `# @all` is likely to take; `undefined` where no earlier scan says, and where its params are known only in a run.
 *
 * @param known what is remembered by {@link RangeScan.memoryKey}
 * @param now milliseconds since 1970
 *
 * @example
 * ```ts
 * const likely = likelyScan(analysis, request, (key) => kept.get(key), Date.now())
 * ```
 */
export const likelyScan = (
  analysis: Analysis,
  request: BoundRequest,
  known: (key: string) => RangeScan.Remembered | undefined,
  now: number,
): RangeScan.LikelyCost | undefined => {
  const { errors, method, network, settings } = request
  if (!settings.all || settings.limit !== undefined || errors.length > 0) return undefined
  if (method?.range === undefined || network === undefined) return undefined
  const remembered = known(RangeScan.memoryKey(method, network))
  // Binding the params takes longer than all of this.
  if (remembered === undefined) return undefined
  const bound = bindParams(analysis, request, new Map())
  return "params" in bound ? RangeScan.likelyCost(method, network, bound.params, remembered, now) : undefined
}
