/** One block, by number or by hash, and all its receipts. */
import { type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { timesIn } from "../rows/blockSeconds.ts"
import { renderBlock } from "../rows/block.ts"
import { renderReceipts } from "../rows/receipts.ts"
import { Block } from "../schemas/Block.ts"
import { blockIssues, type BlockParameter } from "../schemas/BlockParameter.ts"
import { type BlockReference, referenceIssues } from "../schemas/BlockReference.ts"
import type { Hash } from "../schemas/Hex.ts"
import { type Receipt, Receipts } from "../schemas/Receipt.ts"
import { transactionsIn } from "./transactionsIn.ts"
import { at, blockAt, blockWords, evmMethod, hashAt, referenceAt, referenceWords, type Call } from "./evmMethod.ts"

/**
 * A block, or `null` when there is none. `full` asks for whole transactions instead of their hashes.
 *
 * @example
 * ```ts
 * const block = yield* Evm.getBlockByNumber("latest")
 * ```
 */
export const getBlockByNumber = (block: BlockParameter, full = false): Call<Block | null> =>
  RpcClient.call(GetBlockByNumber, [block, full])

/** The block with this hash, or `null` when the node does not know it. */
export const getBlockByHash = (hash: Hash, full = false): Call<Block | null> =>
  RpcClient.call(GetBlockByHash, [hash, full])

/**
 * The receipts of all transactions of a block, or `null` when there is no such block.
 *
 * @example
 * ```ts
 * const failed = (yield* Evm.getBlockReceipts("latest"))?.filter(({ status }) => status === "0x0")
 * ```
 */
export const getBlockReceipts = (block: BlockReference): Call<ReadonlyArray<Receipt> | null> =>
  RpcClient.call(GetBlockReceipts, [block])

const fullAt = at(Schema.Boolean, 1, "`true` for full transactions, `false` for their hashes")
const fullWords = ["full transactions", "`true`: transaction objects; `false`: their hashes"] as const
const hash = "0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6"

/** `eth_getBlockByNumber`: a block by its number, with transactions or their hashes. */
export const GetBlockByNumber = evmMethod({
  name: "eth_getBlockByNumber",
  summary: "A block by its number, with transactions or their hashes",
  returns: "Returns a block, `null` when there is none with this number. The pending block has no number and no hash.",
  takes: [["block", blockWords], fullWords],
  params: Schema.Tuple([blockAt(0), fullAt]),
  result: Schema.NullOr(Block),
  examples: [
    { title: "The newest block with the hashes of its transactions", params: ["latest", false] },
    { title: "Block 436 with full transactions", params: ["0x1b4", true] },
  ],
  check: ([block], network) => blockIssues(block, [0], network),
  permanence: ([asked], block) =>
    block === null || block.number === null || !asked.startsWith("0x")
      ? "changing"
      : { onceFinal: BigInt(block.number) },
  render: renderBlock,
  blockItems: transactionsIn,
  blockTimes: timesIn,
})

/** `eth_getBlockByHash`: a block by its hash, with transactions or their hashes. */
export const GetBlockByHash = evmMethod({
  name: "eth_getBlockByHash",
  summary: "A block by its hash, with transactions or their hashes",
  returns: "Returns a block, `null` when the node does not know the hash.",
  takes: [["block hash", "32 bytes"], fullWords],
  params: Schema.Tuple([hashAt(0, "the hash of the block"), fullAt]),
  result: Schema.NullOr(Block),
  examples: [
    { title: "A block with the hashes of its transactions", params: [hash, false] },
    { title: "A block with full transactions", params: [hash, true] },
  ],
  permanence: (_, block) => (block === null ? "changing" : "forever"),
  render: renderBlock,
  blockItems: transactionsIn,
  blockTimes: timesIn,
})

/** `eth_getBlockReceipts`: the receipts of all transactions of a block. */
export const GetBlockReceipts = evmMethod({
  name: "eth_getBlockReceipts",
  summary: "The receipts of all transactions of a block",
  returns: "Returns the receipts of a block in the order of its transactions, `null` when there is no such block.",
  takes: [["block", referenceWords]],
  params: Schema.Tuple([referenceAt(0)]),
  result: Schema.NullOr(Receipts),
  credits: 1_000,
  examples: [
    { title: "The newest block", params: ["latest"] },
    { title: "A block by its hash", params: [{ blockHash: hash }] },
  ],
  check: ([block], network) => referenceIssues(block, [0], network),
  permanence: ([asked], receipts) => {
    const number = receipts?.[0]?.blockNumber
    if (number === undefined || (typeof asked === "string" && !asked.startsWith("0x"))) return "changing"
    return { onceFinal: BigInt(number) }
  },
  render: renderReceipts,
  blockItems: transactionsIn,
})

export const blockMethods: ReadonlyArray<Method> = [GetBlockByNumber, GetBlockByHash, GetBlockReceipts]
