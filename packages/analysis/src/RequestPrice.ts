/** The price of a request in words, the same in every front end. */
import { Price, Table } from "@dotrpc/spec"
import type { BoundRequest } from "./Analysis.ts"

/**
 * `255 credits`; `40,000 credits · 500 rows`, with `, 480 different` where some are equal, and `, the budget pays for 100` where it does
 * not pay for all; `80 credits per row` as long as the rows are not known.
 */
export const showRequestPrice = ({ each, price }: Pick<BoundRequest, "each" | "price">): string => {
  const { price: one, rows } = each ?? {}
  if (each !== undefined && rows === undefined && one !== undefined) return `${Price.show(one)} per row`
  return `${Price.show(price ?? free)}${showRows({ each })}`
}

/** ` · 500 rows, 480 different`; nothing of a request without rows, and as long as they are not known. */
export const showRows = ({ each }: Pick<BoundRequest, "each">): string => {
  const { different, rows, within } = each ?? {}
  if (rows === undefined) return ""
  return [
    ` · ${Table.groupDigits(rows.length)} ${rows.length === 1 ? "row" : "rows"}`,
    ...(different === undefined ? [] : [`${Table.groupDigits(different)} different`]),
    ...(within === undefined ? [] : [`the budget pays for ${Table.groupDigits(within)}`]),
  ].join(", ")
}

/** What earlier scans say that a request takes: one case in ten less than `low`, one more than `high`. */
export interface LikelyPrice {
  readonly calls: LikelyAmount
  /** In the unit of the price. */
  readonly credits: LikelyAmount
}

/** All three are the same where it is known exactly. */
export interface LikelyAmount {
  readonly low: number
  readonly likely: number | undefined
  readonly high: number | undefined
}

/** `likely 510 credits in 2 calls`, or `likely ~42,170 credits in ~166 calls` where it is a guess. */
export const showLikelyPrice = ({ calls, credits }: LikelyPrice, unit: Price.PriceRange["unit"]): string => {
  const mark = credits.low === credits.high ? "" : "~"
  const { likely: count = calls.low } = calls
  const paid = Price.showCredits(credits.likely ?? credits.low, unit)
  return `likely ${mark}${paid} in ${mark}${Table.groupDigits(count)} ${count === 1 ? "call" : "calls"}`
}

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
