/**
 * A subscription of an RPC family as a value: the calls that open and end it, its notifications, and the schema and price of its
 * events. It consists of functions and plain data, like a method.
 */
import * as Schema from "effect/Schema"
import { isSubscriptionId, type SubscriptionId } from "./internal/subscriptionId.ts"
import type { RenderContext } from "./Abi.ts"
import type { Json } from "./Json.ts"
import { defineMethod } from "./MethodDefinition.ts"
import type { Method } from "./Method.ts"
import type { Network } from "./Network.ts"
import { lenientChecker, type ParamIssue, type WireSchema } from "./Params.ts"
import { type Price, priceOf, published } from "./Price.ts"
import { eventPrice } from "./PriceSheet.ts"
import type { Table } from "./Table.ts"

export type { SubscriptionId } from "./internal/subscriptionId.ts"

/** A source of events from a server, as `defineSubscription` makes it. */
export interface Subscription<out Params = unknown, out Item = unknown> {
  /** Id of the plugin it belongs to. */
  readonly plugin: string
  /** Its name, unique in its plugin: `logs`. */
  readonly name: string
  /** One line. */
  readonly summary: string
  /** The method that opens it, whose result is the id of the subscription: `eth_subscribe`. */
  readonly open: Method<Params, SubscriptionId>
  /** The method that ends it: `eth_unsubscribe`. */
  readonly close: Method<readonly [SubscriptionId]>
  /** The method of its notifications: `eth_subscription`. */
  readonly notification: string
  /** The member of a notification's params that has the id: `subscription`. The event is the member `result`. */
  readonly idMember: string
  /** The price of each event where neither the network nor its price sheet has one. */
  readonly eventPrice: Price
  /** The first way in which an event does not fit the schema. */
  readonly itemIssue: (item: Json) => ParamIssue | undefined
  readonly item: WireSchema<Item>
  /** Events as a server sends them. */
  readonly samples: ReadonlyArray<SubscriptionSample>
  /** An array of events as rows; a common table when absent. */
  readonly render?: Method["render"] | undefined
  /** How the events of a gap are read; absent where they cannot be. */
  readonly refill?: SubscriptionRefill | undefined
}

/**
 * How events that a subscription left out are read: by a method that asks for them by their blocks. That method has a range of blocks
 * (`Method.range`), whose items are the events.
 */
export interface SubscriptionRefill {
  readonly method: Method
  /** The params that ask for what the subscription with these params emits, from this block on. */
  readonly paramsFrom: (params: Json, block: number) => Json
  /** What names an event among all events: its block and its place there. `undefined` for one that is in no block. */
  readonly keyOf: (event: Json) => string | undefined
}

/** An event as a server sends it. */
export interface SubscriptionSample {
  readonly title: string
  readonly item: Json
}

/** What `defineSubscription` takes. */
export interface SubscriptionDefinition<Params, Item> {
  readonly plugin: string
  /** Its name: `logs`. */
  readonly name: string
  readonly summary: string
  /** Markdown: its params, its events, and when there are none. */
  readonly docs: string
  /** The method that opens it. */
  readonly open: string
  /** The method that ends it. */
  readonly close: string
  /** The method of its notifications. */
  readonly notification: string
  /** The member of a notification's params that has the id; `subscription` when absent. */
  readonly idMember?: string | undefined
  /** All params of the method that opens it, the name of the subscription included where it is one of them. */
  readonly params: WireSchema<Params>
  readonly positions?: ReadonlyArray<string> | undefined
  /** See `MethodDefinition`. */
  readonly read?: ((params: Json) => Json) | undefined
  readonly item: WireSchema<Item>
  /** The price of opening it. */
  readonly price: Price
  /** The price of ending it; when absent, the price of opening it. */
  readonly closePrice?: Price | undefined
  /** The price of each event; nothing when absent. A price sheet overrides it. */
  readonly eventPrice?: Price | undefined
  readonly examples: ReadonlyArray<{ readonly title: string; readonly params: Params }>
  /** See `Subscription`. */
  readonly render?: ((events: ReadonlyArray<Item>, limit: number, context: RenderContext) => Table) | undefined
  /** See `Subscription`. */
  readonly refill?: SubscriptionRefill | undefined
  /** Events as a server sends them, at least one; the tests of the plugin check them. */
  readonly samples: ReadonlyArray<{ readonly title: string; readonly item: Item }>
  /** See `MethodDefinition`. */
  readonly check?: ((params: Params, network: Network) => ReadonlyArray<ParamIssue>) | undefined
}

/**
 * Defines a subscription, for `subscriptions` of `definePlugin`. Throws as `defineMethod` does.
 *
 * @example
 * ```ts
 * const newTips = defineSubscription({
 *   plugin: "ledger", name: "tips", summary: "Each new tip of the chain.", docs: "…",
 *   open: "ledger_subscribe", close: "ledger_unsubscribe", notification: "ledger_event",
 *   params: Schema.Tuple([Schema.Literal("tips")]), item: Schema.Struct({ height: Schema.Int }),
 *   price: Price.assumed(10), eventPrice: Price.assumed(1),
 *   examples: [{ title: "All of them", params: ["tips"] }], samples: [{ title: "A tip", item: { height: 7 } }],
 * })
 * ```
 */
export const defineSubscription = <Params, Item>(
  definition: SubscriptionDefinition<Params, Item>,
): Subscription<Params, Item> => {
  const { plugin, name, summary, docs, price, examples, positions, read, check, render, refill } = definition
  const common = { plugin, idempotent: true, render: () => ({ total: 1, columns: [], rows: [] }) }
  return {
    plugin,
    name,
    summary,
    open: defineMethod({
      ...common,
      name: definition.open,
      summary,
      docs,
      positions,
      read,
      params: definition.params,
      result: Id,
      price,
      examples,
      check,
    }),
    close: defineMethod({
      ...common,
      name: definition.close,
      summary: `Ends ${name}`,
      docs: "",
      params: Schema.Tuple([Id]),
      result: Schema.Json,
      price: definition.closePrice ?? price,
      examples: [],
    }),
    notification: definition.notification,
    idMember: definition.idMember ?? "subscription",
    eventPrice: definition.eventPrice ?? published(0),
    item: definition.item,
    itemIssue: lenientChecker(definition.item),
    // A sample has been given as a value of the schema, whose values are JSON.
    samples: definition.samples.map(({ title, item }) => ({ title, item: item as Json })),
    refill,
    // Events are rendered after their check.
    render:
      render === undefined
        ? undefined
        : (events, limit, context = {}) => render(events as ReadonlyArray<Json> as ReadonlyArray<Item>, limit, context),
  }
}

/** The price of each event of a subscription on a network: from its price sheet, its own table, or the plugin. */
export const eventCredits = (
  { eventPrice: price, notification, open }: Pick<Subscription, "eventPrice" | "notification" | "open">,
  network: Network,
): number =>
  network.prices === undefined
    ? priceOf({ name: notification, price }, network).credits
    : eventPrice(network.prices, { method: open, network })

const Id = Schema.Union([Schema.String, Schema.Number]).pipe(
  Schema.check(
    Schema.makeFilter((id: SubscriptionId) => isSubscriptionId(id), { expected: "the id of a subscription" }),
  ),
)
