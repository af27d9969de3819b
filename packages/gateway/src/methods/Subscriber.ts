/** The connection of a call, as the methods see it that open and end subscriptions. */
import type { Json, Subscription } from "@dotrpc/spec"
import type { Block } from "../chain/ChainJson.ts"
import type { ChainStore } from "../chain/ChainStore.ts"

/** What a connection may have subscribed to. */
export interface Subscriber {
  /** The id of a new one, which begins once the caller has the id; or, in words, why there may not be one more. */
  readonly open: (wanted: Wanted) => { readonly id: string } | { readonly refused: string }
  /** Whether there was one with this id. */
  readonly end: (id: string) => boolean
}

/** A subscription that is asked for. */
export interface Wanted {
  readonly kind: Subscription
  /** What it keeps in memory, in characters. */
  readonly size: number
  /** What a new block brings it; the chain has that block already. */
  readonly eventsIn: (chain: ChainStore, block: Block) => Iterable<Json.Json>
}
