/**
 * `logsSubscribe`, `slotSubscribe` and the methods that end them, over a connection that events can be sent to. A slot brings them when
 * its commitment reaches it.
 */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json, type Network, showPath, type Subscription } from "@dotrpc/spec"
import { Effect } from "effect"
import type { Commitment } from "../../accounts/AccountStore.ts"
import type { LedgerTransaction } from "../../accounts/Ledger.ts"
import type { NewSlots } from "../../accounts/UpcomingSlots.ts"
import { type Fault, invalidParams, serverFault } from "../Fault.ts"
import { priced, type ServedMethod } from "../ServedMethod.ts"
import type { Wanted } from "../Subscriber.ts"

export const subscriptions = (network: Network): ReadonlyArray<ServedMethod> => [
  ...methodsOf(TokenAccounts.LogsSubscription, network, logsIn),
  ...methodsOf(TokenAccounts.SlotSubscription, network, () => slotIn),
]

/** What new slots bring. */
type EventsIn = (added: NewSlots) => ReadonlyArray<Json.Json>

const methodsOf = (
  kind: Subscription,
  network: Network,
  eventsOf: (params: ReadonlyArray<Json.Json>) => EventsIn,
): ReadonlyArray<ServedMethod> => [
  {
    ...priced(kind.open, network),
    call: (sent = [], subscriber) => {
      if (subscriber === undefined) return Effect.fail(notOverHttp)
      const [issue] = kind.open.issues(sent, network)
      if (issue !== undefined || !Json.isArray(sent))
        return Effect.fail(invalidParams(`invalid params: ${issue === undefined ? "not an array" : phrase(issue)}`))
      const events = eventsOf(sent)
      const wanted: Wanted = {
        kind,
        ids: "numbers",
        size: Json.stringify(sent).length,
        eventsIn: (added) => ("slots" in added ? events(added) : []),
      }
      const opened = subscriber.open(wanted)
      return "id" in opened ? Effect.succeed(opened.id) : Effect.fail(serverFault(opened.refused))
    },
  },
  {
    ...priced(kind.close, network),
    call: (sent = [], subscriber) => {
      if (subscriber === undefined) return Effect.fail(notOverHttp)
      const [id] = Json.isArray(sent) ? sent : []
      return typeof id === "number" && subscriber.end(id)
        ? Effect.succeed(true)
        : Effect.fail(invalidParams("Invalid subscription id."))
    },
  },
]

/** In the words of a node, and what to do. */
const notOverHttp: Fault = { code: -32601, message: "Method not found: connect by WebSocket" }

const phrase = ({ message, path }: { readonly message: string; readonly path: ReadonlyArray<string | number> }) =>
  `${showPath(path)}: ${message}`

/** The params have passed the schema. The sample data has no votes. */
const logsIn = (params: ReadonlyArray<Json.Json>): EventsIn => {
  const [filter, config] = params as readonly [TokenAccounts.LogsFilter, TokenAccounts.CommitmentConfig?]
  const commitment: Commitment = config?.commitment ?? "finalized"
  const passes = ({ keys }: LedgerTransaction) =>
    typeof filter === "string" || keys.some(({ pubkey }) => pubkey === filter.mentions[0])
  return ({ ledger, slots }) => {
    const slot = slots[commitment]
    const { transactions = [] } = ledger.block(slot) ?? {}
    return transactions.filter(passes).map(({ err, logs, signatures }) => ({
      context: { slot },
      value: { signature: signatures[0] ?? "", err, logs },
    }))
  }
}

const slotIn: EventsIn = ({ ledger, slots }) => [
  {
    parent: ledger.block(slots.processed)?.parentSlot ?? slots.confirmed,
    root: slots.finalized,
    slot: slots.processed,
  },
]
