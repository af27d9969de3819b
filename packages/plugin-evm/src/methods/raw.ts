/** Blocks, transactions and receipts as the bytes that are hashed. */
import { type Json, type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { renderData, renderJson, renderList } from "../rows/values.ts"
import { type BlockReference, referenceIssues } from "../schemas/BlockReference.ts"
import { Data, type Hash } from "../schemas/Hex.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { evmMethod, hashAt, NoParams, referenceAt, referenceWords, type Call } from "./evmMethod.ts"

/** The header of a block in RLP. */
export const debugGetRawHeader = (block: BlockReference): Call<Data> => RpcClient.call(DebugGetRawHeader, [block])
/** A block in RLP. */
export const debugGetRawBlock = (block: BlockReference): Call<Data> => RpcClient.call(DebugGetRawBlock, [block])
/** A transaction as it was signed (EIP-2718). */
export const debugGetRawTransaction = (hash: Hash): Call<Data> => RpcClient.call(DebugGetRawTransaction, [hash])
/** The receipts of a block, each as it is hashed (EIP-2718). */
export const debugGetRawReceipts = (block: BlockReference): Call<ReadonlyArray<Data>> =>
  RpcClient.call(DebugGetRawReceipts, [block])
/** The access list of a block in RLP (EIP-7928). */
export const debugGetRawBlockAccessList = (block: BlockReference): Call<Data> =>
  RpcClient.call(DebugGetRawBlockAccessList, [block])
/** Blocks that the node has seen lately and refused. */
export const debugGetBadBlocks = (): Call<ReadonlyArray<Json.JsonObject>> => RpcClient.call(DebugGetBadBlocks, [])

const ofBlock = {
  takes: [["block", referenceWords] as const],
  params: Schema.Tuple([referenceAt(0)]),
  credits: 1_000,
  examples: [
    { title: "The newest block", params: ["latest"] as const },
    { title: "Block 436", params: ["0x1b4"] as const },
  ],
  check: ([block]: readonly [BlockReference], network: Parameters<typeof referenceIssues>[2]) =>
    referenceIssues(block, [0], network),
}

/** `debug_getRawHeader`: the header of a block in RLP. */
export const DebugGetRawHeader = evmMethod({
  ...ofBlock,
  name: "debug_getRawHeader",
  summary: "The header of a block in RLP",
  returns: "Returns the header of a block in RLP: its keccak-256 is the hash of the block.",
  result: Data,
  render: renderData,
})

/** `debug_getRawBlock`: a block in RLP. */
export const DebugGetRawBlock = evmMethod({
  ...ofBlock,
  name: "debug_getRawBlock",
  summary: "A block in RLP",
  returns: "Returns a block with its transactions in RLP.",
  result: Data,
  render: renderData,
})

/** `debug_getRawTransaction`: a transaction as it was signed. */
export const DebugGetRawTransaction = evmMethod({
  name: "debug_getRawTransaction",
  summary: "A transaction as it was signed",
  returns: "Returns the bytes of a signed transaction (EIP-2718): their keccak-256 is its hash.",
  takes: [["transaction hash", "32 bytes"]],
  params: Schema.Tuple([hashAt(0, "the hash of the transaction")]),
  result: Data,
  credits: 1_000,
  examples: [
    { title: "A transaction", params: ["0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"] },
  ],
  permanence: (_, bytes) => (bytes === "0x" ? "changing" : "forever"),
  render: renderData,
})

/** `debug_getRawReceipts`: the receipts of a block as they are hashed. */
export const DebugGetRawReceipts = evmMethod({
  ...ofBlock,
  name: "debug_getRawReceipts",
  summary: "The receipts of a block as they are hashed",
  returns: "Returns the receipts of a block, each in the bytes that stand in the receipts trie (EIP-2718).",
  result: Schema.Array(Data),
  render: renderList(["receipt", "receipts"]),
})

/** `debug_getRawBlockAccessList`: the access list of a block in RLP. */
export const DebugGetRawBlockAccessList = evmMethod({
  ...ofBlock,
  name: "debug_getRawBlockAccessList",
  summary: "The access list of a block in RLP",
  returns: "Returns what the transactions of a block used, in RLP (EIP-7928).",
  result: Data,
  render: renderData,
})

/** `debug_getBadBlocks`: blocks that the node refused. */
export const DebugGetBadBlocks = evmMethod({
  name: "debug_getBadBlocks",
  summary: "Blocks that the node refused",
  returns: "Returns the blocks that the node has seen lately and refused.",
  takes: [],
  params: NoParams,
  result: Schema.Array(OpaqueObject),
  credits: 1_000,
  examples: [{ title: "Now", params: [] }],
  render: renderJson,
})

export const rawMethods: ReadonlyArray<Method> = [
  DebugGetRawHeader,
  DebugGetRawBlock,
  DebugGetRawTransaction,
  DebugGetRawReceipts,
  DebugGetRawBlockAccessList,
  DebugGetBadBlocks,
]
