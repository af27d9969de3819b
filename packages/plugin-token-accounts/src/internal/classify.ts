/** What the node's own errors mean for a read of this family, besides what all servers say. */
import { Json, refusals, type RpcReason, type ServerFailure } from "@dotrpc/spec"

/** On this family -32005 is a node that is unhealthy, never a query that is too large. */
export const classify = (failure: ServerFailure): RpcReason.Reason | undefined =>
  failure.rpcCode === -32016
    ? rows({ ...failure, message: failure.message + reachedSlot(failure.data) })
    : rows(failure)

const rows = refusals([
  // The node had the block and has removed it, or keeps no history of transactions at all.
  { reason: "Unsupported", lacks: "history", codes: [-32001, -32011] },
  // The node has no index of this program.
  { reason: "Unsupported", codes: [-32010] },
  // The slot has no block and never will.
  {
    reason: "NotFound",
    codes: [-32007, -32009],
    hint: "Slots count time, and some have no block: ask for another slot.",
  },
  // The slot is not reached yet, its block is not complete, or the node is unhealthy.
  { reason: "NodeBehind", codes: [-32004, -32014, -32005, -32016] },
  {
    reason: "InvalidParams",
    codes: [-32015],
    hint: 'Ask with "maxSupportedTransactionVersion": 0, or the version that the message names.',
  },
  {
    reason: "InvalidParams",
    codes: [-32600],
    words: [/base ?58/i],
    hint: 'Ask with "encoding": "base64" or "jsonParsed": base58 carries at most 128 bytes and a token account has at least 165.',
  },
  { reason: "NotFound", codes: [-32602], words: [/could not find (mint|account)/i] },
  {
    reason: "InvalidParams",
    codes: [-32602],
    words: [/not a token mint/i],
    hint: 'Give the address of a mint account as "mint".',
  },
  {
    reason: "InvalidParams",
    codes: [-32602],
    words: [/unrecognized token program id/i],
    hint: 'Give the id of a token program as "programId": TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA or TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb.',
  },
  // Its archive does not answer at the moment.
  { reason: "Transport", codes: [-32019] },
])

/** Nodes report the slot they have reached beside the message. */
const reachedSlot = (data: Json.Json | undefined): string => {
  const slot = Json.isObject(data) ? data.contextSlot : undefined
  return typeof slot === "number" || typeof slot === "bigint" ? ` (the node is at slot ${slot})` : ""
}
