/**
 * How calls for whole blocks ended at an endpoint, so that one which failed is not repeated without end.
 *
 * Invariant: of the calls that fail, at most two follow each other.
 */
import type { RpcError } from "@dotrpc/spec"

export interface WholeBlockMemory {
  /** Calls stay separate from now on. */
  readonly isOff: () => boolean
  /** A block was answered, with or without the parts that were asked for. */
  readonly answered: (hasParts: boolean) => void
  readonly failed: (error: RpcError) => void
}

export const makeWholeBlockMemory = (): WholeBlockMemory => {
  let failures = 0
  return {
    isOff: () => failures >= mostFailures,
    answered: (hasParts) => {
      // A block that is not part of the chain any more has none, which says little about the next block.
      failures = hasParts ? 0 : failures + 1
    },
    failed: ({ reason }) => {
      failures += isLasting(reason) ? mostFailures : 1
    },
  }
}

const mostFailures = 2

/** Whether the next block would fail as well: the method does not exist or is not allowed, or replies are too long. */
const isLasting = (reason: RpcError["reason"]): boolean => {
  switch (reason._tag) {
    case "AuthFailed":
    case "InvalidParams":
    case "PaymentRequired":
    case "ReplyTooLarge":
      return true
    case "Unsupported":
      return reason.lacks !== "history"
    default:
      return false
  }
}
