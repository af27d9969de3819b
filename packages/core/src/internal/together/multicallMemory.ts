/**
 * How shared calls to an endpoint ended: where the contract is missing, and how many calls were too many. A shared call that failed
 * as a whole is not made again in the same way.
 */
import type { MulticallGroup } from "@dotrpc/spec"

export interface MulticallMemory {
  /** The most calls that may go together; 1 where they go alone. */
  readonly mostOf: (group: MulticallGroup) => number
  /** Why calls go alone that might go together, in words. */
  readonly whyAlone: () => string | undefined
  /** The network has no such contract at the block of this group, in words. */
  readonly missing: (group: MulticallGroup, why: string) => void
  /** A shared call of this many failed, and none of them is known to be the cause; why, in words. */
  readonly failed: (calls: number, why: string) => void
}

export const makeMulticallMemory = (): MulticallMemory => {
  let most = Number.POSITIVE_INFINITY
  let isMissing = false
  let isMissingAtHashes = false
  /** The last block known to be without the contract; earlier blocks do not have it either. */
  let lastWithout = -1n
  let lastFailure: string | undefined
  return {
    whyAlone: () => lastFailure,
    mostOf: ({ block }) => {
      if (isMissing || (block === "hash" && isMissingAtHashes)) return 1
      return typeof block === "bigint" && block <= lastWithout ? 1 : most
    },
    missing: ({ block }, why) => {
      lastFailure = why
      if (block === "tag") isMissing = true
      else if (block === "hash") isMissingAtHashes = true
      else if (block > lastWithout) lastWithout = block
    },
    failed: (calls, why) => {
      lastFailure = why
      most = Math.max(1, Math.min(most, Math.floor(calls / 2)))
    },
  }
}
