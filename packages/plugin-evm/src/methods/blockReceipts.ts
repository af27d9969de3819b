/**
 * The receipt of a transaction as one of its block's.
 *
 * Limits: a block is asked for by its hash, and only as part of the chain (EIP-1898), so a transaction that moved to another block is
 * not found there and asked for alone. A node that does not know `requireCanonical` may answer with a block that was replaced.
 */
import { type BlockPart, Json } from "@dotrpc/spec"
import { GetBlockReceipts } from "./block.ts"
import { hashIn } from "./transactionsIn.ts"

export const blockReceipts: BlockPart = {
  whole: GetBlockReceipts,
  itemOf: (params) => (Json.isArray(params) ? hashIn(params[0]) : undefined),
  paramsOf: (blockHash) => [{ blockHash, requireCanonical: true }],
  partsOf: (result, block, items) => {
    const receipts = new Map<string, Json.Json>()
    if (Json.isArray(result))
      for (const receipt of result) {
        const hash =
          Json.isObject(receipt) && hashIn(receipt.blockHash) === block ? hashIn(receipt.transactionHash) : undefined
        if (hash !== undefined) receipts.set(hash, receipt)
      }
    return items.map((item) => receipts.get(item))
  },
}
