/** What the node's own errors mean for a read of this family. */
import { Json, RpcReason, type ServerFailure } from "@dotrpc/spec"

/** Answered before the node is reached, whatever the body says: the key, the balance and the rate. */
const gateStatuses = new Set([401, 402, 403, 429])

/** `undefined` leaves the error to the common rules. On this family -32005 is a node that is unhealthy, never a query that is too large. */
export const classify = (failure: ServerFailure): RpcReason.Reason | undefined => {
  if (failure.rpcCode === undefined || gateStatuses.has(failure.httpStatus)) return undefined
  const words = { said: failure.message, httpStatus: failure.httpStatus, rpcCode: failure.rpcCode }
  switch (failure.rpcCode) {
    // The node had the block and has removed it, or keeps no history of transactions at all.
    case -32001:
    case -32011:
      return new RpcReason.Unsupported({ ...words, lacks: "history" })
    // The node has no index of this program.
    case -32010:
      return new RpcReason.Unsupported(words)
    // The slot has no block and never will.
    case -32007:
    case -32009:
      return new RpcReason.NotFound({
        ...words,
        hint: "Slots count time, and some have no block: ask for another slot.",
      })
    // The slot is not reached yet, or its block is not complete.
    case -32004:
    case -32014:
      return new RpcReason.NodeBehind(words)
    case -32015:
      return new RpcReason.InvalidParams({
        ...words,
        hint: 'Ask with "maxSupportedTransactionVersion": 0, or the version that the message names.',
      })
    case -32005:
      return new RpcReason.NodeBehind(words)
    case -32016:
      return new RpcReason.NodeBehind({ ...words, said: failure.message + reachedSlot(failure.data) })
    case -32600:
      return /base ?58/i.test(failure.message)
        ? new RpcReason.InvalidParams({
            ...words,
            hint: 'Ask with "encoding": "base64" or "jsonParsed": base58 carries at most 128 bytes and a token account has at least 165.',
          })
        : undefined
    case -32602:
      return classifyParam(words)
    // Its archive does not answer at the moment.
    case -32019:
      return new RpcReason.Transport(words)
    default:
      return failure.rpcCode !== -32_601 && prunedWords.test(failure.message)
        ? new RpcReason.Unsupported({ ...words, lacks: "history" })
        : undefined
  }
}

/** For servers in front of nodes, which have codes of their own. */
const prunedWords = /\bcleaned up\b|\bfirst available block\b|\bprune[ds]?\b|\bhistory is not available\b/i

const classifyParam = (words: RpcReason.ServerWords): RpcReason.Reason | undefined => {
  if (/could not find (mint|account)/i.test(words.said)) return new RpcReason.NotFound(words)
  if (/not a token mint/i.test(words.said))
    return new RpcReason.InvalidParams({ ...words, hint: 'Give the address of a mint account as "mint".' })
  if (/unrecognized token program id/i.test(words.said))
    return new RpcReason.InvalidParams({
      ...words,
      hint: 'Give the id of a token program as "programId": TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA or TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb.',
    })
  return undefined
}

/** Nodes report the slot they have reached beside the message. */
const reachedSlot = (data: Json.Json | undefined): string => {
  const slot = Json.isObject(data) ? data.contextSlot : undefined
  return typeof slot === "number" || typeof slot === "bigint" ? ` (the node is at slot ${slot})` : ""
}
