/** The outcome of a transaction (service §2.3). */
import { Json, unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Bloom } from "./Block.ts"
import { Address, Hash, Quantity } from "./Hex.ts"
import { Log } from "./Log.ts"

const receiptStruct = Schema.Struct({
  transactionHash: Hash.annotateKey({ description: "The transaction." }),
  transactionIndex: unneeded(Quantity).annotateKey({ description: "Position of the transaction in its block." }),
  blockHash: Hash.annotateKey({ description: "Its block." }),
  blockNumber: Quantity.annotateKey({ description: "Number of its block." }),
  from: Address.annotateKey({ description: "The sender." }),
  to: unneeded(Address).annotateKey({
    description: "The receiver; `null` when the transaction created a contract.",
  }),
  contractAddress: unneeded(Address).annotateKey({ description: "The created contract, or `null`." }),
  status: unneeded(Quantity).annotateKey({
    description: "`0x1` success, `0x0` failure. Since Byzantium.",
  }),
  root: unneeded(Hash).annotateKey({
    description: "The state after the transaction, before Byzantium.",
  }),
  gasUsed: Quantity.annotateKey({ description: "Gas of this transaction alone." }),
  cumulativeGasUsed: unneeded(Quantity).annotateKey({
    description: "Gas of the block up to and including this transaction.",
  }),
  effectiveGasPrice: unneeded(Quantity).annotateKey({
    description: "What the sender paid per gas, in wei. Nodes older than London leave it out.",
  }),
  type: unneeded(Quantity).annotateKey({
    description:
      "Kind of transaction: 0 legacy, 1 access list, 2 dynamic fee, 3 blobs, 4 set code. Nodes older than Berlin leave it out.",
  }),
  logs: Schema.Array(Log).annotateKey({ description: "What the transaction made contracts emit, in order." }),
  logsBloom: unneeded(Bloom).annotateKey({ description: "Bloom filter of the logs." }),
  blobGasUsed: unneeded(Quantity).annotateKey({ description: "Gas of the blobs." }),
  blobGasPrice: unneeded(Quantity).annotateKey({ description: "Price of blob gas, in wei." }),
})

/** A receipt. Most have `status`, those from before Byzantium `root`, and some chains both. */
export type Receipt = { [Name in keyof typeof receiptStruct.Type]: (typeof receiptStruct.Type)[Name] }
export const Receipt = Schema.Opaque<Receipt>()(receiptStruct)

/** The receipts of a block: of two that say different things about one transaction, neither is believed. */
export const Receipts = Schema.Array(Receipt).check(
  Schema.makeFilter((receipts: ReadonlyArray<Receipt>) => {
    const known = new Map<string, Receipt>()
    for (const receipt of receipts) {
      const hash = receipt.transactionHash.toLowerCase()
      const other = known.get(hash)
      if (other !== undefined && Json.stringify(other as Json.Json) !== Json.stringify(receipt as Json.Json))
        return `expected one receipt for each transaction, found two different ones for ${hash}`
      known.set(hash, receipt)
    }
    return undefined
  }),
)
