/** The bill of a metered command: what its calls cost, as a value, and how it differs from another one. */
import type { Elsewhere } from "@dotrpc/analysis"
import { elsewhereJson } from "@dotrpc/runner"
import { Json, type Network, PriceSheet } from "@dotrpc/spec"
import type { Row, Tally } from "./Tally.ts"

/** The calls of one method. `asked` is what the command asked for, `sent` what left for the node. */
export interface BilledMethod {
  readonly method: string
  readonly asked: number
  readonly sent: number
  readonly credits: number
  readonly bytes: number
  readonly errors: number
  readonly repeated: number
  /** How many of `asked` a Multicall could have made together with one before; absent where there are none. */
  readonly together?: number | undefined
}

export interface BilledNetwork {
  readonly network: string
  readonly unit: string
  readonly spent: number
  readonly methods: ReadonlyArray<BilledMethod>
}

export interface Bill {
  readonly command: ReadonlyArray<string>
  readonly exitCode: number
  readonly ms: number
  /** The limit that ended the command. */
  readonly stopped: "max-credits" | "daily" | null
  readonly spent: number
  /** Of everything; `units` where networks count in different ones. */
  readonly unit: string
  /** Whether the provider does not publish every price of it. */
  readonly assumed: boolean
  readonly networks: ReadonlyArray<BilledNetwork>
  readonly elsewhere: ReadonlyArray<Elsewhere>
}

/** The bill of what was counted. Networks that nothing was asked of are not on it. */
export const billOf = (
  run: Pick<Bill, "command" | "exitCode" | "ms" | "stopped">,
  tally: Tally,
  networks: ReadonlyArray<Network>,
): Bill => {
  const rows = tally.rows()
  const billed = networks.flatMap((network) => {
    const own = rows.filter((row) => row.network === network)
    if (own.length === 0) return []
    const methods = own
      .map(billedMethod)
      .toSorted((left, right) => right.credits - left.credits || right.asked - left.asked)
    const unit = network.prices?.unit.many ?? "credits"
    return [{ network: network.id, unit, spent: sum(methods.map(({ credits }) => credits)), methods }]
  })
  const units = [...new Set(billed.map(({ unit }) => unit))]
  return {
    ...run,
    spent: sum(billed.map(({ spent }) => spent)),
    unit: units.length > 1 ? "units" : (units[0] ?? "credits"),
    assumed: rows.some(
      ({ allowance, method, network }) => allowance.spent > 0 && PriceSheet.priceOn(method, network, undefined).assumed,
    ),
    networks: billed,
    elsewhere: tally.elsewhere(),
  }
}

const billedMethod = ({ allowance, asked, bytes, errors, name, repeated, sent, together }: Row): BilledMethod => ({
  method: name === "" ? "(no method)" : name,
  asked,
  sent,
  credits: rounded(allowance.spent),
  bytes,
  errors,
  repeated,
  ...(together > 0 && { together }),
})

/** Sums of prices with decimals, without what binary adds to them. */
const rounded = (credits: number): number => Number(credits.toFixed(6))

const sum = (credits: ReadonlyArray<number>): number => rounded(credits.reduce((all, each) => all + each, 0))

export const billJson = ({ assumed, elsewhere, spent, unit, ...bill }: Bill): Json.JsonObject => ({
  version: 1,
  command: bill.command,
  exitCode: bill.exitCode,
  ms: bill.ms,
  stopped: bill.stopped,
  credits: { spent, unit, assumed },
  networks: bill.networks.map(({ methods, ...network }) => ({
    ...network,
    methods: methods.map(({ together, ...method }) => ({ ...method, ...(together !== undefined && { together }) })),
  })),
  ...(elsewhere.length === 0 ? {} : { elsewhere: elsewhere.map(elsewhereJson) }),
})

/** What a bill that was kept says, as far as it is compared. */
export interface KeptBill {
  readonly spent: number
  readonly unit: string
  /** Credits by network and method. */
  readonly methods: ReadonlyMap<string, { readonly asked: number; readonly credits: number }>
}

/** Reads a bill; `undefined` when the text is none. */
export const readBill = (text: string): KeptBill | undefined => {
  let bill: Json.Json
  try {
    bill = Json.parse(text)
  } catch {
    return undefined
  }
  if (!Json.isObject(bill) || bill["version"] !== 1 || !Json.isObject(bill["credits"])) return undefined
  const { spent, unit } = bill["credits"]
  const { networks } = bill
  if (typeof spent !== "number" || typeof unit !== "string" || !Json.isArray(networks)) return undefined
  const methods = new Map<string, { readonly asked: number; readonly credits: number }>()
  for (const network of networks) {
    if (!Json.isObject(network) || !Json.isArray(network["methods"])) return undefined
    for (const each of network["methods"]) {
      if (!Json.isObject(each)) return undefined
      const { asked, credits, method } = each
      if (typeof asked !== "number" || typeof credits !== "number") return undefined
      methods.set(`${String(network["network"])} ${String(method)}`, { asked, credits })
    }
  }
  return { spent, unit, methods }
}

/** What one method costs now and cost before. */
export interface Difference {
  readonly what: string
  readonly asked: readonly [before: number, now: number]
  readonly credits: readonly [before: number, now: number]
}

/** The methods that cost another amount than before, or were asked another number of times; the largest change first. */
export const differencesOf = (before: KeptBill, now: Bill): ReadonlyArray<Difference> => {
  const own = keptOf(now).methods
  const none = { asked: 0, credits: 0 }
  return [...new Set([...before.methods.keys(), ...own.keys()])]
    .map((what): Difference => {
      const [old = none, recent = none] = [before.methods.get(what), own.get(what)]
      return { what, asked: [old.asked, recent.asked], credits: [old.credits, recent.credits] }
    })
    .filter(({ asked, credits }) => asked[0] !== asked[1] || credits[0] !== credits[1])
    .toSorted((left, right) => changeOf(right) - changeOf(left))
}

const changeOf = ({ credits: [before, now] }: Difference): number => Math.abs(now - before)

const keptOf = ({ networks, spent, unit }: Bill): KeptBill => ({
  spent,
  unit,
  methods: new Map(
    networks.flatMap(({ methods, network }) =>
      methods.map(({ asked, credits, method }) => [`${network} ${method}`, { asked, credits }] as const),
    ),
  ),
})

/** How much more may be spent than before: a part of it, or so many credits. */
export type Increase = { readonly percent: number } | { readonly credits: number }

/** `10%` or `500`; `undefined` for anything else. */
export const parseIncrease = (text: string): Increase | undefined => {
  const [, amount, percent] = /^(\d{1,12}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? []
  if (amount === undefined) return undefined
  return percent === "%" ? { percent: Number(amount) } : { credits: Number(amount) }
}

/** Whether a bill is higher than the other by more than is allowed. */
export const isAbove = (before: number, now: number, increase: Increase): boolean =>
  rounded(now - before) > ("percent" in increase ? rounded((before * increase.percent) / 100) : increase.credits)
