/** What a request that reads a range is likely to cost, from what scans have learned: the same for every plan and every editor. */
import { type Analysis, bindParams, type BoundRequest } from "@dotrpc/analysis"
import { type FinalResults, RangeScan } from "@dotrpc/core"
import { Effect } from "effect"
import { type RunPlan, withRequests } from "./RunPlan.ts"

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
  const scan = scanOf(analysis, request, known)
  return scan && RangeScan.likelyCost(scan.method, scan.network, scan.params, scan.remembered, now)
}

/** The plan of a run that pays for no block that was kept: its requests cost less at least. */
export const withoutKept = Effect.fnUntraced(function* (
  plan: RunPlan,
  store: FinalResults.Memory,
  known: (key: string) => RangeScan.Remembered | undefined,
  now: number,
): Effect.fn.Return<RunPlan> {
  const kept = new Map<number, RangeScan.LikelyCost>()
  const requests: Array<BoundRequest> = []
  for (const request of plan.requests) {
    // What is read on two networks is not kept.
    const scan = request.compare === undefined ? scanOf(plan.analysis, request, known) : undefined
    const cost = scan && (yield* RangeScan.keptCost(store, scan, scan.remembered, now))
    const { price } = request
    const isLess = cost !== undefined && price !== undefined && cost.least < price.min
    requests.push(isLess ? { ...request, price: { ...price, min: cost.least } } : request)
    if (cost !== undefined) kept.set(request.index, cost)
  }
  return { ...withRequests(plan, requests), kept }
})

const scanOf = (
  analysis: Analysis,
  request: BoundRequest,
  known: (key: string) => RangeScan.Remembered | undefined,
) => {
  const { errors, method, network, settings } = request
  if (!settings.all || settings.limit !== undefined || errors.length > 0) return undefined
  if (method?.range === undefined || network === undefined) return undefined
  const remembered = known(RangeScan.memoryKey(method, network))
  // Binding the params takes longer than all of this.
  if (remembered === undefined) return undefined
  const bound = bindParams(analysis, request, new Map())
  return "params" in bound ? { method, network, params: bound.params, remembered } : undefined
}
