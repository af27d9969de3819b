/** One transaction, by its hash or by its place in a block. */
import { type DecodeContext, type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { decodeInput, plainCall } from "../abi/decodeCall.ts"
import { renderTransaction } from "../rows/transaction.ts"
import { blockIssues, type BlockParameter } from "../schemas/BlockParameter.ts"
import type { Hash, Quantity } from "../schemas/Hex.ts"
import { Transaction } from "../schemas/Transaction.ts"
import { blockAt, blockWords, evmMethod, hashAt, indexAt, type Call } from "./evmMethod.ts"
import { transactionsIn } from "./transactionsIn.ts"

/**
 * A transaction, pending or in a block, or `null` when the node does not know it.
 *
 * @example
 * ```ts
 * const isPending = (yield* Evm.getTransactionByHash(hash))?.blockNumber === null
 * ```
 */
export const getTransactionByHash = (hash: Hash): Call<Transaction | null> =>
  RpcClient.call(GetTransactionByHash, [hash])
/** A transaction by its position in a block, `null` when there is none. */
export const getTransactionByBlockNumberAndIndex = (block: BlockParameter, index: Quantity): Call<Transaction | null> =>
  RpcClient.call(GetTransactionByBlockNumberAndIndex, [block, index])
/** A transaction by its position in the block with this hash, `null` when there is none. */
export const getTransactionByBlockHashAndIndex = (hash: Hash, index: Quantity): Call<Transaction | null> =>
  RpcClient.call(GetTransactionByBlockHashAndIndex, [hash, index])

const result = Schema.NullOr(Transaction)
const render = renderTransaction
/** What the transaction calls, by the ABI. */
const decode = (transaction: Transaction | null, { abi }: DecodeContext) =>
  plainCall(decodeInput(transaction?.input ?? "0x", abi))
const index = indexAt(1, "the position of the transaction in its block, in hex")
const indexWords = ["index", "position in the block, in hex"] as const

/** Until its block is final, a transaction may move to another one. */
const settled = (transaction: Transaction | null) =>
  transaction?.blockNumber === undefined || transaction.blockNumber === null
    ? ("changing" as const)
    : { onceFinal: BigInt(transaction.blockNumber) }

/** `eth_getTransactionByHash`: a transaction by its hash. */
export const GetTransactionByHash = evmMethod({
  name: "eth_getTransactionByHash",
  summary: "A transaction by its hash",
  returns: "Returns a transaction, pending or in a block; `null` when the node does not know it.",
  takes: [["transaction hash", "32 bytes"]],
  params: Schema.Tuple([hashAt(0, "the hash of the transaction")]),
  result,
  examples: [
    { title: "A transaction", params: ["0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"] },
    {
      title: "No transaction: null, since no such transaction exists",
      params: ["0x0000000000000000000000000000000000000000000000000000000000000000"],
    },
  ],
  permanence: (_, transaction) => settled(transaction),
  decode,
  render,
  blockItems: transactionsIn,
})

/** `eth_getTransactionByBlockNumberAndIndex`: a transaction by its position in a block. */
export const GetTransactionByBlockNumberAndIndex = evmMethod({
  name: "eth_getTransactionByBlockNumberAndIndex",
  summary: "A transaction by its position in a block",
  returns: "Returns the transaction at a position of a block, `null` when there is none.",
  takes: [["block", blockWords], indexWords],
  params: Schema.Tuple([blockAt(0), index]),
  result,
  credits: 150,
  examples: [{ title: "The first transaction of the newest block", params: ["latest", "0x0"] }],
  check: ([block], network) => blockIssues(block, [0], network),
  permanence: ([block], transaction) => (block.startsWith("0x") ? settled(transaction) : "changing"),
  decode,
  render,
  blockItems: transactionsIn,
})

/** `eth_getTransactionByBlockHashAndIndex`: a transaction by its position in a block, by the block's hash. */
export const GetTransactionByBlockHashAndIndex = evmMethod({
  name: "eth_getTransactionByBlockHashAndIndex",
  summary: "A transaction by its position in a block, by the block's hash",
  returns: "Returns the transaction at a position of a block, `null` when there is none.",
  takes: [["block hash", "32 bytes"], indexWords],
  params: Schema.Tuple([hashAt(0, "the hash of the block"), index]),
  result,
  credits: 150,
  examples: [
    {
      title: "The first transaction of a block",
      params: ["0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6", "0x0"],
    },
  ],
  permanence: (_, transaction) => (transaction === null ? "changing" : "forever"),
  decode,
  render,
  blockItems: transactionsIn,
})

export const transactionMethods: ReadonlyArray<Method> = [
  GetTransactionByHash,
  GetTransactionByBlockNumberAndIndex,
  GetTransactionByBlockHashAndIndex,
]
