/** The price of a request in words, the same in every front end. */
import { Price, Table } from "@dotrpc/spec"
import type { BoundRequest } from "./Analysis.ts"

/** `255 credits`; `40,000 credits · 500 rows`; `80 credits per row` as long as the rows are not known. */
export const showRequestPrice = ({ each, price }: Pick<BoundRequest, "each" | "price">): string => {
  const { price: one, rows } = each ?? {}
  if (each !== undefined && rows === undefined && one !== undefined) return `${Price.show(one)} per row`
  const shown = Price.show(price ?? free)
  return rows === undefined
    ? shown
    : `${shown} · ${Table.groupDigits(rows.length)} ${rows.length === 1 ? "row" : "rows"}`
}

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
