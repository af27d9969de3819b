/** What the network of token accounts answers agrees with itself, for every seed. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json } from "@dotrpc/spec"
import { base58, base64 } from "@scure/base"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Commitment, Gateway, generateAccounts, sampleDelegates, sampleMints } from "../../src/index.ts"
import { call } from "../gatewayRequests.ts"

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

describe("what the methods answer", () => {
  const gateway = Gateway.make()
  const ask = async (method: string, params: Json.Json) =>
    (await call(gateway, method, params, { network: "accounts" })).result ?? null

  it("every signature of an address names a transaction, which its block contains", async () => {
    const signatures = await ask("getSignaturesForAddress", [sampleDelegates.market, { commitment: "confirmed" }])
    expect(Json.isArray(signatures) ? signatures.length : 0).toBe(84)
    for (const entry of Json.isArray(signatures) ? signatures : []) {
      const { err = null, slot = null, ...rest } = Json.isObject(entry) ? entry : {}
      const signature = String(rest.signature)
      const config = { commitment: "confirmed", maxSupportedTransactionVersion: 0 }
      const transaction: unknown = await ask("getTransaction", [signature, config])
      expect(transaction).toMatchObject({
        slot: slot as unknown,
        meta: { err: err as unknown },
        transaction: { signatures: expect.arrayContaining([signature]) },
      })
      const block: unknown = await ask("getBlock", [slot, { ...config, transactionDetails: "signatures" }])
      expect(block).toMatchObject({
        signatures: expect.arrayContaining([signature]),
      })
    }
  })

  it("pages of any size are together the whole list", async () => {
    const method = TokenAccounts.GetSignaturesForAddress
    const whole = await ask(method.name, [sampleDelegates.market])
    for (const limit of [1, 7, 83, 84, 1_000]) {
      const pages: Array<Json.Json> = []
      let params: Json.Json | undefined = [sampleDelegates.market, { limit }]
      while (params !== undefined) {
        const page: Json.Json = await ask(method.name, params)
        pages.push(page)
        params = method.pages?.next(params, page)
      }
      expect(method.pages?.join(pages)).toEqual(whole)
    }
  })

  it("a transaction as bytes is decoded to the transaction as JSON", async () => {
    const accounts = generateAccounts()
    for (let slot = accounts.ledger.firstSlot; slot <= accounts.slot("processed"); slot++)
      for (const transaction of accounts.ledger.block(slot)?.transactions ?? []) {
        const decoded = TokenAccounts.decodeTransaction([base64.encode(transaction.bytes), "base64"])
        expect(decoded).toMatchObject({
          signatures: transaction.signatures,
          version: "legacy",
          message: {
            accountKeys: transaction.keys.map(({ pubkey }) => pubkey),
            recentBlockhash: transaction.recentBlockhash,
            instructions: transaction.instructions.map(({ accounts: indexes, data, programIdIndex }) => ({
              programIdIndex,
              accounts: indexes,
              data: base58.encode(data),
            })),
          },
        })
      }
  })

  it("the change of a token account is the same in the table of every encoding", async () => {
    const [signature] = generateAccounts().ledger.transactionsOf(sampleDelegates.market)[5]?.signatures ?? []
    const tables = []
    for (const encoding of ["json", "jsonParsed", "base64", "base58"]) {
      const result = await ask("getTransaction", [signature ?? "", { encoding, maxSupportedTransactionVersion: 0 }])
      tables.push(TokenAccounts.GetTransaction.render(result, 10, { timeZone: "UTC" }))
    }
    expect(tables[0]?.rows.length).toBe(3)
    for (const table of tables) expect(table).toEqual(tables[0])
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
