/** What the rows of a request with `# @each` cost together, and how many of them its budget pays for. Equal calls are made once. */
import type { Diagnostic } from "@dotrpc/lang"
import { Price } from "@dotrpc/spec"
import type { EachRow } from "../Analysis.ts"
import { warning } from "../Problem.ts"
import { mostTogether } from "../Together.ts"
import { priceOfCall } from "./callPrice.ts"
import type { Draft } from "./draft.ts"

/** The rows of a request as far as they can be sent. */
export interface BoundRows {
  /** How many can be sent. */
  readonly count: number
  /** Of each that differs from those before it: what it may go together by. */
  readonly keys: ReadonlyArray<string | undefined>
  /** Whether something in their params is known only in a run: rows that seem equal may differ then. */
  readonly isPending: boolean
  /** What keeps the others from being sent, at its place in the text. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** How many rows have calls of their own, where some are equal; `undefined` where none are, or nobody knows. */
export const differentOf = (rows: number, { count, isPending, keys }: BoundRows): number | undefined =>
  isPending || keys.length === count ? undefined : rows - count + keys.length

/** Invariant: a run of all rows costs `min` or more, and no run of them costs more than `max`. */
export const priceOfRows = (
  { request }: Draft,
  { count, isPending, keys }: BoundRows,
): Price.PriceRange | undefined => {
  const { method, network, price } = request
  if (method === undefined || network === undefined || price === undefined) return undefined
  const one = priceOfCall(method, network)
  const groups = groupsOf(keys)
  const min = groups.length * one.min
  // Where a call of several rows fails, each of them is sent alone as well.
  const calls = (isPending ? count : keys.length) + groups.filter((rows) => rows > 1).length
  // The units of a token are read once.
  const others = price.max === undefined || one.max === undefined ? undefined : Math.max(0, price.max - one.max)
  return { ...one, min, max: others === undefined || one.max === undefined ? undefined : calls * one.max + others }
}

/** As long as nobody knows how many rows there are. */
export const unknownPrice = (price: Price.PriceRange | undefined): Price.PriceRange | undefined =>
  price === undefined ? undefined : { ...price, min: 0, max: undefined }

/** How many different rows a budget pays for at most, where it cannot pay for all; `undefined` where it may. */
export const rowsWithin = (
  { request: { method, network } }: Draft,
  { isPending, keys }: BoundRows,
  budget: number | undefined,
): number | undefined => {
  if (budget === undefined || isPending || method === undefined || network === undefined) return undefined
  const { min } = priceOfCall(method, network)
  if (min === 0 || callsTogether(keys) * min <= budget) return undefined
  return groupsOf(keys)
    .toSorted((left, right) => right - left)
    .slice(0, Math.floor(budget / min))
    .reduce((sum, rows) => sum + rows, 0)
}

/** A budget that lets only some rows through: a run ends with them, and with an exit code of its own. */
export const tooLowFor = (
  { request: { settings } }: Draft,
  { different, rows, within }: EachRow,
  price: Price.PriceRange | undefined,
): ReadonlyArray<Diagnostic> => {
  const { budget, each } = settings
  // That it does not even pay for one row is said already.
  if (budget === undefined || each === undefined || rows === undefined || price === undefined) return []
  if (within === undefined || within === 0) return []
  const all = (different ?? rows.length).toLocaleString("en")
  const most = price.min === price.max ? "" : "at most "
  return [
    warning(
      "A309",
      each,
      `the budget of ${Price.showCredits(budget, price.unit)} pays for ${most}${within.toLocaleString("en")} of ${all}${different === undefined ? "" : " different"} rows, and all of them cost ${Price.show(price)}: raise @budget to ${price.min} or more, or resume the run to pay for the others`,
    ),
  ]
}

const callsTogether = (keys: ReadonlyArray<string | undefined>): number => groupsOf(keys).length

/** The rows of each call, of the fewest calls that rows make in their order: those with one key may be one. */
const groupsOf = (keys: ReadonlyArray<string | undefined>): ReadonlyArray<number> => {
  const groups: Array<number> = []
  let before: string | undefined
  for (const key of keys) {
    const last = groups.length - 1
    const size = groups[last] ?? 0
    if (key === undefined || key !== before || size === mostTogether) groups.push(1)
    else groups[last] = size + 1
    before = key
  }
  return groups
}
