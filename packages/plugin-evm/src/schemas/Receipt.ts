/** What became of a transaction (service §2.3). */
import { Schema } from "effect"
import { Bloom } from "./Block.ts"
import { Address, Hash, Quantity } from "./Hex.ts"
import { Log } from "./Log.ts"

const fields = Schema.Struct({
  transactionHash: Hash,
  transactionIndex: Quantity,
  blockHash: Hash,
  blockNumber: Quantity,
  from: Address,
  /** `null` when the transaction created a contract. */
  to: Schema.NullOr(Address),
  /** The created contract, or `null`. */
  contractAddress: Schema.NullOr(Address),
  /** `0x1` success, `0x0` failure. Since Byzantium. */
  status: Schema.optionalKey(Schema.NullOr(Quantity)),
  /** The state after the transaction, before Byzantium. */
  root: Schema.optionalKey(Schema.NullOr(Hash)),
  gasUsed: Quantity,
  /** Of the block up to and including this transaction. */
  cumulativeGasUsed: Quantity,
  /** In wei. Nodes older than London leave it out. */
  effectiveGasPrice: Schema.optionalKey(Quantity),
  /** Kind of transaction. Nodes older than Berlin leave it out. */
  type: Schema.optionalKey(Quantity),
  logs: Schema.Array(Log),
  logsBloom: Bloom,
  blobGasUsed: Schema.optionalKey(Schema.NullOr(Quantity)),
  blobGasPrice: Schema.optionalKey(Schema.NullOr(Quantity)),
})

/** A receipt, with exactly one of `status` and `root`; `null` counts as absent. */
export const Receipt = fields.check(
  Schema.makeFilter(({ root, status }: typeof fields.Type) => {
    const hasRoot = root !== undefined && root !== null
    const hasStatus = status !== undefined && status !== null
    if (hasRoot !== hasStatus) return undefined
    return `expected exactly one of "status" and "root" in a receipt, found ${hasRoot ? "both" : "neither"}`
  }),
)

export type Receipt = typeof Receipt.Type
