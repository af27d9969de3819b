/** Words that several tables use. */
import { Table } from "@dotrpc/spec"

/** A result that is one value in words. */
export const oneValue = (headline: string): Table.Table => ({ total: 1, columns: [], rows: [], headline })

/** An amount of 10^18 parts in its unit: `0.002 STRK`, `0.002 ETH`. */
export const showFee = (amount: string, unit = ""): string => {
  const digits = BigInt(amount).toString().padStart(19, "0")
  const fraction = digits.slice(-18).replace(/(?<!0)0+$/, "")
  const whole = Table.groupDigits(BigInt(digits.slice(0, -18)))
  return `${whole}${fraction === "" ? "" : `.${fraction}`} ${unit === "FRI" ? "STRK" : unit === "WEI" ? "ETH" : unit}`.trimEnd()
}

/**
 * Seconds since 1970 in a zone, that of the machine when none is given: `2023-11-14 23:13:20`. What no date can hold is
 * shown as the number it is.
 */
export const showTime = (seconds: number | bigint, timeZone: string | undefined): string => {
  if (seconds > latest) return String(seconds)
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  return format.format(new Date(Number(seconds) * 1_000))
}

/** The end of the year 9999. */
const latest = 253_402_300_799
