/** Subscriptions for scripts: logs, new heads and pending transactions (`eth_subscribe`), over a WebSocket. */
import {
  defineSubscription,
  Json,
  nearest,
  Price,
  RpcError,
  RpcReason,
  type SubscribeOptions,
  type Subscription,
  Subscriptions,
  Table,
} from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { maxLogParams, maxTopics } from "./limits.ts"
import { hex } from "./convert.ts"
import { GetLogs } from "./methods/getLogs.ts"
import { renderHeads } from "./rows/heads.ts"
import { renderLogs } from "./rows/logs.ts"
import { Filter } from "./schemas/Filter.ts"
import { Block } from "./schemas/Block.ts"
import { Hash } from "./schemas/Hex.ts"
import { withUsualAddresses } from "./schemas/forms.ts"
import { Log } from "./schemas/Log.ts"
import { OpaqueObject } from "./schemas/Opaque.ts"
import { Transaction } from "./schemas/Transaction.ts"

const { address, topics } = Filter.fields
const logFilterStruct = Schema.Struct({ address, topics })

/** Which logs to subscribe to. A block cannot be named: the logs are those of blocks to come. */
export type LogFilter = { [Name in keyof typeof logFilterStruct.Type]: (typeof logFilterStruct.Type)[Name] }
export const LogFilter = Schema.Opaque<LogFilter>()(logFilterStruct)

const { transactions: _transactions, uncles: _uncles, size: _size, ...headFields } = Block.fields
const headStruct = Schema.Struct(headFields)

/** The head of a block: a block without its transactions, its uncles and its size. */
export type Head = { [Name in keyof typeof headStruct.Type]: (typeof headStruct.Type)[Name] }
export const Head = Schema.Opaque<Head>()(headStruct)

const common = {
  plugin: "evm",
  open: "eth_subscribe",
  close: "eth_unsubscribe",
  notification: "eth_subscription",
  price: Price.assumed(80),
  read: withUsualAddresses,
} as const

const text = (value: Json.Json | undefined): string => (typeof value === "string" ? value.toLowerCase() : "")

/** The first position of `eth_subscribe`. */
const named = <const Name extends string>(name: Name) =>
  Schema.Literal(name).annotateKey({
    messageMissingKey: "position 0 is missing: the name of the subscription",
    description: `\`"${name}"\`.`,
  })

/** The logs of new blocks that match a filter. Logs that a reorganization removes are emitted again with `removed: true`. */
export const LogsSubscription: Subscription<readonly ["logs", LogFilter], Log> = defineSubscription({
  ...common,
  name: "logs",
  summary: "The logs of new blocks that match a filter",
  docs: `Emits the logs of each new block that match the filter. Logs that a reorganization removes are emitted again with \`removed: true\`.

| position | params | |
|---|---|---|
| 0 | name | \`"logs"\` |
| 1 | filter | \`address\`, and up to ${maxTopics} \`topics\`, as of \`eth_getLogs\`; at most ${Table.groupDigits(maxLogParams)} addresses and topics |

**Price.** Not published; opening is assumed to be 80 credits.`,
  positions: ["name", "filter"],
  params: Schema.Tuple([
    named("logs"),
    LogFilter.annotateKey({
      messageMissingKey: "position 1 is missing: the filter, `{}` for all logs",
      description: "Which logs; `{}` for all.",
    }),
  ]),
  item: Log,
  render: renderLogs,
  refill: {
    method: GetLogs,
    paramsFrom: (params, block) => {
      const filter = Json.isArray(params) ? params[1] : undefined
      return [
        {
          ...(Json.isObject(filter ?? null) ? (filter as Json.JsonObject) : {}),
          fromBlock: hex(block),
          toBlock: "latest",
        },
      ]
    },
    keyOf: (log) =>
      Json.isObject(log) && log["blockHash"] !== null
        ? `${text(log["blockHash"])} ${text(log["logIndex"])}`
        : undefined,
  },
  examples: [
    { title: "The logs of a token", params: ["logs", { address: "0x5fbdb2315678afecb367f032d93f642f64180aa3" }] },
    { title: "All logs", params: ["logs", {}] },
  ],
  samples: [
    {
      title: "A log of a new block",
      item: {
        address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
        blockHash: `0x${"11".repeat(32)}`,
        blockNumber: "0x7",
        data: "0x",
        logIndex: "0x0",
        removed: false,
        topics: [`0x${"22".repeat(32)}`],
        transactionHash: `0x${"33".repeat(32)}`,
        transactionIndex: "0x0",
      },
    },
  ],
})

/** The head of each new block. After a reorganization the heads of the new blocks are emitted, even if their numbers were emitted before. */
export const NewHeads: Subscription<readonly ["newHeads"], Head> = defineSubscription({
  ...common,
  name: "newHeads",
  summary: "The head of each new block",
  docs: `Emits the head of each new block: a block without its transactions. After a reorganization it emits the heads of the new blocks.

| position | params | |
|---|---|---|
| 0 | name | \`"newHeads"\` |

**Price.** Not published; opening is assumed to be 80 credits.`,
  positions: ["name"],
  params: Schema.Tuple([named("newHeads")]),
  item: Head,
  render: renderHeads,
  examples: [{ title: "Every head", params: ["newHeads"] }],
  samples: [
    {
      title: "A new head",
      item: {
        number: "0x7",
        hash: `0x${"11".repeat(32)}`,
        parentHash: `0x${"12".repeat(32)}`,
        timestamp: "0x68d01b2a",
        miner: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
        gasLimit: "0x1c9c380",
        gasUsed: "0x0",
        extraData: "0x",
        logsBloom: `0x${"00".repeat(256)}`,
        nonce: "0x0000000000000000",
        mixHash: `0x${"13".repeat(32)}`,
        difficulty: "0x0",
        stateRoot: `0x${"14".repeat(32)}`,
        transactionsRoot: `0x${"15".repeat(32)}`,
        receiptsRoot: `0x${"16".repeat(32)}`,
        sha3Uncles: `0x${"17".repeat(32)}`,
        baseFeePerGas: "0x7",
      },
    },
  ],
})

/** The hash of each transaction that comes into the pool of the node, or the whole transaction where the second param is `true`. */
export const PendingTransactions: Subscription<readonly ["newPendingTransactions", boolean?], Hash | Transaction> =
  defineSubscription({
    ...common,
    name: "newPendingTransactions",
    summary: "Each transaction that comes into the pool, or its hash",
    docs: `Emits the hash of each transaction that comes into the pool of the node, or with \`true\` the transaction. Not every network offers it, and there may be very many.

| position | params | |
|---|---|---|
| 0 | name | \`"newPendingTransactions"\` |
| 1 | whole | \`true\` for whole transactions, which some nodes offer; \`false\` by default |

**Price.** Not published; opening is assumed to be 80 credits.`,
    positions: ["name", "whole"],
    params: Schema.Tuple([
      named("newPendingTransactions"),
      Schema.optionalKey(Schema.Boolean).annotateKey({
        description: "`true` for whole transactions, `false` for hashes.",
      }),
    ]),
    item: Schema.Union([Hash, Transaction]),
    examples: [
      { title: "Every pending transaction", params: ["newPendingTransactions"] },
      { title: "Every pending transaction in full", params: ["newPendingTransactions", true] },
    ],
    samples: [
      { title: "A hash", item: `0x${"11".repeat(32)}` as const },
      {
        title: "A transaction",
        item: {
          hash: `0x${"11".repeat(32)}`,
          from: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          to: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
          nonce: "0x1",
          value: "0x0",
          gas: "0x5208",
          input: "0x",
        },
      },
    ],
  })

/** Whether the node is reading the chain, and how far it has come: each time that this changes. */
export const SyncingChanges: Subscription<readonly ["syncing"], boolean | Json.JsonObject> = defineSubscription({
  ...common,
  name: "syncing",
  summary: "Whether the node is reading the chain, and how far it has come",
  docs: `Emits \`true\` or \`false\`, or an object with how far the node has come, each time that it begins or ends to read the chain.

| position | params | |
|---|---|---|
| 0 | name | \`"syncing"\` |

**Price.** Not published; opening is assumed to be 80 credits.`,
  positions: ["name"],
  params: Schema.Tuple([named("syncing")]),
  item: Schema.Union([Schema.Boolean, OpaqueObject]),
  examples: [{ title: "Each change", params: ["syncing"] }],
  samples: [
    { title: "It has come to the end", item: false },
    { title: "It is on the way", item: { syncing: true, status: { currentBlock: "0x2", highestBlock: "0x3" } } },
  ],
})

/** The subscriptions that {@link subscribe} opens. */
export interface Subscribe {
  (name: "logs", filter?: LogFilter, options?: SubscribeOptions): Stream.Stream<Log, RpcError, Subscriptions>
  (name: "newHeads", filter?: undefined, options?: SubscribeOptions): Stream.Stream<Head, RpcError, Subscriptions>
  (
    name: "newPendingTransactions",
    filter?: undefined,
    options?: SubscribeOptions,
  ): Stream.Stream<Hash, RpcError, Subscriptions>
  (
    name: "syncing",
    filter?: undefined,
    options?: SubscribeOptions,
  ): Stream.Stream<boolean | Json.JsonObject, RpcError, Subscriptions>
}

/**
 * The events of a subscription as they arrive over a WebSocket, until the stream is interrupted. If the connection breaks or the
 * reader is too slow, a warning is logged: `Subscriptions.events(Evm.NewHeads, ["newHeads"])` has a `Gap` there. With
 * `{ refill: true }`, logs that were missed are read by `eth_getLogs`, each once, and those that a reorganization took back meanwhile are
 * emitted again with `removed: true`; each such call is priced and limited like any other.
 *
 * Fails with `SubscriptionLost` when the connection breaks too often, and with a budget's own reason when the next event cannot
 * be paid.
 *
 * @example
 * ```ts
 * const threeHeads = Evm.subscribe("newHeads").pipe(
 *   Stream.take(3),
 *   Stream.runForEach((head) => Console.log(head.number)),
 * )
 * ```
 */
export const subscribe: Subscribe = ((
  name: "logs" | "newHeads" | "newPendingTransactions" | "syncing",
  filter: LogFilter = {},
  options?: SubscribeOptions,
) => {
  switch (name) {
    case "logs":
      return Subscriptions.subscribe(LogsSubscription, [name, filter], options)
    case "newHeads":
      return Subscriptions.subscribe(NewHeads, [name], options)
    case "newPendingTransactions":
      return Subscriptions.subscribe(PendingTransactions, [name], options)
    case "syncing":
      return Subscriptions.subscribe(SyncingChanges, [name], options)
    default:
      return Stream.fail(unknownSubscription(name))
  }
}) as Subscribe

const names = ["logs", "newHeads", "newPendingTransactions", "syncing"]

/** A script without types may name any other. */
const unknownSubscription = (name: unknown): RpcError => {
  const expected = names.map((known) => `"${known}"`).join(", ")
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 100)) : typeof name
  const meant = typeof name === "string" ? nearest(name, names) : undefined
  return new RpcError({
    method: LogsSubscription.open.name,
    network: "no network",
    outcome: "unsent",
    reason: new RpcReason.InvalidParams({
      said: `params[0]: expected one of ${expected}, found ${shown}`,
      path: [0],
      hint: meant === undefined ? undefined : `Use "${meant}" instead.`,
    }),
  })
}
