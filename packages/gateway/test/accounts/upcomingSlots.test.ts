/** Accounts whose latest blocks are still to come. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { describe, expect, it } from "vitest"
import type { AccountStore } from "../../src/accounts/AccountStore.ts"
import { memoryAccounts } from "../../src/accounts/MemoryAccounts.ts"
import { withUpcomingSlots } from "../../src/accounts/UpcomingSlots.ts"
import { generateAccounts } from "../../src/index.ts"

const whole = generateAccounts({ seed: 1 })
const commitments = ["finalized", "confirmed", "processed"] as const
const slotsOf = (accounts: AccountStore) => commitments.map((commitment) => accounts.slot(commitment))
const allOf = (accounts: AccountStore) => commitments.map((commitment) => accounts.accounts(commitment))

describe("accounts with upcoming blocks", () => {
  it("have the balances that the transactions of each block left", () => {
    const { accounts, grow } = withUpcomingSlots(whole, 1_000)
    let seen = 0
    for (let added = grow(); added !== undefined; added = grow()) {
      for (const commitment of commitments) {
        const { transactions = [] } = added.ledger.block(added.slots[commitment]) ?? {}
        const lamports = new Map<string, bigint>()
        const amounts = new Map<string, bigint>()
        for (const { after, keys, tokens } of transactions) {
          for (const [index, { pubkey }] of keys.entries()) lamports.set(pubkey, after[index] ?? 0n)
          for (const token of tokens) amounts.set(keys[token.accountIndex]?.pubkey ?? "", token.after)
        }
        for (const [pubkey, amount] of lamports) {
          const account = accounts.account(pubkey, commitment)
          if (account === undefined) continue
          seen++
          expect(account.lamports).toBe(amount)
        }
        for (const [pubkey, amount] of amounts) {
          const data = accounts.account(pubkey, commitment)?.data ?? new Uint8Array()
          expect(TokenAccounts.decodeAccount(data).parsed.info.tokenAmount.amount).toBe(String(amount))
        }
      }
    }
    expect(seen).toBeGreaterThan(300)
  })

  it("are all of them in the end", () => {
    const { accounts, grow } = withUpcomingSlots(whole, 20)
    expect(allOf(accounts)).not.toEqual(allOf(whole))
    for (let count = 0; count < 20; count++) expect(grow()).toBeDefined()
    expect(grow()).toBeUndefined()
    expect(slotsOf(accounts)).toEqual(slotsOf(whole))
    expect(allOf(accounts)).toEqual(allOf(whole))
  })

  it("answer nothing of a block before its turn", () => {
    const { accounts, grow } = withUpcomingSlots(whole, 40)
    const { ledger } = accounts
    const later = whole.slot("processed")
    const [transaction] = whole.ledger.block(later)?.transactions ?? []
    const signature = transaction?.signatures[0] ?? ""
    const made = transaction?.keys[1]?.pubkey ?? ""
    const known = () => [
      ledger.block(later),
      ledger.transaction(signature),
      ledger.transactionsOf(made)[0],
      accounts.account(made, "processed"),
    ]
    expect(known()).toEqual([undefined, undefined, undefined, undefined])
    expect(ledger.transactionCount(later)).toBeLessThan(whole.ledger.transactionCount(later))
    while (grow() !== undefined);
    expect(known()).toEqual([whole.ledger.block(later), transaction, transaction, whole.account(made, "processed")])
    expect(ledger.transactionCount(later)).toBe(whole.ledger.transactionCount(later))
  })

  it("always have a block at each commitment, in their order", () => {
    const { accounts, grow } = withUpcomingSlots(whole, 1_000)
    do {
      const [finalized = 0, confirmed = 0, processed = 0] = slotsOf(accounts)
      expect([finalized < confirmed, confirmed < processed]).toEqual([true, true])
      for (const slot of [finalized, confirmed, processed]) expect(accounts.ledger.block(slot)?.slot).toBe(slot)
    } while (grow() !== undefined)
  })

  it("without a ledger have none to come", () => {
    const alone = memoryAccounts([], { finalized: 7, confirmed: 8, processed: 9 })
    const { accounts, grow } = withUpcomingSlots(alone, 5)
    expect(slotsOf(accounts)).toEqual([7, 8, 9])
    expect(grow()).toBeUndefined()
  })
})
