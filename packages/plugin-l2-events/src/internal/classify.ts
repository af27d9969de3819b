/** What the node's own error codes mean. */
import { RpcReason, type ServerFailure } from "@dotrpc/spec"

/** Answered before the node is reached, whatever the body says: the key, the balance and the rate. */
const gateStatuses = new Set([401, 402, 403, 429])

/** Nodes that prune have no error code for it. */
const prunedWords =
  /\bprune[ds]?\b|\bmissing trie node\b|\bhistorical state\b|\bstate (?:is )?(?:not|no longer) available\b/i

/** `undefined` leaves the error to the common rules. */
export const classify = (failure: ServerFailure): RpcReason.Reason | undefined => {
  if (failure.rpcCode === undefined || gateStatuses.has(failure.httpStatus)) return undefined
  const words = { said: failure.message, httpStatus: failure.httpStatus, rpcCode: failure.rpcCode }
  switch (failure.rpcCode) {
    case 20:
    case 24:
    case 28:
    case 29:
    case 32:
      return new RpcReason.NotFound(words)
    // Proofs are kept of recent blocks only.
    case 42:
      return new RpcReason.Unsupported({ ...words, lacks: "history" })
    case 21:
      return new RpcReason.InvalidParams({
        ...words,
        hint: 'Give the selector of a function that the contract has: {{selector("balanceOf")}}.',
      })
    case 27:
      return new RpcReason.InvalidParams({ ...words, hint: "Ask l2_getBlockTransactionCount how many there are." })
    case 31:
      return new RpcReason.InvalidParams({
        ...words,
        hint: "Lower chunk_size: nodes answer at most 1,000 to 10,240 events per page.",
      })
    case 33:
      return new RpcReason.InvalidParams({
        ...words,
        hint: "Start again from the first page, without continuation_token; a token fits only the filter it came from.",
      })
    case 34:
      return new RpcReason.TooManyParams(words)
    default:
      return prunedWords.test(failure.message) && failure.rpcCode !== -32_602
        ? new RpcReason.Unsupported({ ...words, lacks: "history" })
        : undefined
  }
}
