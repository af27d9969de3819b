/**
 * What a provider charges, as data: its unit, its window, a price for every method, and what a call that failed costs.
 * {@link priceOf} says what a call may cost before it is sent, {@link chargeOf} what it cost after that. Both are pure.
 *
 * A sheet never guesses too low: what it cannot know beforehand, such as how many bytes come back, is the upper end of
 * a range, and a call that may have been charged counts as charged.
 */
import { chainTimes, namesMethod, ruleFor } from "./internal/sheetRules.ts"
import type { BytesRule, PriceRule, PriceSheet, SettleRule, Unit, Window } from "./internal/sheetShape.ts"
import type { Json } from "./Json.ts"
import { type Method, wireName } from "./Method.ts"
import type { Network } from "./Network.ts"
import { valueAt } from "./Params.ts"
import { priceOf as priceInTable, type Outcome, type Price, type PriceRange } from "./Price.ts"
import { groupDigits } from "./Table.ts"
import { isUnchecked } from "./UncheckedMethod.ts"

export { SheetFile as File, readSheet as read } from "./internal/sheetIssues.ts"
export { namesMethod } from "./internal/sheetRules.ts"
export type {
  ArchiveRule,
  BytesRule,
  ChainRule,
  ParamsRule,
  Plan,
  PriceRule,
  PriceSheet,
  SettleRule,
  Unit,
  Window,
} from "./internal/sheetShape.ts"

/** A call, as far as its price depends on it. */
export interface PricedCall {
  readonly method: Pick<Method, "name" | "word">
  /** `undefined` while nobody knows them, as before the request that they come from has run. */
  readonly params: Json | undefined
  readonly network: Pick<Network, "chainId" | "methodWord" | "plugin">
  /** The number of the latest block, where it is known. */
  readonly head?: number | undefined
  /** The most bytes that a reply may have; without it a price by bytes has no upper end. */
  readonly mostBytes?: number | undefined
}

/** How a call ended, as far as its charge depends on it. */
export interface CallEnd {
  readonly outcome: Outcome
  readonly httpStatus?: number | undefined
  readonly rpcCode?: number | undefined
  /** Bytes of the reply as the provider counts them; without them the most that they can be. */
  readonly bytes?: number | undefined
}

/**
 * What one sending of a call costs, in the sheet's unit. Its ends differ where the price depends on what only the
 * provider knows, or only the reply shows.
 *
 * @example
 * ```ts
 * PriceSheet.priceOf(sheet, { method: Evm.GetLogs, params: [{ fromBlock: "0x0" }], network }) // { min: 60, max: 60, assumed: false }
 * ```
 */
export const priceOf = (sheet: PriceSheet, call: PricedCall): PriceRange => {
  const rule = ruleFor(sheet, wireName(call.method, call.network))
  const chain = chainTimes(sheet, call.network)
  const inUnits = (price: number): number => roundedUp(price * chain.times, sheet.unit)
  const prices = pricesByDepth(rule, call).map(inUnits)
  const most = Math.max(...prices)
  return {
    min: Math.min(...prices),
    max: rule.bytes === undefined ? most : withBytes(rule.bytes, call.mostBytes, (adds) => most + inUnits(adds)),
    assumed: sheet.assumed === true || rule.assumed === true || chain.assumed === true,
  }
}

/**
 * What a call cost that ended in this way: the most it can have cost, where that depends on something not known here. Infinite
 * when the price depends on the bytes of the reply and their number is not known.
 */
export const chargeOf = (sheet: PriceSheet, call: PricedCall, end: CallEnd): number => {
  if (end.outcome === "unsent") return 0
  return settledAt(sheet, end, priceOf(sheet, { ...call, mostBytes: end.bytes ?? call.mostBytes }).max ?? Infinity)
}

/** What an attempt of this price is charged that ended so: the most of it, where the status or code is not known. */
export const settledAt = ({ settle }: PriceSheet, end: CallEnd, price: number): number => {
  if (end.outcome === "ok") return price
  if (end.outcome === "unsent") return 0
  let most = 0
  for (const rule of settle) {
    if (!mayFit(rule, end)) continue
    most = Math.max(most, rule.charge === "price" ? price : Math.min(rule.charge, price))
    if (fits(rule, end)) return most
  }
  return price
}

/**
 * What one attempt usually costs on a network: by its sheet where it has one, otherwise by its own table or the method's.
 * Long replies and old blocks may cost more.
 */
export const usualPrice = (
  method: Pick<Method, "name" | "price" | "word">,
  network: PricedCall["network"] & Pick<Network, "credits" | "prices">,
): Price => {
  const { prices: sheet } = network
  if (sheet === undefined) return priceInTable(method, network)
  const rule = ruleFor(sheet, wireName(method, network))
  const chain = chainTimes(sheet, network)
  return {
    credits: roundedUp(rule.price * chain.times, sheet.unit),
    assumed: sheet.assumed === true || rule.assumed === true || chain.assumed === true,
  }
}

/**
 * What one sending of a call may cost on a network, by its sheet where it has one, otherwise by its own table or the method's: the one number
 * of plans, lenses and estimates. Its upper end is open where the length of the reply has a price.
 */
export const priceOn = (
  method: Pick<Method, "issues" | "name" | "price" | "word">,
  network: PricedCall["network"] & Pick<Network, "credits" | "prices">,
  params: Json | undefined,
): PriceRange => {
  const { prices: sheet } = network
  if (sheet === undefined) {
    const { assumed, credits } = priceInTable(method, network)
    return { min: credits, max: credits, assumed }
  }
  const range = priceOf(sheet, { method, network, params })
  const isGuess = isUnchecked(method) && !namesMethod(sheet, wireName(method, network))
  return { ...range, assumed: range.assumed || isGuess, unit: sheet.unit }
}

/** What the price of a method depends on, so that what does not change is worked out once. */
export interface PriceShape {
  /** The price, where no params, block and reply change it. */
  readonly flat: number | undefined
  /** Whether the length of the reply changes it. */
  readonly isByBytes: boolean
}

/** The shape of the price of a method on a network. */
export const shapeOf = (sheet: PriceSheet, { method, network }: Pick<PricedCall, "method" | "network">): PriceShape => {
  const { archive, bytes, price, when } = ruleFor(sheet, wireName(method, network))
  const isFlat = archive === undefined && bytes === undefined && when === undefined
  return {
    flat: isFlat ? roundedUp(price * chainTimes(sheet, network).times, sheet.unit) : undefined,
    isByBytes: bytes !== undefined,
  }
}

/** What each event of a subscription costs. */
export const eventPrice = (sheet: PriceSheet, { method, network }: Omit<PricedCall, "params">): number =>
  roundedUp((ruleFor(sheet, wireName(method, network)).event ?? 0) * chainTimes(sheet, network).times, sheet.unit)

/** US dollars for so many units, by the first plan of the sheet that sells more; `undefined` where none does. */
export const usdOf = ({ plans = [] }: PriceSheet, units: number): number | undefined => {
  const perMillion = plans.find(({ usdPerMillion }) => usdPerMillion !== undefined)?.usdPerMillion
  return perMillion === undefined ? undefined : (units * perMillion) / 1_000_000
}

/** `1 credit`, `206 CU`, `0.5 credits`. */
export const showUnits = ({ unit }: Pick<PriceSheet, "unit">, units: number): string =>
  `${groupDigits(units)} ${units === 1 ? unit.one : unit.many}`

/** `today`, `this month`, `in the last 30 days`, `in total`: when what counts was spent. */
export const windowWords = (window: Window): string =>
  window.kind === "days"
    ? `in the last ${window.days} days`
    : { day: "today", month: "this month", none: "in total" }[window.kind]

/** Whether the sheet was last compared with its sources more than 180 days ago, or nobody knows when. */
export const isStale = ({ checked }: Pick<PriceSheet, "checked">, now: number): boolean =>
  checked === undefined || now - Date.parse(checked) > 180 * 86_400_000

/** Why the prices of a stale sheet may be wrong by now, after its name; `undefined` for one that is not. */
export const staleWords = (sheet: Pick<PriceSheet, "checked">, now: number): string | undefined => {
  if (!isStale(sheet, now)) return undefined
  return sheet.checked === undefined
    ? "the provider's page has no date: prices may have changed"
    : `checked on ${sheet.checked}, more than 180 days ago: prices may have changed`
}

/** The prices that a call may have, by its params and by what is known of the depth of its block. */
const pricesByDepth = (rule: PriceRule, { head, params }: PricedCall): ReadonlyArray<number> => {
  if (params === undefined)
    return [rule.price, ...(rule.when ?? []).map(({ price }) => price), rule.archive?.price ?? rule.price]
  const plain = rule.when?.find(({ at, is }) => valueAt(params, at) === is)?.price ?? rule.price
  if (rule.archive === undefined) return [plain]
  const { at, behind, price } = rule.archive
  const block = valueAt(params, at) ?? "latest"
  if (block === "earliest") return [price]
  const number = blockNumber(block)
  // Every other tag names a block near the head; a hash may name any.
  if (number === undefined) return typeof block === "string" && /^[a-z_]+$/.test(block) ? [plain] : [plain, price]
  if (head === undefined) return [plain, price]
  return [head - number >= behind ? price : plain]
}

const blockNumber = (block: Json): number | undefined => {
  if (typeof block === "number") return block
  return typeof block === "string" && /^0x[\da-f]{1,13}$/i.test(block) ? Number(block) : undefined
}

const withBytes = (
  { adds, every, free }: BytesRule,
  bytes: number | undefined,
  total: (adds: number) => number,
): number | undefined => (bytes === undefined ? undefined : total(Math.ceil(Math.max(0, bytes - free) / every) * adds))

/** Whether all that is known of an end agrees with a rule. */
const mayFit = ({ outcome, httpStatus, rpcCode }: SettleRule, end: CallEnd): boolean =>
  (outcome === undefined || outcome === end.outcome) &&
  (httpStatus === undefined || httpStatus === (end.httpStatus ?? httpStatus)) &&
  (rpcCode === undefined || rpcCode === (end.rpcCode ?? rpcCode))

const fits = ({ outcome, httpStatus, rpcCode }: SettleRule, end: CallEnd): boolean =>
  (outcome === undefined || outcome === end.outcome) &&
  (httpStatus === undefined || httpStatus === end.httpStatus) &&
  (rpcCode === undefined || rpcCode === end.rpcCode)

/** To what the unit can hold. Products of decimals are off by far less than the sixth place after that. */
const roundedUp = (price: number, { decimals = 0 }: Unit): number => {
  const scale = 10 ** decimals
  // Almost every price is a number of the unit, and this is asked for each call.
  if (Number.isInteger(price * scale)) return price
  return Math.ceil(Number((price * scale).toFixed(6))) / scale
}
