/** `eth_getTransactionReceipt` (service §4.4). */
import { defineMethod, Price, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { classify } from "../classify.ts"
import { renderReceipt } from "../rows/receipt.ts"
import { Hash } from "../schemas/Hex.ts"
import { Receipt } from "../schemas/Receipt.ts"
import { blockReceipts } from "./blockReceipts.ts"
import { transactionsIn } from "./transactionsIn.ts"

/**
 * The outcome of a transaction, or `null` while it is pending or unknown.
 *
 * @example
 * ```ts
 * const receipt = yield* Evm.getTransactionReceipt(hash)
 * const succeeded = receipt?.status === "0x1"
 * ```
 */
export const getTransactionReceipt = (hash: Hash): Effect.Effect<Receipt | null, RpcError, RpcClient> =>
  RpcClient.call(GetTransactionReceipt, [hash])

const docs = `Returns the receipt of a transaction, or \`null\` when there is none: the transaction is pending or unknown.

| position | params | |
|---|---|---|
| 0 | transaction hash | 32 bytes |

A receipt has \`status\` (\`0x1\` success, \`0x0\` failure), or \`root\` if the block is older than Byzantium; some chains send both.
\`to\` is \`null\` when the transaction created the contract in \`contractAddress\`.

**Limits.** On networks that answer only the latest 128 blocks, older receipts are not available.

**Errors.** Invalid params: the hash is not 32 bytes of hex. Unsupported: the transaction is older than the network keeps.

**Together.** Receipts of transactions that earlier results show in one block may become one call of \`eth_getBlockReceipts\` where that
costs less; \`# @multicall off\` sends each by itself.

**Price.** Not published; assumed to be 80 credits.`

/** `eth_getTransactionReceipt`: what a transaction did. */
export const GetTransactionReceipt = defineMethod({
  plugin: "evm",
  name: "eth_getTransactionReceipt",
  summary: "The outcome of a transaction",
  docs,
  positions: ["transaction hash"],
  params: Schema.Tuple([
    Hash.annotateKey({
      messageMissingKey: "position 0 is missing: the hash of the transaction",
      description: "Hash of the transaction.",
    }),
  ]),
  result: Schema.NullOr(Receipt),
  price: Price.assumed(80),
  idempotent: true,
  examples: [
    {
      title: "The receipt of a transaction",
      params: ["0xbb3a336e3f823ec18197f1e13ee875700f08f03e2cab75f0d0b118dabb44cba0"],
    },
    {
      title: "No receipt: null, since no such transaction exists",
      params: ["0x0000000000000000000000000000000000000000000000000000000000000000"],
    },
  ],
  classify,
  permanence: (_, receipt) => (receipt === null ? "changing" : { onceFinal: BigInt(receipt.blockNumber) }),
  render: renderReceipt,
  blockPart: blockReceipts,
  blockItems: transactionsIn,
})
