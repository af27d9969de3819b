/**
 * How shared calls to an endpoint ended: where the contract is missing, and how many calls were too many. A shared call that failed
 * as a whole is not made again in the same way.
 */
import type { MulticallGroup } from "@dotrpc/spec"

export interface MulticallMemory {
  /** The most calls that may go together; 1 where they go alone. */
  readonly mostOf: (group: MulticallGroup) => number
  /** The network has no such contract at the block of this group. */
  readonly missing: (group: MulticallGroup) => void
  /** A shared call of this many failed, and none of them is known to be the cause. */
  readonly failed: (calls: number) => void
}

export const makeMulticallMemory = (): MulticallMemory => {
  let most = Number.POSITIVE_INFINITY
  let isMissing = false
  let isMissingAtHashes = false
  /** The last block known to be without the contract; earlier blocks do not have it either. */
  let lastWithout = -1n
  return {
    mostOf: ({ block }) => {
      if (isMissing || (block === "hash" && isMissingAtHashes)) return 1
      return typeof block === "bigint" && block <= lastWithout ? 1 : most
    },
    missing: ({ block }) => {
      if (block === "tag") isMissing = true
      else if (block === "hash") isMissingAtHashes = true
      else if (block > lastWithout) lastWithout = block
    },
    failed: (calls) => {
      most = Math.max(1, Math.min(most, Math.floor(calls / 2)))
    },
  }
}
