/**
 * What became of calls that went together to an endpoint: where the contract is missing, and how many were too many. Where a call
 * of several failed as such, it is not tried again in the same way.
 */
import type { MulticallGroup } from "@dotrpc/spec"

export interface MulticallMemory {
  /** The most calls that may go together; 1 where they go alone. */
  readonly mostOf: (group: MulticallGroup) => number
  /** The network has no such contract at the block of this group. */
  readonly missing: (group: MulticallGroup) => void
  /** So many calls failed together, which is not known to be the fault of any of them. */
  readonly failed: (calls: number) => void
}

export const makeMulticallMemory = (): MulticallMemory => {
  let most = Number.POSITIVE_INFINITY
  let isMissing = false
  let isMissingAtHashes = false
  /** A block without the contract, and so are those before it. */
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
