/**
 * `eth_subscribe` and `eth_unsubscribe`: new heads, logs and pending transactions, over a connection that events can be sent to. A
 * block brings them when it becomes the head.
 */
import { Evm } from "@dotrpc/plugin-evm"
import { Json, showPath, type Subscription } from "@dotrpc/spec"
import { Effect } from "effect"
import type { Block } from "../../chain/ChainJson.ts"
import type { LogFilter } from "../../chain/LogFilter.ts"
import { type Fault, invalidParams, serverFault } from "../Fault.ts"
import { priced, type ServedMethod } from "../ServedMethod.ts"
import type { NewBlock, Wanted } from "../Subscriber.ts"
import type { EvmService } from "./EvmService.ts"
import { filterSizeFault } from "./nodeWords.ts"

export const subscriptions = (service: EvmService): ReadonlyArray<ServedMethod> => [
  {
    ...priced(Evm.NewHeads.open, service.network),
    call: (params, subscriber) => {
      if (subscriber === undefined) return Effect.fail(notOverHttp)
      const wanted = wantedBy(service, params ?? [])
      if ("fault" in wanted) return Effect.fail(wanted.fault)
      const opened = subscriber.open(wanted)
      return "id" in opened ? Effect.succeed(opened.id) : Effect.fail(serverFault(opened.refused))
    },
  },
  {
    ...priced(Evm.NewHeads.close, service.network),
    call: (params, subscriber) => {
      if (subscriber === undefined) return Effect.fail(notOverHttp)
      const id = Json.isArray(params ?? null) ? (params as ReadonlyArray<Json.Json>)[0] : undefined
      if (typeof id !== "string") return Effect.fail(invalidParams("missing value for required argument 0"))
      return subscriber.end(id) ? Effect.succeed(true) : Effect.fail(serverFault("subscription not found"))
    },
  },
]

/** In the words of a node. */
const notOverHttp: Fault = { code: -32001, message: "notifications not supported: connect by WebSocket" }

const wantedBy = (service: EvmService, params: Json.Json): Wanted | { readonly fault: Fault } => {
  const [name, ...rest] = Json.isArray(params) ? params : []
  const kind = typeof name === "string" ? kinds.get(name) : undefined
  if (kind === undefined) {
    const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : "unnamed"
    return { fault: { code: -32601, message: `no ${shown} subscription in eth namespace` } }
  }
  const isOfLogs = kind.open === Evm.LogsSubscription.open
  // Nodes take a subscription to logs without a filter for one to all logs.
  const filter = isOfLogs ? (rest[0] ?? {}) : undefined
  const tooLarge = filterSizeFault(filter, service.limits.filterParams)
  if (tooLarge !== undefined) return { fault: tooLarge }
  const [issue] = kind.open.issues(isOfLogs ? [name ?? null, filter ?? {}, ...rest.slice(1)] : params, service.network)
  if (issue !== undefined) return { fault: invalidParams(`invalid params: ${showPath(issue.path)}: ${issue.message}`) }
  // The schema has accepted the filter.
  const events = eventsOf(kind, filter as LogFilter)
  return {
    kind,
    ids: "texts",
    size: Json.stringify(filter ?? null).length,
    eventsIn: (added) => ("block" in added ? events(added) : []),
  }
}

const kinds: ReadonlyMap<string, Subscription> = new Map(
  [Evm.NewHeads, Evm.LogsSubscription, Evm.PendingTransactions].map((kind) => [kind.name, kind]),
)

const eventsOf = (kind: Subscription, filter: LogFilter): ((added: NewBlock) => Iterable<Json.Json>) => {
  switch (kind.name) {
    case Evm.NewHeads.name:
      return ({ block }) => [headOf(block)]
    case Evm.LogsSubscription.name:
      return ({ block: { number }, chain }) =>
        Array.from(chain.logs(Number(number), Number(number), filter), (log) => ({ ...log }))
    default:
      return ({ chain }) => chain.pendingBlock.transactions.map(({ hash }) => hash)
  }
}

const headOf = ({ size: _size, transactions: _transactions, uncles: _uncles, ...head }: Block): Json.Json => ({
  ...head,
})
