/** What a plan would cost at another provider, by that provider's price sheet. Pure: nothing is sent. */
import { bindParams, type BoundRequest } from "@dotrpc/analysis"
import { PriceSheet } from "@dotrpc/spec"
import type { RunPlan } from "./RunPlan.ts"

export interface Elsewhere {
  readonly sheet: PriceSheet.PriceSheet
  /** Units of the sheet; `max` is `undefined` where nothing bounds them, as with `# @all` or a price by bytes. */
  readonly min: number
  readonly max: number | undefined
  /** Some of it is not published. */
  readonly assumed: boolean
  /** US dollars for `min` and `max`; absent when the sheet has no price for more. */
  readonly usd?: { readonly min: number; readonly max: number | undefined } | undefined
}

/** The requests that would be sent, priced by a sheet. */
export const priceElsewhere = (plans: ReadonlyArray<RunPlan>, sheet: PriceSheet.PriceSheet): Elsewhere => {
  let [min, max, assumed]: [number, number | undefined, boolean] = [0, 0, false]
  for (const plan of plans)
    for (const request of plan.requests) {
      const range = priceOf(plan, request, sheet)
      if (range === undefined) continue
      min = sum(sheet, min, range.min)
      max = max === undefined || range.max === undefined ? undefined : sum(sheet, max, range.max)
      assumed ||= range.assumed
    }
  const least = PriceSheet.usdOf(sheet, min)
  const usd = least === undefined ? undefined : { min: least, max: max && PriceSheet.usdOf(sheet, max) }
  return { sheet, min, max, assumed, usd }
}

const priceOf = (plan: RunPlan, request: BoundRequest, sheet: PriceSheet.PriceSheet) => {
  const { method, network, price, settings } = request
  if (request.errors.length > 0 || method === undefined || network === undefined || price === undefined)
    return undefined
  const bound = bindParams(plan.analysis, request, new Map())
  // Params that need the result of another request are not known yet.
  const params = "params" in bound ? bound.params : undefined
  const one = PriceSheet.priceOf(sheet, { method, network, params })
  // The number of pages, or of pieces of a range, is not known.
  const isInParts = settings.all && (method.pages !== undefined || method.range !== undefined)
  return isInParts ? { ...one, max: undefined } : one
}

/** Decimals that the unit has, and no more: sums of fractions are off by what binary cannot hold. */
const sum = ({ unit: { decimals = 0 } }: PriceSheet.PriceSheet, left: number, right: number): number =>
  Number((left + right).toFixed(decimals))
