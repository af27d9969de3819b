/**
 * What `l2_getEvents` reads: the events of a layer-2 network, in order.
 *
 * Felts are compared as numbers, so leading zeros and the case of digits do not matter. Page size, tokens and error codes
 * belong to the method; the store gives positions to build tokens from.
 */

/** An event exactly as the service returns it (service §2.6). A pending event has no block. */
export interface StoredEvent {
  readonly block_hash?: string
  readonly block_number?: number
  readonly data: ReadonlyArray<string>
  readonly from_address: string
  readonly keys: ReadonlyArray<string>
  readonly transaction_hash: string
}

/**
 * What an event must match (service §4.6). `keys[i]` lists the accepted values of the event's key `i`; an empty list
 * accepts any value, but the event must have that many keys. It comes from one of the addresses, if there are any. Felts are `0x` strings; their shape is not checked here.
 */
export interface EventFilter {
  readonly address?: string | ReadonlyArray<string> | undefined
  readonly keys?: ReadonlyArray<ReadonlyArray<string>> | undefined
}

/** Where an event stands: the block's number and the event's index in the block. Pending events stand in block `head + 1`. */
export interface EventPosition {
  readonly blockNumber: number
  readonly index: number
}

/** An event and where it stands. */
export interface PositionedEvent {
  readonly position: EventPosition
  readonly event: StoredEvent
}

/** The events of one network, read only. */
export interface EventStore {
  /** Number of the newest block: what the tag `latest` stands for. The first block is 0. */
  readonly head: number
  /** The number under which pending events are found, `head + 1`: what the tag `pending` stands for. */
  readonly pending: number

  /** The hash of a block, `undefined` when there is no such block or it is pending. */
  readonly blockHash: (blockNumber: number) => string | undefined

  /** The number of the block with that hash, `undefined` when there is none. */
  readonly blockNumber: (blockHash: string) => number | undefined

  /**
   * The events from a position on, up to the end of block `toBlock`, that pass the filter, in order. The event at the
   * position itself is included. The events are found as they are asked for: a page reads one more than it returns, and
   * the position of that one is where the next page starts.
   */
  readonly events: (from: EventPosition, toBlock: number, filter?: EventFilter) => Iterable<PositionedEvent>
}
