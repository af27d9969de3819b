/** An {@link EventStore} held in memory. */
import type { EventFilter, EventStore, PositionedEvent, StoredEvent } from "./EventStore.ts"
import { canonicalFelt } from "./Felt.ts"

/** A block's hash and its events, in order. */
export interface EventBlock {
  readonly hash: string
  readonly events: ReadonlyArray<StoredEvent>
}

/**
 * Holds events in memory.
 *
 * @param blocks from block 0 on, at least one.
 * @param pending the events of the block that is being built.
 * @throws RangeError when there is no block.
 */
export const memoryEvents = (blocks: ReadonlyArray<EventBlock>, pending: ReadonlyArray<StoredEvent>): EventStore => {
  if (blocks.length === 0) throw new RangeError("A network needs at least one block.")
  const numbers = new Map(blocks.map((block, number) => [canonicalFelt(block.hash), number]))
  const head = blocks.length - 1

  function* events(from: { blockNumber: number; index: number }, toBlock: number, filter: EventFilter = {}) {
    const matches = eventMatcher(filter)
    for (let blockNumber = Math.max(0, from.blockNumber); blockNumber <= Math.min(toBlock, head + 1); blockNumber++) {
      const blockEvents = blocks[blockNumber]?.events ?? pending
      for (const [index, event] of blockEvents.entries()) {
        if (blockNumber === from.blockNumber && index < from.index) continue
        if (matches(event)) yield { position: { blockNumber, index }, event } satisfies PositionedEvent
      }
    }
  }

  return {
    head,
    pending: head + 1,
    blockHash: (blockNumber) => blocks[blockNumber]?.hash,
    blockNumber: (blockHash) => numbers.get(canonicalFelt(blockHash)),
    events,
  }
}

/** Whether events pass a filter. */
const eventMatcher = ({ address, keys = [] }: EventFilter): ((event: StoredEvent) => boolean) => {
  const addresses = new Set([address ?? []].flat().map(canonicalFelt))
  const wantedKeys = keys.map((accepted) => new Set(accepted.map(canonicalFelt)))
  return (event) => {
    if (wantedKeys.length > event.keys.length) return false
    if (addresses.size > 0 && !addresses.has(canonicalFelt(event.from_address))) return false
    return wantedKeys.every((accepted, position) => {
      const key = event.keys[position]
      return key !== undefined && (accepted.size === 0 || accepted.has(canonicalFelt(key)))
    })
  }
}
