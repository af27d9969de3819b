/** The connection of a call, as the methods see it that open and end subscriptions. */
import type { Json, Subscription, SubscriptionId } from "@dotrpc/spec"
import type { NewSlots } from "../accounts/UpcomingSlots.ts"
import type { Block } from "../chain/ChainJson.ts"
import type { ChainStore } from "../chain/ChainStore.ts"

/** What a connection may have subscribed to. */
export interface Subscriber {
  /** The id of a new one, which begins once the caller has the id; or, in words, why there may not be one more. */
  readonly open: (wanted: Wanted) => { readonly id: SubscriptionId } | { readonly refused: string }
  /** Whether there was one with this id. */
  readonly end: (id: SubscriptionId) => boolean
}

/** A subscription that is asked for. */
export interface Wanted {
  readonly kind: Subscription
  /** What its id is: a random text, or the next number of its connection. */
  readonly ids: "texts" | "numbers"
  /** What it keeps in memory, in characters. */
  readonly size: number
  /** What its network brings it by growing. */
  readonly eventsIn: (added: Added) => Iterable<Json.Json>
}

/** What a network grew by. */
export type Added = NewBlock | NewSlots

/** A block that was added to an EVM chain, and the chain that has it now. */
export interface NewBlock {
  readonly chain: ChainStore
  readonly block: Block
}
