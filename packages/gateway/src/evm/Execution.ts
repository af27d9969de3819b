/** What runs in an EVM, and its outcome. Without the library that runs it, which is loaded when it is first needed. */
import type { Hex } from "../chain/ChainJson.ts"

/** A transaction, signed or not, as the machine runs it. */
export interface Message {
  readonly from: Hex
  /** Null to create a contract. */
  readonly to: Hex | null
  readonly input: Hex
  readonly value: bigint
  /** The most gas it uses, with what it costs to send it. */
  readonly gas: bigint
  /** Wei per gas: what the code sees, and what the sender pays. */
  readonly gasPrice: bigint
  readonly accessList: ReadonlyArray<{ readonly address: Hex; readonly storageKeys: ReadonlyArray<Hex> }>
  readonly blobHashes: ReadonlyArray<Hex>
}

/** The block that the code sees. */
export interface BlockContext {
  readonly number: bigint
  readonly timestamp: bigint
  readonly gasLimit: bigint
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  readonly difficulty: bigint
  readonly feeRecipient: Hex
  readonly prevRandao: Hex
}

/** The state that a machine starts from. */
export interface BaseState {
  /** `code` is `undefined` where nobody knows it. */
  readonly account: (address: Hex) => {
    readonly balance: bigint
    readonly nonce: number
    readonly code: Hex | undefined
  }
  readonly storage: (address: Hex, slot: bigint) => Hex
  /** The hash of an earlier block. */
  readonly blockHash: (number: number) => Hex | undefined
}

/** A log as a contract emits it. */
export interface EmittedLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

/** The outcome of a message. */
export interface Outcome {
  /** With the price of sending it, less what is refunded. */
  readonly gasUsed: bigint
  /** What is refunded, and not part of `gasUsed`. */
  readonly refunded: bigint
  /** What was returned, also by a revert; of a creation the new code. */
  readonly returned: Hex
  /** Why it failed, in the words of a node; `undefined` when it did not. */
  readonly failure: string | undefined
  readonly logs: ReadonlyArray<EmittedLog>
  readonly created: Hex | undefined
  /** Accounts and positions that it used, with those that its message lists. */
  readonly used: ReadonlyMap<Hex, ReadonlySet<Hex>>
}

/** The failure of a message that reverted. */
export const REVERTED = "execution reverted"

/** A run that was given up, or that cannot be right: its message is for the caller. */
export class RunRefused extends Error {
  override readonly name = "RunRefused"
}
