/** The price of a call, and the part of it that each outcome charges (service §8). */
import { checkCredits, isCredits } from "./internal/credits.ts"
import type { Outcome } from "./internal/outcome.ts"
import type { Unit } from "./internal/sheetShape.ts"
import type { Network } from "./Network.ts"
import { groupDigits } from "./Table.ts"

/** The credits one attempt of a method takes from the daily balance. */
export interface Price {
  readonly credits: number
  /** True when the provider does not publish this price: it is shown as an assumption, never as a fact. */
  readonly assumed: boolean
}

/** A price the service document states. Throws a `RangeError` on what is not a number of credits. */
export const published = (credits: number): Price => ({ credits: checkCredits("a price", credits), assumed: false })

/** A price the service document does not show. Throws a `RangeError` on what is not a number of credits. */
export const assumed = (credits: number): Price => ({ credits: checkCredits("a price", credits), assumed: true })

/** The price of one attempt on one network: the network's own table wins over the method's; `*` there stands for all methods that it does not name. */
export const priceOf = (
  method: { readonly name: string; readonly price: Price },
  network: Pick<Network, "credits">,
): Price => {
  const own = inTable(network, method.name) ?? inTable(network, "*")
  return own === undefined ? method.price : published(own)
}

const inTable = ({ credits }: Pick<Network, "credits">, name: string): number | undefined =>
  credits !== undefined && Object.hasOwn(credits, name) ? credits[name] : undefined

/** What each outcome is charged: the whole price, or a fixed number of credits. */
export type SettlePolicy = { readonly [K in Outcome]: "price" | number }

/** Everything that reached the server is charged; 402, 429, 5xx and a connection that failed are not. */
export const defaultSettlePolicy: SettlePolicy = {
  ok: "price",
  "rpc-error": "price",
  malformed: "price",
  timeout: "price",
  "payment-required": 0,
  "too-many-requests": 0,
  "client-error": 5,
  "server-error": 0,
  unsent: 0,
}

/**
 * The credits to settle for an attempt that was reserved at `price` and ended in `outcome`. A rule that is not a number of
 * credits is charged the whole price: the server may have charged it.
 */
export const chargeFor = (policy: SettlePolicy, price: number, outcome: Outcome): number => {
  const rule = policy[outcome]
  return isCredits(rule) ? Math.min(rule, price) : price
}

export { isCredits } from "./internal/credits.ts"
export { type Outcome, outcomes } from "./internal/outcome.ts"

/** A price known only within bounds: a split or a second page makes one request several calls. */
export interface PriceRange {
  readonly min: number
  /** `undefined` when nothing bounds it, as for a request that reads every page. */
  readonly max: number | undefined
  readonly assumed: boolean
  /** What is counted; credits when absent. */
  readonly unit?: Unit | undefined
}

/** The sum of two ranges; unbounded if either is. Sums of different units are numbers of "units". */
export const addRanges = (left: PriceRange, right: PriceRange): PriceRange => {
  const unit = isNothing(left) ? right.unit : isNothing(right) ? left.unit : unitOfBoth(left, right)
  const sum: PriceRange = {
    min: left.min + right.min,
    max: left.max === undefined || right.max === undefined ? undefined : left.max + right.max,
    assumed: left.assumed || right.assumed,
  }
  return unit === undefined ? sum : { ...sum, unit }
}

const isNothing = ({ max, min }: PriceRange): boolean => min === 0 && max === 0

const unitOfBoth = ({ unit: left }: PriceRange, { unit: right }: PriceRange): Unit | undefined =>
  left?.many === right?.many ? left : { one: "unit", many: "units" }

/** The sums of ranges for each unit that they count in, in the order in which the units first appear. */
export const sumsByUnit = (ranges: ReadonlyArray<PriceRange>): ReadonlyArray<PriceRange> => {
  const sums = new Map<string, PriceRange>()
  for (const range of ranges) {
    const { many } = range.unit ?? creditsUnit
    const sum = sums.get(many)
    sums.set(many, sum === undefined ? range : addRanges(sum, range))
  }
  const some = [...sums.values()].filter((sum) => !isNothing(sum))
  return some.length > 0 ? some : [...sums.values()].slice(0, 1)
}

/** `255 credits`, or `255 credits and 60 CU` where ranges count in different units. */
export const showSum = (ranges: ReadonlyArray<PriceRange>): string =>
  ranges.length === 0 ? showCredits(0) : sumsByUnit(ranges).map(show).join(" and ")

/** `255 credits`, `1 credit`, `206 CU`. */
export const showCredits = (credits: number, { many, one }: Unit = creditsUnit): string =>
  `${groupDigits(credits)} ${credits === 1 ? one : many}`

const creditsUnit: Unit = { one: "credit", many: "credits" }

/** `255 credits`, `80–600 credits`, `80+ credits` when nothing bounds it; `~` marks an assumed price. */
export const show = (price: PriceRange): string => {
  const mark = price.assumed ? "~" : ""
  const { unit = creditsUnit } = price
  if (price.max === price.min) return mark + showCredits(price.min, unit)
  const max = price.max === undefined ? "+" : `–${groupDigits(price.max)}`
  return `${mark}${groupDigits(price.min)}${max} ${unit.many}`
}
