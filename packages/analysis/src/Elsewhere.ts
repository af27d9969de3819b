/** What requests would cost at another provider, by that provider's price sheet. Pure: nothing is sent. */
import { Json, type Method, Price, PriceSheet } from "@dotrpc/spec"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { bindParams, rowRequests } from "./Binding.ts"
import { newPins } from "./Comparison.ts"
import { compositePriceOf } from "./CompositePrice.ts"
import { leastPrice } from "./internal/leastPrice.ts"

/** What requests would cost by another price sheet. */
export interface Elsewhere {
  readonly sheet: PriceSheet.PriceSheet
  /** Units of the sheet; `max` is `undefined` where nothing bounds them, as with `# @all` or a price by bytes. */
  readonly min: number
  readonly max: number | undefined
  /** Some of it is not published. */
  readonly assumed: boolean
  /** US dollars for `min` and `max`; absent when the sheet has no price for more. */
  readonly usd?: Dollars | undefined
}

/** Money, from the least to the most; `max` is `undefined` where nothing bounds it. */
export interface Dollars {
  readonly min: number
  readonly max: number | undefined
}

/** Requests that would be sent, of one analysis. */
export interface PricedRequests {
  readonly analysis: Analysis
  readonly requests: ReadonlyArray<BoundRequest>
}

/** A call of a method that may be made of calls of another one. */
type PricedCall = PriceSheet.PricedCall & { readonly method: Pick<Method, "composite"> }

/** The requests that would be sent, priced by each of the sheets. */
export const priceElsewhere = (
  plans: ReadonlyArray<PricedRequests>,
  sheets: ReadonlyArray<PriceSheet.PriceSheet>,
): ReadonlyArray<Elsewhere> => {
  const calls = plans.flatMap(({ analysis, requests }) => {
    const pins = new Set<string>()
    return requests.flatMap((request) => [callsOf(analysis, request), comparedCalls(analysis, request, pins)].flat())
  })
  return sheets.map((sheet) => {
    let [min, max, assumed]: [number, number | undefined, boolean] = [0, 0, false]
    for (const { call, isInParts, settings, times, units } of calls) {
      const own = priceOn(sheet, call)
      const { method, network, params: bound } = call
      const priceOf = (called: Method) =>
        called === method ? own : priceOn(sheet, { method: called, network, params: undefined })
      const least = leastPrice(method, network, settings, bound, priceOf)
      const all = units
        .map((each) => PriceSheet.priceOf(sheet, each))
        .reduce<Price.PriceRange>(Price.addRanges, repeated(sheet, own, times))
      const range = {
        ...all,
        assumed: all.assumed || least.assumed,
        // The units of a token may be known already.
        min: rounded(sheet, least.min * times),
      }
      min = sum(sheet, min, range.min)
      max = max === undefined || isInParts || range.max === undefined ? undefined : sum(sheet, max, range.max)
      assumed ||= range.assumed
    }
    return inMoney(sheet, { min, max, assumed })
  })
}

/** One call of a method, whatever its params are. */
export const priceMethodElsewhere = (
  call: Pick<PriceSheet.PricedCall, "method" | "network"> & { readonly method: Pick<Method, "composite"> },
  sheets: ReadonlyArray<PriceSheet.PriceSheet>,
): ReadonlyArray<Elsewhere> => sheets.map((sheet) => inMoney(sheet, priceOn(sheet, { ...call, params: undefined })))

const priceOn = (sheet: PriceSheet.PriceSheet, call: PricedCall): Price.PriceRange =>
  compositePriceOf(call.method, (sent) =>
    PriceSheet.priceOf(sheet, sent === call.method ? call : { ...call, method: sent, params: undefined }),
  )

const inMoney = (sheet: PriceSheet.PriceSheet, { assumed, max, min }: Price.PriceRange): Elsewhere => {
  const least = PriceSheet.usdOf(sheet, min)
  const usd = least === undefined ? undefined : { min: least, max: max && PriceSheet.usdOf(sheet, max) }
  return { sheet, min, max, assumed, usd }
}

/** The calls of a request, one for each row where it has rows. */
const callsOf = (analysis: Analysis, request: BoundRequest) => {
  const { each } = request
  if (each === undefined) return callOf(analysis, request) ?? []
  const one = callOf(analysis, { ...request, price: each.price }, false)
  if (one === undefined) return []
  const { different, rows } = each
  if (rows === undefined) return [{ ...one, isInParts: true, times: 0 }]
  const bound = rows.length > mostBound ? undefined : rowRequests(analysis, request, new Map())
  if (bound === undefined || "diagnostics" in bound) return [{ ...one, times: different ?? rows.length }]
  const seen = new Set<string>()
  return bound.flatMap((row, index) => {
    const call = callOf(analysis, row)
    if (call === undefined) return []
    const text = Json.stringify(call.call.params ?? null)
    // Equal calls are made once.
    if (different !== undefined && seen.has(text)) return []
    seen.add(text)
    return [index === 0 ? call : { ...call, units: [] }]
  })
}

/** What a comparison adds: the same call on the other network, and the lookups that no earlier request of the run has made. */
const comparedCalls = (analysis: Analysis, request: BoundRequest, pins: Set<string>) => {
  const { compare } = request
  const own = compare === undefined ? undefined : callOf(analysis, request)
  if (compare === undefined || own === undefined) return []
  const lookUps = newPins(compare, pins).flatMap(({ calls }) => calls)
  return [
    ...lookUps.map((call) => ({
      call,
      isInParts: false,
      settings: { ...own.settings, all: false },
      times: 1,
      units: [],
    })),
    { ...own, call: { ...own.call, network: compare.network }, units: [] },
  ]
}

/** Rows whose params are bound for a price: of more, each counts as any call of the method. */
const mostBound = 500

const repeated = (sheet: PriceSheet.PriceSheet, { max, min, ...rest }: Price.PriceRange, times: number) => ({
  ...rest,
  min: rounded(sheet, min * times),
  max: max === undefined ? undefined : rounded(sheet, max * times),
})

/** `undefined` for what is not sent. */
const callOf = (analysis: Analysis, request: BoundRequest, isBound = true) => {
  const { method, network, price, settings } = request
  if (request.errors.length > 0 || method === undefined || network === undefined || price === undefined)
    return undefined
  const bound = isBound ? bindParams(analysis, request, new Map()) : undefined
  // Params that need the result of another request are not known yet.
  const params = bound !== undefined && "params" in bound ? bound.params : undefined
  // The number of pages, or of pieces of a range, is not known.
  const isInParts = settings.all && (method.pages !== undefined || method.range !== undefined)
  const units = (request.units?.reader.calls(request.units.token) ?? []).map((each) => ({ ...each, network }))
  const priced = { ...settings, isPinned: request.compare !== undefined }
  return { call: { method, network, params }, isInParts, settings: priced, times: 1, units }
}

/** No more decimals than the unit has: binary cannot hold every sum of fractions. */
const sum = ({ unit: { decimals } }: PriceSheet.PriceSheet, left: number, right: number): number =>
  rounded({ unit: { decimals } }, left + right)

const rounded = ({ unit: { decimals = 0 } }: { readonly unit: Pick<PriceSheet.Unit, "decimals"> }, amount: number) =>
  Number(amount.toFixed(decimals))

/** `~206 CU ($0.0000927)`: what it would cost, and in money where that is known. */
export const showElsewhere = ({ assumed, max, min, sheet, usd }: Elsewhere): string =>
  Price.show({ min, max, assumed, unit: sheet.unit }) + (usd === undefined ? "" : ` (${showDollars(usd)})`)

/** `$0.0000927`, `$1.2–3.4`, `$0.5+` when nothing bounds it: three digits, and never as a power of ten. */
export const showDollars = ({ max, min }: Dollars): string => {
  if (max === min) return `$${digits(min)}`
  return max === undefined ? `$${digits(min)}+` : `$${digits(min)}–${digits(max)}`
}

const digits = (usd: number): string => {
  if (usd === 0) return "0"
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(usd)))
  return usd
    .toFixed(Math.min(decimals, 20))
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "")
}
