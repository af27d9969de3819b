/** An {@link AccountStore} held in memory. */
import { base58 } from "@scure/base"
import type { AccountStore, Commitment, StoredAccount } from "./AccountStore.ts"
import { hasDelegate, hasMint, isTokenAccount } from "./tokenLayout.ts"

/** An account, and from which slot on it is as it is. Before that slot it did not exist. */
export interface AccountRecord {
  readonly account: StoredAccount
  readonly slot: number
}

/**
 * Holds accounts in memory.
 *
 * @throws RangeError unless the slots ascend from finalized over confirmed to processed.
 */
export const memoryAccounts = (
  records: Iterable<AccountRecord>,
  slots: Readonly<Record<Commitment, number>>,
): AccountStore => {
  const { finalized, confirmed, processed } = slots
  if (!(finalized < confirmed && confirmed < processed)) {
    throw new RangeError(`Slots must ascend: finalized ${finalized}, confirmed ${confirmed}, processed ${processed}.`)
  }
  const ordered = [...records].toSorted((left, right) => compareKeys(left.account.pubkey, right.account.pubkey))
  const byAddress = new Map(ordered.map((record) => [record.account.pubkey, record]))

  return {
    slot: (commitment) => slots[commitment],
    account: (pubkey, commitment) => {
      const record = byAddress.get(pubkey)
      return record !== undefined && record.slot <= slots[commitment] ? record.account : undefined
    },
    tokenAccountsByDelegate: (delegate, scope, commitment) => {
      const key = base58.decode(delegate)
      const isInScope =
        "mint" in scope
          ? mintScope(base58.decode(scope.mint), byAddress.get(scope.mint)?.account.owner)
          : (account: StoredAccount) => account.owner === scope.programId
      return ordered
        .filter(({ account, slot }) => slot <= slots[commitment] && isInScope(account))
        .map(({ account }) => account)
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
