/** What is likely to be needed, in words. */
import { Price, Table } from "@dotrpc/spec"

/** The most and the likely amount are absent where nobody knows them yet. */
export interface Estimated {
  readonly low: number
  readonly likely: number | undefined
  readonly high: number | undefined
}

/** `2 to 9, likely 2`, `2` where it is known exactly, or `2 or more; the total is not known yet`. */
export const showEstimated = ({ high, likely, low }: Estimated): string => {
  const least = Table.groupDigits(low)
  if (high === undefined || likely === undefined) return `${least} or more; the total is not known yet`
  return low === high ? least : `${least} to ${Table.groupDigits(high)}, likely ${Table.groupDigits(likely)}`
}

/** `255 credits in total`; `80 credits or more in total, likely 3,280`; or that nobody knows. */
export const showTotal = (prices: ReadonlyArray<Price.PriceRange>, likely?: number | undefined): string => {
  const isBounded = prices.every(({ max }) => max !== undefined)
  if (isBounded) return `${Price.showSum(prices)} in total`
  const guess = likely === undefined ? "" : `, likely ${Table.groupDigits(likely)}`
  const least = prices.map((price) => ({ ...price, max: price.min }))
  const isNothing = prices.every(({ min }) => min === 0)
  if (isNothing && likely === undefined) return "the total is not known yet"
  return `${Price.showSum(least)} or more in total${guess}`
}
