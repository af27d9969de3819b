/** What a plan would cost by the price sheets of the setting `dotrpc.comparePrices`, in words for one line. */
import { comparedSheets, priceElsewhere, showElsewhere } from "@dotrpc/analysis"
import type { RunPlan } from "@dotrpc/runner"
import { PriceSheet } from "@dotrpc/spec"

/** `alchemy ~206 CU ($0.0000927)`, for each of the names; what is not the id of a sheet says so. */
export const planElsewhere = (plan: RunPlan, names: ReadonlyArray<string>, now: number): ReadonlyArray<string> => {
  const { problems, sheets } = comparedSheets(names)
  const prices = priceElsewhere([plan], sheets).map((each) => {
    const age = PriceSheet.isStale(each.sheet, now) ? `, ${ageOf(each.sheet)}` : ""
    return `${each.sheet.id} ${showElsewhere(each)}${age}`
  })
  return [...prices, ...problems]
}

/** Short, as it stands in a title. */
const ageOf = ({ checked }: PriceSheet.PriceSheet): string =>
  checked === undefined ? "undated prices" : `prices of ${checked}`
