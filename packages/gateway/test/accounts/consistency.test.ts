/** What the network of token accounts answers agrees with itself, for every seed. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { base58 } from "@scure/base"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Commitment, generateAccounts, sampleMints } from "../../src/index.ts"

const law = (name: string, check: (accounts: ReturnType<typeof generateAccounts>, commitment: Commitment) => void) =>
  it(name, () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom<Commitment>("finalized", "confirmed", "processed"),
        (seed, commitment) => check(generateAccounts({ seed }), commitment),
      ),
      { numRuns: 8 },
    ),
  )

describe("accounts", () => {
  law("a supply is the sum of the token accounts, with the fees that are withheld in them", (accounts, commitment) => {
    for (const mint of Object.values(sampleMints)) {
      const data = accounts.account(mint, commitment)?.data ?? new Uint8Array()
      const supply = BigInt(TokenAccounts.decodeMint(data).parsed.info.supply)
      let sum = 0n
      for (const account of accounts.accounts(commitment)) {
        if (!account.owner.startsWith("Token") || account.pubkey === mint || account.data.length < 165) continue
        if (base58.encode(account.data.subarray(0, 32)) !== mint) continue
        const { extensions = [], tokenAmount } = TokenAccounts.decodeAccount(account.data).parsed.info
        sum += BigInt(tokenAmount.amount)
        for (const extension of extensions)
          if (extension.extension === "transferFeeAmount") sum += BigInt(extension.state.withheldAmount)
      }
      expect([mint, sum > 0n || supply === 0n]).toEqual([mint, true])
      if (mint !== sampleMints.wrapped) expect([mint, sum]).toEqual([mint, supply])
    }
  })

  law("accounts are unique, ascend by their bytes, and each is found by its key", (accounts, commitment) => {
    const all = accounts.accounts(commitment)
    const keys = all.map(({ pubkey }) => Buffer.from(base58.decode(pubkey)).toString("hex"))
    expect(keys).toEqual([...new Set(keys)].toSorted())
    for (const account of all) expect(accounts.account(account.pubkey, commitment)).toBe(account)
  })
})

describe("the ledger", () => {
  law("a block follows its parent, one higher and not earlier", ({ ledger, slot }) => {
    let parent = ledger.block(ledger.firstSlot)
    for (let at = ledger.firstSlot + 1; at <= slot("processed"); at++) {
      const block = ledger.block(at)
      if (block === undefined) continue
      expect(block).toMatchObject({
        parentSlot: parent?.slot,
        previousBlockhash: parent?.blockhash,
        height: (parent?.height ?? 0) + 1,
      })
      expect(block.time).toBeGreaterThanOrEqual(parent?.time ?? 0)
      parent = block
    }
    expect(parent?.slot).toBe(slot("processed"))
  })

  law("every transaction is found by its signature and by each of its keys", ({ ledger, slot }) => {
    for (let at = ledger.firstSlot; at <= slot("processed"); at++)
      for (const transaction of ledger.block(at)?.transactions ?? []) {
        expect(transaction.slot).toBe(at)
        expect(ledger.transaction(transaction.signatures[0] ?? "")).toBe(transaction)
        for (const { pubkey } of transaction.keys) expect(ledger.transactionsOf(pubkey)).toContain(transaction)
      }
  })

  law("balances lead from one transaction to the next and end in the accounts as they are", (accounts) => {
    const { ledger, slot } = accounts
    const lamports = new Map<string, bigint>()
    const amounts = new Map<string, bigint>()
    let at = ledger.firstSlot
    for (const commitment of ["finalized", "confirmed", "processed"] as const) {
      for (; at <= slot(commitment); at++)
        for (const { after, before, fee, keys, tokens } of ledger.block(at)?.transactions ?? []) {
          for (const [index, { pubkey }] of keys.entries()) {
            expect(before[index]).toBeGreaterThanOrEqual(0n)
            expect(lamports.get(pubkey) ?? before[index]).toBe(before[index])
            lamports.set(pubkey, after[index] ?? -1n)
          }
          const sum = (values: ReadonlyArray<bigint>) => values.reduce((total, value) => total + value, 0n)
          expect(sum(before) - fee).toBe(sum(after))
          expect(sum(tokens.map((token) => token.before))).toBe(sum(tokens.map((token) => token.after)))
          for (const token of tokens) {
            const key = keys[token.accountIndex]?.pubkey ?? ""
            expect(token.before).toBeGreaterThanOrEqual(0n)
            expect(amounts.get(key) ?? token.before).toBe(token.before)
            amounts.set(key, token.after)
          }
        }
      for (const [key, value] of lamports)
        if (accounts.account(key, commitment) !== undefined)
          expect([key, accounts.account(key, commitment)?.lamports]).toEqual([key, value])
      for (const [key, value] of amounts) {
        const data = accounts.account(key, commitment)?.data ?? new Uint8Array()
        expect(BigInt(TokenAccounts.decodeAccount(data).parsed.info.tokenAmount.amount)).toBe(value)
      }
    }
    expect(lamports.size).toBeGreaterThan(10)
    expect(amounts.size).toBeGreaterThan(5)
  })
})
