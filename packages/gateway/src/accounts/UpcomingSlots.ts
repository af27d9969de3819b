/**
 * Accounts whose latest blocks are still to come: each commitment goes on to its next block when the network grows. What an account was
 * before a transaction is read from the transaction.
 *
 * Invariant: nothing of a block, and nothing that its transactions changed, is answered before its turn.
 */
import type { AccountStore, Commitment, StoredAccount } from "./AccountStore.ts"
import type { Ledger, LedgerTransaction } from "./Ledger.ts"
import { type AccountRecord, memoryAccounts } from "./MemoryAccounts.ts"
import { withAmount } from "./tokenLayout.ts"

/** Accounts and what makes their network grow. */
export interface GrowingAccounts {
  readonly accounts: AccountStore
  /** Lets each commitment go on to its next block; `undefined` once there are no more. */
  readonly grow: () => NewSlots | undefined
}

/** The slots that the commitments reached, and the ledger that has their blocks. */
export interface NewSlots {
  readonly ledger: Ledger
  readonly slots: Readonly<Record<Commitment, number>>
}

/** Holds back the latest blocks of a ledger, as long as there is a finalized one. */
export const withUpcomingSlots = (whole: AccountStore, upcoming: number): GrowingAccounts => {
  const withBlock = slotsWithBlock(whole)
  const placeOf = (commitment: Commitment) => withBlock.indexOf(whole.slot(commitment))
  let held = Math.max(0, Math.min(upcoming, placeOf("finalized")))
  const slotOf = (commitment: Commitment) => withBlock[placeOf(commitment) - held] ?? whole.slot(commitment)
  const slotsNow = () => ({
    finalized: slotOf("finalized"),
    confirmed: slotOf("confirmed"),
    processed: slotOf("processed"),
  })
  let slots = slotsNow()
  const heldBack = withBlock
    .filter((slot) => slot > slots.finalized)
    .flatMap((slot) => whole.ledger.block(slot)?.transactions ?? [])
  const ledger: Ledger = {
    firstSlot: whole.ledger.firstSlot,
    block: (slot) => (slot <= slots.processed ? whole.ledger.block(slot) : undefined),
    transaction: (signature) => {
      const transaction = whole.ledger.transaction(signature)
      return transaction !== undefined && transaction.slot <= slots.processed ? transaction : undefined
    },
    transactionsOf: (pubkey) => whole.ledger.transactionsOf(pubkey).filter(({ slot }) => slot <= slots.processed),
    transactionCount: (slot) => whole.ledger.transactionCount(Math.min(slot, slots.processed)),
  }
  const moving: Readonly<Record<Commitment, number>> = {
    get finalized() {
      return slots.finalized
    },
    get confirmed() {
      return slots.confirmed
    },
    get processed() {
      return slots.processed
    },
  }
  return {
    accounts: memoryAccounts(recordsOf(whole, heldBack), moving, ledger),
    grow: () => {
      if (held === 0) return undefined
      held--
      slots = slotsNow()
      return { ledger, slots }
    },
  }
}

const slotsWithBlock = ({ ledger, slot: slotAt }: AccountStore): ReadonlyArray<number> => {
  const [first, last] = [ledger.firstSlot, slotAt("processed")]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (slot) => ledger.block(slot) !== undefined,
  )
}

/** The states of every account: those at the three commitments, and those before each transaction that was held back. */
const recordsOf = (whole: AccountStore, heldBack: ReadonlyArray<LedgerTransaction>): ReadonlyArray<AccountRecord> => {
  const changes = changesByKey(heldBack.filter(({ slot }) => slot <= whole.slot("finalized")))
  const settled = whole.accounts("finalized").flatMap((account) => statesBefore(account, changes.get(account.pubkey)))
  const recent = (["confirmed", "processed"] as const).flatMap((commitment) =>
    whole
      .accounts(commitment)
      .filter((account) => whole.account(account.pubkey, earlier[commitment]) !== account)
      .map((account) => ({ account, slot: whole.slot(commitment) })),
  )
  return [...settled, ...recent]
}

const earlier = { confirmed: "finalized", processed: "confirmed" } as const

/** A transaction and the place of an account among its keys. */
interface Change {
  readonly transaction: LedgerTransaction
  readonly index: number
}

/** In the order of the transactions. */
const changesByKey = (transactions: ReadonlyArray<LedgerTransaction>): ReadonlyMap<string, ReadonlyArray<Change>> => {
  const changes = new Map<string, Array<Change>>()
  for (const transaction of transactions)
    for (const [index, { pubkey }] of transaction.keys.entries()) {
      const known = changes.get(pubkey)
      if (known === undefined) changes.set(pubkey, [{ transaction, index }])
      else known.push({ transaction, index })
    }
  return changes
}

/** The states of an account in the order of time; the last is the one that it has after all changes. */
const statesBefore = (account: StoredAccount, changes: ReadonlyArray<Change> = []): ReadonlyArray<AccountRecord> => {
  const states: Array<AccountRecord> = []
  let after = account
  for (const { index, transaction } of changes.toReversed()) {
    states.push({ account: after, slot: transaction.slot })
    const token = transaction.tokens.find(({ accountIndex }) => accountIndex === index)
    // It was made here.
    if (token?.isNew === true) return states.toReversed()
    after = withBalances(after, transaction.before[index] ?? after.lamports, token?.before)
  }
  return [{ account: after, slot: 0 }, ...states.toReversed()]
}

const withBalances = (account: StoredAccount, lamports: bigint, amount: bigint | undefined): StoredAccount => ({
  ...account,
  lamports,
  data: amount === undefined ? account.data : withAmount(account.data, amount),
})
