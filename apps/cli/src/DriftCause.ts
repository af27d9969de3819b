/** Why the ledger and a provider count differently, as far as both of their numbers say. */
import { Price, PriceSheet, Table } from "@dotrpc/spec"

/** What a provider and the ledger say about a method. */
export interface MethodDrift {
  readonly method: string
  /** In units of the sheet; absent where the file says only calls, and one call has no fixed price. */
  readonly provider: number | undefined
  readonly calls: number | undefined
  readonly ledger: number
  /** `ledger - provider`: below 0 the ledger has counted too little. */
  readonly drift: number | undefined
}

export interface DriftCause {
  readonly method: string
  /** What it adds to the difference: below 0 where the provider counts more. */
  readonly units: number
  readonly cause: "killed" | "set-by-hand" | "only-provider" | "only-ledger" | "price" | "calls" | "unknown"
  readonly words: string
}

/** The name under which a ledger counts what processes had set aside that ended without a word. */
export const leftBehind = "left behind"

/** The causes sum up to the difference. */
export const causesOf = (
  sheet: PriceSheet.PriceSheet,
  methods: ReadonlyArray<MethodDrift>,
): ReadonlyArray<DriftCause> =>
  methods.flatMap((each) => {
    const { drift, method } = each
    if (drift === undefined || drift === 0) return []
    return [{ method, units: drift, ...causeOf(sheet, each, drift) }]
  })

const causeOf = (
  sheet: PriceSheet.PriceSheet,
  { calls, ledger, method, provider = 0 }: MethodDrift,
  drift: number,
): Pick<DriftCause, "cause" | "words"> => {
  if (method === leftBehind)
    return {
      cause: "killed",
      words: "set aside by programs that were killed: the ledger counts it, and not all of it may have been sent",
    }
  if (method === "set by hand") return { cause: "set-by-hand", words: "set with dotrpc credits set" }
  if (ledger === 0)
    return { cause: "only-provider", words: "asked by other programs or at another time, not counted here" }
  if (provider === 0)
    return {
      cause: "only-ledger",
      words: "not in the file: charged under another name, not at all, or at another time",
    }
  const { assumed, credits: price } = PriceSheet.usualPrice(
    { name: method, price: Price.assumed(0) },
    { plugin: "", prices: sheet },
  )
  const charged = calls === undefined || calls === 0 ? undefined : provider / calls
  if (charged !== undefined && Math.abs(charged - price) > 1e-6)
    return {
      cause: "price",
      words: `the provider charged ${shown(charged)} a call, and the sheet ${assumed ? "assumes" : "says"} ${shown(price)}`,
    }
  const more = price === 0 ? Number.NaN : Math.abs(drift) / price
  if (!Number.isInteger(more))
    return { cause: "unknown", words: "no whole number of calls: the price of a call depends on more than its method" }
  const amount = `${Table.groupDigits(more)} ${more === 1 ? "call" : "calls"} ${drift > 0 ? "more" : "fewer"}`
  return {
    cause: "calls",
    words:
      drift > 0
        ? `${amount} than the provider charged: calls that timed out, broke off or were answered by an error count in full here`
        : `${amount} than the provider charged: other programs use the account, or the file covers another time`,
  }
}

const shown = (amount: number): string => Table.groupDigits(Number(amount.toFixed(2)))
