/** What a plan would cost at the providers that the setting `dotrpc.comparePrices` names, in words for one line. */
import { sheetNamed, unknownProvider } from "@dotrpc/analysis"
import { priceElsewhere, type RunPlan } from "@dotrpc/runner"
import { Price } from "@dotrpc/spec"

/** `alchemy ~206 CU`, for each of the names; what is not the id of a sheet says so. */
export const planElsewhere = (plan: RunPlan, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(names)].slice(0, mostProviders).map((name) => {
    const sheet = sheetNamed(name, new Map())
    if (sheet === undefined) return unknownProvider(name)
    const { assumed, max, min } = priceElsewhere([plan], sheet)
    return `${sheet.id} ${Price.show({ min, max, assumed, unit: sheet.unit })}`
  })

/** More do not fit into a line. */
const mostProviders = 6
