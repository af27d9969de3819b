/**
 * The JSON values of an EVM network exactly as the service returns them (service §2.1 to §2.4).
 *
 * Quantities are hex without leading zeros, hashes 32 bytes, addresses 20 bytes, everything lower-case. Values read from
 * a chain file may carry members that are not named here; they are kept and returned.
 */

/** A `0x` string: a quantity or bytes, as the member's description says. */
export type Hex = `0x${string}`

/** A transaction in full, as it stands in a block (service §2.1, transaction details flag true). */
export interface Transaction {
  readonly hash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly transactionIndex: Hex
  readonly type: Hex
  readonly chainId?: Hex
  readonly nonce: Hex
  readonly from: Hex
  /** Null for a contract creation. */
  readonly to: Hex | null
  readonly value: Hex
  readonly gas: Hex
  /** The price offered by a legacy transaction, the price paid by an EIP-1559 one. */
  readonly gasPrice: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly accessList?: ReadonlyArray<{ readonly address: Hex; readonly storageKeys: ReadonlyArray<Hex> }>
  readonly input: Hex
  readonly v: Hex
  readonly r: Hex
  readonly s: Hex
  readonly yParity?: Hex
}

/** A transaction that no block contains yet: its place is null. */
export interface PendingTransaction extends Omit<Transaction, "blockHash" | "blockNumber" | "transactionIndex"> {
  readonly blockHash: null
  readonly blockNumber: null
  readonly transactionIndex: null
}

/** The members of a block that a pending block has too. */
export interface BlockBody {
  readonly difficulty: Hex
  readonly extraData: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly miner: Hex
  readonly mixHash: Hex
  readonly parentHash: Hex
  readonly receiptsRoot: Hex
  readonly sha3Uncles: Hex
  readonly size: Hex
  readonly stateRoot: Hex
  readonly timestamp: Hex
  readonly totalDifficulty: Hex
  readonly transactionsRoot: Hex
  readonly uncles: ReadonlyArray<Hex>
  /** Wei per gas, from the London upgrade on. */
  readonly baseFeePerGas?: Hex
}

/** A block with its transactions in full (service §2.1). */
export interface Block extends BlockBody {
  readonly hash: Hex
  readonly logsBloom: Hex
  readonly nonce: Hex
  readonly number: Hex
  readonly transactions: ReadonlyArray<Transaction>
}

/** The block being built on the head: what is not known yet is null (service §2.1). */
export interface PendingBlock extends BlockBody {
  readonly hash: null
  readonly logsBloom: null
  readonly nonce: null
  readonly number: null
  readonly transactions: ReadonlyArray<PendingTransaction>
}

/** A log in its place in the chain (service §2.2). */
export interface Log {
  readonly removed: boolean
  /** Position in the block, over all its transactions. */
  readonly logIndex: Hex
  readonly transactionIndex: Hex
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly address: Hex
  readonly data: Hex
  /** Zero to four topics; an anonymous event has none of its own. */
  readonly topics: ReadonlyArray<Hex>
}

/** A transaction receipt (service §2.3). Invariant: exactly one of `root` and `status` is present. */
export interface Receipt {
  readonly blockHash: Hex
  readonly blockNumber: Hex
  /** The created contract's address, null unless the transaction was a contract creation. */
  readonly contractAddress: Hex | null
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly from: Hex
  readonly gasUsed: Hex
  readonly logs: ReadonlyArray<Log>
  readonly logsBloom: Hex
  /** State root after the transaction: blocks before Byzantium only. */
  readonly root?: Hex
  /** `0x1` success, `0x0` failure: blocks from Byzantium on. */
  readonly status?: Hex
  readonly to: Hex | null
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly type: Hex
}

/** What a block wrote to storage: address to slot to value, 32 bytes each. */
export type StorageWrites = Readonly<Record<Hex, Readonly<Record<Hex, Hex>>>>

/** One block with everything that belongs to it: a line of a chain file. */
export interface ChainEntry {
  readonly block: Block
  /** In the order of the block's transactions. */
  readonly receipts: ReadonlyArray<Receipt>
  /** The state after the block, of the slots that changed. */
  readonly storage?: StorageWrites
}
