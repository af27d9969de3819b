/** The shape of a price sheet. It is data all the way: a JSON file holds one. */
import type { Json } from "../Json.ts"
import type { ParamPath } from "../Params.ts"
import type { Outcome } from "./outcome.ts"

/** What a provider charges. Prices are numbers of its unit. */
export interface PriceSheet {
  /** What `"prices"` and `--prices` call it: `alchemy`. */
  readonly id: string
  readonly title: string
  readonly unit: Unit
  /** When the balance resets. */
  readonly window: Window
  /** Units per second. */
  readonly perSecond?: number | undefined
  /** The day on which the sheet agreed with its sources: `2026-08-22`. Absent when the provider's page has no date. */
  readonly checked?: string | undefined
  /** The provider's own pages. */
  readonly sources: ReadonlyArray<string>
  /** What to know before trusting a number, in a sentence or two. */
  readonly note?: string | undefined
  /** True when nothing here is published: every price is shown with `~`. */
  readonly assumed?: boolean | undefined
  /** One of them has the method `*`, which stands for all that no other names. */
  readonly rules: ReadonlyArray<PriceRule>
  /** How many times the price of a rule one chain costs; absent means that all cost the same. */
  readonly chains?: ReadonlyArray<ChainRule> | undefined
  /** What a batch costs on top of its calls. */
  readonly batch?: number | undefined
  /** What a failed call costs, the first rule that fits; without one the whole price. What never left is free. */
  readonly settle: ReadonlyArray<SettleRule>
  readonly plans?: ReadonlyArray<Plan> | undefined
}

/** What a sheet counts in. */
export interface Unit {
  /** `credit`. */
  readonly one: string
  /** `credits`. */
  readonly many: string
  /** How many decimals a price may have; 0 when absent. */
  readonly decimals?: number | undefined
}

/** The time that a balance covers. */
export type Window =
  /** From 00:00 UTC. */
  | { readonly kind: "day" }
  /** A calendar month, in UTC. */
  | { readonly kind: "month" }
  /** The last so many days. */
  | { readonly kind: "days"; readonly days: number }
  /** Paid as it is used. */
  | { readonly kind: "none" }

/** What some methods cost. */
export interface PriceRule {
  /** Names as they are sent; `trace_*` for all that begin so, `*` for every other. */
  readonly methods: ReadonlyArray<string>
  readonly price: number
  /** Other prices for some params: the first that fits. */
  readonly when?: ReadonlyArray<ParamsRule> | undefined
  /** Another price for blocks that only an archive node has. */
  readonly archive?: ArchiveRule | undefined
  /** What long replies cost on top. */
  readonly bytes?: BytesRule | undefined
  /** What each event of a subscription costs. */
  readonly event?: number | undefined
  /** The provider does not publish it. */
  readonly assumed?: boolean | undefined
  /** Where it is published, when that is not the sheet's first source. */
  readonly source?: string | undefined
}

/** What a value of the params changes. */
export interface ParamsRule {
  /** Leads to the value: `[1, "searchTransactionHistory"]`. */
  readonly at: ParamPath
  readonly is: Json
  readonly price: number
}

/** What calls on old blocks cost. */
export interface ArchiveRule {
  /** Blocks at least this far below the head. */
  readonly behind: number
  readonly price: number
  /** Where the params name the block: `[1]`, `[0, "fromBlock"]`. Without one there it is the latest. */
  readonly at: ParamPath
}

/** What the bytes of a reply cost. */
export interface BytesRule {
  /** So many are included. */
  readonly free: number
  /** Each further part of so many bytes, the last one begun included, costs `adds`. */
  readonly every: number
  readonly adds: number
}

/** What a chain multiplies prices by. */
export interface ChainRule {
  /** `eip155:1` for an EVM chain by its number, otherwise the id of the plugin; `*` for every other. */
  readonly chains: ReadonlyArray<string>
  readonly times: number
  readonly assumed?: boolean | undefined
}

/** What a call costs that ended in this way: every member that is given must match. */
export interface SettleRule {
  readonly outcome?: Exclude<Outcome, "ok" | "unsent"> | undefined
  readonly httpStatus?: number | undefined
  readonly rpcCode?: number | undefined
  readonly charge: "price" | number
}

/** One plan of a provider: what is included, and what the rest costs. */
export interface Plan {
  readonly title: string
  /** Units in a window that the plan includes; absent when all are paid for. */
  readonly allowance?: number | undefined
  readonly perSecond?: number | undefined
  /** What a million units beyond the allowance cost, in US dollars; absent when no more are sold. */
  readonly usdPerMillion?: number | undefined
}
