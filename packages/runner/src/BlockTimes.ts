/**
 * The times of blocks that results have shown. They are learned from what was read anyway, so they cost nothing.
 *
 * Invariant: a time is found by the hash of its block alone, on the endpoint that sent it; the memory has a fixed number of
 * entries, and none of them keeps a reply in memory.
 */
import { type BlockTime, type Network, recentMap } from "@dotrpc/spec"
import { unitsKey } from "./UnitsMemory.ts"

/** Times of blocks, in seconds since 1970, of each endpoint. */
export interface BlockTimes {
  readonly timeOf: (network: Network) => (hash: string) => bigint | undefined
  readonly see: (network: Network, times: Iterable<BlockTime>) => void
}

/**
 * Remembers so many blocks in total, as long as this process lives; it forgets the oldest first.
 *
 * @example
 * ```ts
 * const blockTimes = blockTimesOfProcess()
 * const events = run(plan, { blockTimes })
 * ```
 */
export const blockTimesOfProcess = (most = 20_000): BlockTimes => {
  const known = recentMap<bigint>(most)
  const placeOf = (network: Network) => unitsKey(network, "")
  return {
    timeOf: (network) => {
      const place = placeOf(network)
      return (hash) => known.get(place + hash.toLowerCase())
    },
    see: (network, times) => {
      const place = placeOf(network)
      let last: string | undefined
      let seen = 0
      for (const { block, seconds } of times) {
        if (block === last) continue
        last = block
        if (++seen > most) return
        // A part of a string keeps the whole of it in memory; this is a string of its own.
        known.set(place + block.toLowerCase(), seconds)
      }
    },
  }
}
