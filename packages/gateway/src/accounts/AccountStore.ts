/**
 * What the methods of token accounts read: the accounts of an account-model network, as bytes, and its ledger.
 *
 * Accounts are kept the way a validator keeps them, as raw data owned by a program. Encoding and parsing belong to the
 * method. Lamports, epochs and slots that may pass 2^53 are bigints.
 */

import type { Ledger } from "./Ledger.ts"

/** How sure the cluster is of the slot that is read (service §4.5). */
export type Commitment = "finalized" | "confirmed" | "processed"

/** One account (service §2.5). */
export interface StoredAccount {
  /** Base58 address. */
  readonly pubkey: string
  readonly lamports: bigint
  /** Base58 key of the program that owns the account. */
  readonly owner: string
  /** Treat as read only: it is the stored copy. */
  readonly data: Uint8Array
  readonly executable: boolean
  /** The epoch in which rent is next due; 18446744073709551615 for a rent-exempt account. */
  readonly rentEpoch: bigint
  /** Size of `data` in bytes. */
  readonly space: number
}

/** Which accounts a query is about: those of one mint, or those owned by one token program. Keys are base58. */
export type TokenScope = { readonly mint: string } | { readonly programId: string }

/** The accounts of one network, read only. */
export interface AccountStore {
  /** The slot that a commitment reads. Invariant: finalized < confirmed < processed. */
  readonly slot: (commitment: Commitment) => number

  /** The account at a base58 address as seen at a commitment, `undefined` when there is none. */
  readonly account: (pubkey: string, commitment: Commitment) => StoredAccount | undefined

  /** Every account as seen at a commitment, ascending by address bytes. */
  readonly accounts: (commitment: Commitment) => ReadonlyArray<StoredAccount>

  /** The blocks and transactions that are kept. */
  readonly ledger: Ledger

  /**
   * Every token account whose delegate is the given base58 key, ascending by address bytes. The delegated amount and
   * the account's state do not matter: an approval of zero and a frozen account count.
   */
  readonly tokenAccountsByDelegate: (
    delegate: string,
    scope: TokenScope,
    commitment: Commitment,
  ) => ReadonlyArray<StoredAccount>
}
