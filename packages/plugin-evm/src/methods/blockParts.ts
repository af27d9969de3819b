/** Parts of a block by number or by hash: how many transactions, how many uncles, one uncle. */
import { type Json, type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { renderCount, renderJson } from "../rows/values.ts"
import { blockIssues, type BlockParameter } from "../schemas/BlockParameter.ts"
import { type BlockReference, referenceIssues } from "../schemas/BlockReference.ts"
import { type Hash, Quantity } from "../schemas/Hex.ts"
import { OpaqueObject, Opaque } from "../schemas/Opaque.ts"
import { blockAt, blockWords, evmMethod, hashAt, indexAt, referenceAt, referenceWords, type Call } from "./evmMethod.ts"

/** How many transactions a block has, `null` when there is no such block. */
export const getBlockTransactionCountByNumber = (block: BlockParameter): Call<Quantity | null> =>
  RpcClient.call(GetBlockTransactionCountByNumber, [block])
/** How many transactions the block with this hash has, `null` when the node does not know it. */
export const getBlockTransactionCountByHash = (hash: Hash): Call<Quantity | null> =>
  RpcClient.call(GetBlockTransactionCountByHash, [hash])
/** How many uncles a block has, `null` when there is no such block. */
export const getUncleCountByBlockNumber = (block: BlockParameter): Call<Quantity | null> =>
  RpcClient.call(GetUncleCountByBlockNumber, [block])
/** How many uncles the block with this hash has, `null` when the node does not know it. */
export const getUncleCountByBlockHash = (hash: Hash): Call<Quantity | null> =>
  RpcClient.call(GetUncleCountByBlockHash, [hash])
/** An uncle of a block, `null` when there is none. */
export const getUncleByBlockNumberAndIndex = (block: BlockParameter, index: Quantity): Call<Json.JsonObject | null> =>
  RpcClient.call(GetUncleByBlockNumberAndIndex, [block, index])
/** An uncle of the block with this hash, `null` when there is none. */
export const getUncleByBlockHashAndIndex = (hash: Hash, index: Quantity): Call<Json.JsonObject | null> =>
  RpcClient.call(GetUncleByBlockHashAndIndex, [hash, index])
/** Which accounts and positions the transactions of a block used (EIP-7928), `null` when there is no such block. */
export const getBlockAccessList = (block: BlockReference): Call<Json.Json> =>
  RpcClient.call(GetBlockAccessList, [block])

const hash = "0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6"
const uncle = Schema.NullOr(OpaqueObject)

const byNumber = {
  takes: [["block", blockWords] as const],
  params: Schema.Tuple([blockAt(0)]),
  result: Schema.NullOr(Quantity),
  credits: 150,
  examples: [
    { title: "The newest block", params: ["latest"] as const },
    { title: "Block 436", params: ["0x1b4"] as const },
  ],
  check: ([block]: readonly [BlockParameter], network: Parameters<typeof blockIssues>[2]) =>
    blockIssues(block, [0], network),
  permanence: ([block]: readonly [BlockParameter], count: Quantity | null) =>
    count === null || !block.startsWith("0x") ? ("changing" as const) : { onceFinal: BigInt(block) },
}

const byHash = {
  takes: [["block hash", "32 bytes"] as const],
  params: Schema.Tuple([hashAt(0, "the hash of the block")]),
  result: Schema.NullOr(Quantity),
  credits: 150,
  examples: [{ title: "A block", params: [hash] as const }],
  permanence: (_: readonly [Hash], count: Quantity | null) =>
    count === null ? ("changing" as const) : ("forever" as const),
}

/** `eth_getBlockTransactionCountByNumber`: how many transactions a block has. */
export const GetBlockTransactionCountByNumber = evmMethod({
  ...byNumber,
  name: "eth_getBlockTransactionCountByNumber",
  summary: "How many transactions a block has",
  returns: "Returns how many transactions a block has, `null` when there is no such block.",
  render: renderCount("transaction", "transactions"),
})

/** `eth_getBlockTransactionCountByHash`: how many transactions a block has, by its hash. */
export const GetBlockTransactionCountByHash = evmMethod({
  ...byHash,
  name: "eth_getBlockTransactionCountByHash",
  summary: "How many transactions a block has, by its hash",
  returns: "Returns how many transactions a block has, `null` when the node does not know the hash.",
  render: renderCount("transaction", "transactions"),
})

/** `eth_getUncleCountByBlockNumber`: how many uncles a block has. */
export const GetUncleCountByBlockNumber = evmMethod({
  ...byNumber,
  name: "eth_getUncleCountByBlockNumber",
  summary: "How many uncles a block has",
  returns: "Returns how many uncles a block has: none since proof of stake. `null` when there is no such block.",
  render: renderCount("uncle", "uncles"),
})

/** `eth_getUncleCountByBlockHash`: how many uncles a block has, by its hash. */
export const GetUncleCountByBlockHash = evmMethod({
  ...byHash,
  name: "eth_getUncleCountByBlockHash",
  summary: "How many uncles a block has, by its hash",
  returns:
    "Returns how many uncles a block has: none since proof of stake. `null` when the node does not know the hash.",
  render: renderCount("uncle", "uncles"),
})

/** `eth_getUncleByBlockNumberAndIndex`: an uncle of a block. */
export const GetUncleByBlockNumberAndIndex = evmMethod({
  name: "eth_getUncleByBlockNumberAndIndex",
  summary: "An uncle of a block",
  returns: "Returns the header of an uncle, `null` when there is none at this index.",
  takes: [
    ["block", blockWords],
    ["index", "position among the uncles, in hex"],
  ],
  params: Schema.Tuple([blockAt(0), indexAt(1, "the position among the uncles, in hex")]),
  result: uncle,
  credits: 150,
  examples: [{ title: "The first uncle of block 436", params: ["0x1b4", "0x0"] }],
  check: ([block], network) => blockIssues(block, [0], network),
  render: renderJson,
})

/** `eth_getUncleByBlockHashAndIndex`: an uncle of a block, by the block's hash. */
export const GetUncleByBlockHashAndIndex = evmMethod({
  name: "eth_getUncleByBlockHashAndIndex",
  summary: "An uncle of a block, by the block's hash",
  returns: "Returns the header of an uncle, `null` when there is none at this index.",
  takes: [
    ["block hash", "32 bytes"],
    ["index", "position among the uncles, in hex"],
  ],
  params: Schema.Tuple([hashAt(0, "the hash of the block"), indexAt(1, "the position among the uncles, in hex")]),
  result: uncle,
  credits: 150,
  examples: [{ title: "The first uncle of a block", params: [hash, "0x0"] }],
  permanence: (_, found) => (found === null ? "changing" : "forever"),
  render: renderJson,
})

/** `eth_getBlockAccessList`: the accounts and storage positions that a block used. */
export const GetBlockAccessList = evmMethod({
  name: "eth_getBlockAccessList",
  summary: "Which accounts and positions a block used",
  returns:
    "Returns for each account that the transactions of a block used what they read and how they changed it (EIP-7928), `null` when there is no such block.",
  takes: [["block", referenceWords]],
  params: Schema.Tuple([referenceAt(0)]),
  result: Opaque,
  examples: [{ title: "The newest block", params: ["latest"] }],
  check: ([block], network) => referenceIssues(block, [0], network),
  render: renderJson,
})

export const blockPartMethods: ReadonlyArray<Method> = [
  GetBlockTransactionCountByNumber,
  GetBlockTransactionCountByHash,
  GetUncleCountByBlockNumber,
  GetUncleCountByBlockHash,
  GetUncleByBlockNumberAndIndex,
  GetUncleByBlockHashAndIndex,
  GetBlockAccessList,
]
