/** Which blocks transactions are in, by any result that says so. */
import { type BlockItem, Json } from "@dotrpc/spec"

/** The transactions of blocks, transactions, receipts and logs that are in a block. */
export function* transactionsIn(result: Json.Json): Generator<BlockItem> {
  for (const entry of Json.isArray(result) ? result : [result]) {
    if (!Json.isObject(entry) || entry.removed === true) continue
    const { transactions } = entry
    const block = hashIn(Json.isArray(transactions) ? entry.hash : entry.blockHash)
    if (block === undefined) continue
    const found = Json.isArray(transactions) ? transactions : [entry.transactionHash ?? entry.hash]
    for (const transaction of found) {
      const item = hashIn(Json.isObject(transaction) ? transaction.hash : transaction)
      if (item !== undefined) yield { item, block }
    }
  }
}

/** A hash in lower case. */
export const hashIn = (value: Json.Json | undefined): string | undefined =>
  typeof value === "string" && value.length === 66 && /^0x[\da-f]+$/i.test(value) ? value.toLowerCase() : undefined
