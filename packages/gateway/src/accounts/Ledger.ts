/**
 * The blocks and transactions of an account-model network that a node still has.
 *
 * Slots count time: some have no block. A transaction stands in exactly one block, and its balances before and after it
 * agree with those of the transactions around it.
 */
import type { Json } from "@dotrpc/spec"

/** One block. */
export interface LedgerBlock {
  readonly slot: number
  /** How many blocks came before it. */
  readonly height: number
  /** Base58. */
  readonly blockhash: string
  readonly parentSlot: number
  readonly previousBlockhash: string
  /** Seconds since 1970. */
  readonly time: number
  readonly transactions: ReadonlyArray<LedgerTransaction>
}

/** A key of a transaction, in the order of its message. */
export interface LedgerKey {
  /** Base58. */
  readonly pubkey: string
  readonly signer: boolean
  readonly writable: boolean
}

/** One instruction, as bytes and as a node parses it. */
export interface LedgerInstruction {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: Uint8Array
  readonly program: string
  readonly parsed: Json.Json
}

/** The amount in a token account of a transaction. */
export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly decimals: number
  readonly before: bigint
  readonly after: bigint
  /** Whether the account is made by the transaction, so that there is nothing before it. */
  readonly isNew: boolean
}

/** One transaction, in the block that it stands in. */
export interface LedgerTransaction {
  readonly slot: number
  /** Base58; the first names the transaction. */
  readonly signatures: ReadonlyArray<string>
  readonly keys: ReadonlyArray<LedgerKey>
  readonly recentBlockhash: string
  readonly instructions: ReadonlyArray<LedgerInstruction>
  /** The whole transaction as it was sent. */
  readonly bytes: Uint8Array
  readonly fee: bigint
  /** Why it failed; null when it did not. */
  readonly err: Json.Json
  readonly logs: ReadonlyArray<string>
  readonly memo: string | null
  /** Lamports of each key. */
  readonly before: ReadonlyArray<bigint>
  readonly after: ReadonlyArray<bigint>
  readonly tokens: ReadonlyArray<TokenBalance>
}

/** The blocks, transactions and accounts that a node of an account-model network still has. */
export interface Ledger {
  /** The oldest slot that the node still has. */
  readonly firstSlot: number
  /** The block of a slot; `undefined` when the slot has none, or is not kept or reached. */
  readonly block: (slot: number) => LedgerBlock | undefined
  /** A transaction by its first signature. */
  readonly transaction: (signature: string) => LedgerTransaction | undefined
  /** Transactions that name a key, the newest first. */
  readonly transactionsOf: (pubkey: string) => ReadonlyArray<LedgerTransaction>
  /** Transactions since genesis, up to and including a slot. */
  readonly transactionCount: (slot: number) => number
}
