/** An {@link AccountStore} held in memory. */
import { base58 } from "@scure/base"
import type { AccountStore, Commitment, StoredAccount } from "./AccountStore.ts"
import type { Ledger } from "./Ledger.ts"
import { memoryLedger } from "./MemoryLedger.ts"
import { hasDelegate, hasMint, isTokenAccount } from "./tokenLayout.ts"

/** An account, and from which slot on it is as it is. Before the first of its records it did not exist. */
export interface AccountRecord {
  readonly account: StoredAccount
  readonly slot: number
}

/**
 * Holds accounts in memory. An account that changes has a record for each of its states. Without a ledger there is one block
 * per slot, from the finalized one on, without transactions.
 *
 * @throws RangeError unless the slots ascend from finalized over confirmed to processed.
 */
export const memoryAccounts = (
  records: Iterable<AccountRecord>,
  slots: Readonly<Record<Commitment, number>>,
  ledger?: Ledger,
): AccountStore => {
  const { finalized, confirmed, processed } = slots
  if (!(finalized < confirmed && confirmed < processed)) {
    throw new RangeError(`Slots must ascend: finalized ${finalized}, confirmed ${confirmed}, processed ${processed}.`)
  }
  const byAddress = new Map<string, ReadonlyArray<AccountRecord>>()
  for (const record of records) {
    const { pubkey } = record.account
    const states = [...(byAddress.get(pubkey) ?? []), record]
    byAddress.set(
      pubkey,
      states.toSorted((left, right) => left.slot - right.slot),
    )
  }
  const ordered = [...byAddress].toSorted(([left], [right]) => compareKeys(left, right)).map(([, states]) => states)
  const seenAt = (states: ReadonlyArray<AccountRecord> | undefined, slot: number): StoredAccount | undefined =>
    states?.findLast((state) => state.slot <= slot)?.account
  const accounts = (commitment: Commitment) => ordered.flatMap((states) => seenAt(states, slots[commitment]) ?? [])
  const account = (pubkey: string, commitment: Commitment) => seenAt(byAddress.get(pubkey), slots[commitment])

  return {
    slot: (commitment) => slots[commitment],
    account,
    accounts,
    ledger: ledger ?? memoryLedger({ first: finalized, last: processed, isSkipped: () => false }, []),
    tokenAccountsByDelegate: (delegate, scope, commitment) => {
      const key = base58.decode(delegate)
      const isInScope =
        "mint" in scope
          ? mintScope(base58.decode(scope.mint), account(scope.mint, commitment)?.owner)
          : (found: StoredAccount) => found.owner === scope.programId
      return accounts(commitment)
        .filter(isInScope)
        .filter(({ data }) => isTokenAccount(data) && hasDelegate(data, key))
    },
  }
}

/** Accounts of a mint are owned by the program that owns the mint. */
const mintScope = (mint: Uint8Array, program: string | undefined) => (account: StoredAccount) =>
  account.owner === program && hasMint(account.data, mint)

/** The order of the bytes of two base58 keys. */
const compareKeys = (left: string, right: string): number => {
  const [leftBytes, rightBytes] = [base58.decode(left), base58.decode(right)]
  const position = leftBytes.findIndex((byte, index) => byte !== rightBytes[index])
  return position === -1 ? 0 : (leftBytes[position] ?? 0) - (rightBytes[position] ?? 0)
}
