/** Subscriptions: the logs of transactions (`logsSubscribe`) and new slots (`slotSubscribe`), over a WebSocket. */
import {
  defineSubscription,
  explorerPage,
  nearest,
  Price,
  RpcError,
  RpcReason,
  type SubscribeOptions,
  type Subscription,
  Subscriptions,
  unneeded,
} from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Context } from "./Context.ts"
import { exampleSignature, exampleSlot, tokenProgram, wallet } from "./internal/exampleKeys.ts"
import { U64 } from "./internal/integer.ts"
import { optional } from "./internal/read.ts"
import { showOutcome } from "./internal/transactionRows.ts"
import { PublicKey } from "./PublicKey.ts"
import { CommitmentConfig } from "./ReadConfig.ts"
import { TransactionError } from "./Transaction.ts"

/** Which transactions: all, all with the votes of validators, or those that name a key. Nodes take one key. */
export type LogsFilter = "all" | "allWithVotes" | { readonly mentions: readonly [key: string] }
export const LogsFilter: Schema.Codec<LogsFilter> = Schema.Union([
  Schema.Literals(["all", "allWithVotes"]),
  Schema.Struct({
    mentions: Schema.Tuple([PublicKey]).annotateKey({ description: "The key that a transaction must name: one." }),
  }),
])

const transactionLogsStruct = Schema.Struct({
  signature: Schema.String.annotateKey({ description: "The first signature, which names the transaction." }),
  err: unneeded(TransactionError).annotateKey({ description: "Why it failed; null when it did not." }),
  logs: unneeded(Schema.Array(Schema.String)).annotateKey({
    description: "What its programs logged; null where it failed before they ran.",
  }),
})

const logsEventStruct = Schema.Struct({ context: Context, value: transactionLogsStruct })

/** What a transaction logged, and its slot. */
export type LogsEvent = { [Name in keyof typeof logsEventStruct.Type]: (typeof logsEventStruct.Type)[Name] }
export const LogsEvent = Schema.Opaque<LogsEvent>()(logsEventStruct)

const slotEventStruct = Schema.Struct({
  slot: U64.annotateKey({ description: "The new slot." }),
  parent: U64.annotateKey({ description: "The slot of the block before it." }),
  root: U64.annotateKey({ description: "The newest slot that cannot be taken back." }),
})

/** A new slot. */
export type SlotEvent = { [Name in keyof typeof slotEventStruct.Type]: (typeof slotEventStruct.Type)[Name] }
export const SlotEvent = Schema.Opaque<SlotEvent>()(slotEventStruct)

const common = { plugin: "token-accounts", price: Price.assumed(80) } as const

/** The logs of the transactions of new blocks. */
export const LogsSubscription: Subscription<readonly [LogsFilter, CommitmentConfig?], LogsEvent> = defineSubscription({
  ...common,
  name: "logs",
  open: "logsSubscribe",
  close: "logsUnsubscribe",
  notification: "logsNotification",
  summary: "What the transactions of new blocks log",
  docs: `Emits what each transaction of a new block logged, if it passes the filter; one that failed as well.

| Position | | |
|---|---|---|
| 0 | filter | \`"all"\`, \`"allWithVotes"\`, or \`{ "mentions": [key] }\` with one base58 key |
| 1 | config | optional: \`commitment\`, \`"finalized"\` (default), \`"confirmed"\` or \`"processed"\` |

**Event**: \`{ "context": { "slot" }, "value": { "signature", "err", "logs" } }\`.

**Gaps.** No method returns what was logged while a connection was broken, so a gap is reported and not filled. For one key,
\`getSignaturesForAddress\` lists the transactions of that time.

**Price.** Not published; opening is assumed to be 80 credits.`,
  positions: ["filter", "config"],
  params: Schema.Tuple([
    LogsFilter.annotateKey({
      messageMissingKey: 'position 0 is missing: the filter, "all" for all transactions',
      description: 'Which transactions: `"all"`, `"allWithVotes"`, or `{ "mentions": [key] }`.',
    }),
    Schema.optionalKey(CommitmentConfig).annotateKey({ description: "`commitment`." }),
  ]),
  item: LogsEvent,
  examples: [
    { title: "The transactions that name a key", params: [{ mentions: [wallet] }, { commitment: "confirmed" }] },
    { title: "All transactions", params: ["all"] },
  ],
  samples: [
    {
      title: "A transfer",
      item: {
        context: { slot: exampleSlot },
        value: {
          signature: exampleSignature,
          err: null,
          logs: [`Program ${tokenProgram} invoke [1]`, `Program ${tokenProgram} success`],
        },
      },
    },
    {
      title: "One that failed before its programs ran",
      item: {
        context: { slot: exampleSlot },
        value: { signature: exampleSignature, err: "AccountNotFound", logs: null },
      },
    },
  ],
  render: (events, limit, { network }) => {
    const shown = events.slice(0, limit)
    return {
      noun: ["transaction", "transactions"],
      total: events.length,
      columns: [
        { name: "slot", align: "right" },
        { name: "outcome" },
        { name: "signature" },
        { name: "logs", rank: 1 },
      ],
      rows: shown.map(({ context, value: { err, logs, signature } }) => [
        String(context.slot),
        showOutcome(err),
        signature,
        (logs ?? []).join("; "),
      ]),
      links:
        network?.explorer === undefined
          ? undefined
          : shown.map(({ value }) => [undefined, undefined, explorerPage(network, "tx", value.signature)]),
    }
  },
})

/** New slots: the heads of this family. */
export const SlotSubscription: Subscription<readonly [], SlotEvent> = defineSubscription({
  ...common,
  name: "slot",
  open: "slotSubscribe",
  close: "slotUnsubscribe",
  notification: "slotNotification",
  summary: "Each slot that the node begins to process",
  docs: `Emits each slot that the node begins to process. It may still be taken back: \`root\` is the newest that cannot. It has no params.

**Event**: \`{ "slot", "parent", "root" }\`.

**Gaps.** What was missed while a connection was broken is reported and not filled.

**Price.** Not published; opening is assumed to be 80 credits. A network has some nine thousand slots an hour.`,
  params: Schema.Tuple([]),
  item: SlotEvent,
  examples: [{ title: "Every slot", params: [] }],
  samples: [{ title: "A slot", item: { slot: exampleSlot, parent: exampleSlot - 1, root: exampleSlot - 32 } }],
  render: (events, limit) => ({
    noun: ["slot", "slots"],
    total: events.length,
    columns: [
      { name: "slot", align: "right" },
      { name: "parent", align: "right" },
      { name: "root", align: "right" },
    ],
    rows: events.slice(0, limit).map(({ parent, root, slot }) => [String(slot), String(parent), String(root)]),
  }),
})

/** How events are read. What a gap left out cannot be. */
export interface SlotsOptions extends Pick<SubscribeOptions, "onGap"> {}

/** How sure the cluster must be of the transactions, `finalized` by default, and what a gap does. */
export interface LogsOptions extends SlotsOptions, CommitmentConfig {}

/** The subscriptions that {@link subscribe} opens. */
export interface Subscribe {
  (name: "logs", filter?: LogsFilter, options?: LogsOptions): Stream.Stream<LogsEvent, RpcError, Subscriptions>
  (name: "slot", filter?: undefined, options?: SlotsOptions): Stream.Stream<SlotEvent, RpcError, Subscriptions>
}

/**
 * The events of a subscription as they arrive over a WebSocket, until the stream is interrupted: the logs of transactions, of all
 * unless a filter is given, or new slots. If the connection breaks or the reader is too slow, events are missing, and a warning is
 * logged; `onGap` runs instead of it.
 *
 * Fails with `SubscriptionLost` when the connection breaks too often, and with a budget's own reason when the next event cannot
 * be paid.
 *
 * @example
 * ```ts
 * const failed = TokenAccounts.subscribe("logs", { mentions: [wallet] }, { commitment: "confirmed" }).pipe(
 *   Stream.filter(({ value }) => value.err !== null),
 *   Stream.runForEach(({ value }) => Console.log(value.signature)),
 * )
 * ```
 */
export const subscribe: Subscribe = ((
  name: "logs" | "slot",
  filter: LogsFilter = "all",
  { commitment, onGap }: LogsOptions = {},
) => {
  switch (name) {
    case "logs": {
      const config = commitment === undefined ? undefined : { commitment }
      return Subscriptions.subscribe(LogsSubscription, [filter, ...optional(config)], { onGap })
    }
    case "slot":
      return Subscriptions.subscribe(SlotSubscription, [], { onGap })
    default:
      return Stream.fail(unknownSubscription(name))
  }
}) as Subscribe

const names = ["logs", "slot"]

/** A script without types may name any other. */
const unknownSubscription = (name: unknown): RpcError => {
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 100)) : typeof name
  const meant = typeof name === "string" ? nearest(name, names) : undefined
  return new RpcError({
    method: LogsSubscription.open.name,
    network: "no network",
    outcome: "unsent",
    reason: new RpcReason.InvalidParams({
      said: `expected a subscription, "logs" or "slot", found ${shown}`,
      path: [],
      hint: meant === undefined ? undefined : `Use "${meant}" instead.`,
    }),
  })
}
