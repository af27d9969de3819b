/**
 * In which block an item, such as a transaction, was last seen. It is learned from results that were read anyway, so it costs nothing.
 *
 * Invariant: it has a fixed number of entries, and none of them keeps a reply in memory.
 */
import * as Context from "effect/Context"
import { type BlockItem, type Network, recentMap } from "@dotrpc/spec"
import { endpointOf } from "./internal/endpoint.ts"

/** Blocks by item, of each endpoint. */
export interface SeenBlocks {
  /** The hash of the block that an item was last seen in. */
  readonly blockOf: (network: Network, item: string) => string | undefined
  readonly see: (network: Network, items: Iterable<BlockItem>) => void
  /** The item is not in the block in which it was seen. */
  readonly forget: (network: Network, item: string) => void
}

/** A memory of this many items in total, the oldest of which it forgets first. */
export const make = (most = 5_000): SeenBlocks => {
  const blocks = recentMap<string>(most)
  const placeOf = (network: Network) => `${endpointOf(network)}\n${network.id}\n`
  return {
    blockOf: (network, item) => blocks.get(placeOf(network) + item),
    see: (network, items) => {
      const place = placeOf(network)
      let last: BlockItem | undefined
      let block = ""
      let seen = 0
      for (const next of items) {
        if (next.item === last?.item && next.block === last.block) continue
        if (++seen > most) return
        if (next.block !== last?.block) block = ownCopy(next.block)
        last = next
        blocks.set(ownCopy(place + next.item), block)
      }
    },
    forget: (network, item) => blocks.delete(placeOf(network) + item),
  }
}

/** The memory of the calls of an effect, in which whole blocks are looked for; without it each `WholeBlock` has its own. */
export const Current = Context.Reference<SeenBlocks | undefined>("@dotrpc/core/SeenBlocks", {
  defaultValue: () => undefined,
})

/** A part of a string keeps the whole of it in memory; a copy does not. */
const ownCopy = (text: string): string => ` ${text}`.slice(1)
