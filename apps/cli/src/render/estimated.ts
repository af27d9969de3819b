/** What is likely to be needed, in words. */
import { Table } from "@dotrpc/spec"

/** The most and the likely amount are absent where nobody knows them yet. */
export interface Estimated {
  readonly low: number
  readonly likely: number | undefined
  readonly high: number | undefined
}

/** `2 to 9, likely 2`, or `2 or more; the total is not known yet`. */
export const showEstimated = ({ high, likely, low }: Estimated): string => {
  const least = Table.groupDigits(low)
  if (high === undefined || likely === undefined) return `${least} or more; the total is not known yet`
  return `${least} to ${Table.groupDigits(high)}, likely ${Table.groupDigits(likely)}`
}
