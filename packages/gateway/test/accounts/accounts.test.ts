import { base58 } from "@scure/base"
import { describe, expect, test } from "vitest"
import {
  type AccountRecord,
  type Commitment,
  generateAccounts,
  memoryAccounts,
  sampleDelegates,
  sampleMints,
  type StoredAccount,
} from "../../src/index.ts"

const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
const { market, savings } = sampleDelegates
const accounts = generateAccounts()
const ofMarket = [TOKEN, TOKEN_2022].flatMap((programId) =>
  accounts.tokenAccountsByDelegate(market, { programId }, "processed"),
)

describe("the accounts of a delegate", () => {
  test.each<[string, keyof typeof sampleMints, Commitment, number]>([
    [market, "dollar", "finalized", 19],
    [market, "dollar", "confirmed", 20],
    [market, "dollar", "processed", 21],
    [market, "gem", "finalized", 2],
    [market, "ticket", "finalized", 1],
    [market, "dust", "finalized", 1],
    [market, "wrapped", "finalized", 1],
    [market, "taxed", "finalized", 2],
    [savings, "dollar", "finalized", 2],
    [savings, "wrapped", "finalized", 1],
    [savings, "taxed", "finalized", 1],
    [savings, "gem", "finalized", 0],
  ])("%s of the mint %s at %s: %i", (delegate, mint, commitment, count) => {
    const found = accounts.tokenAccountsByDelegate(delegate, { mint: sampleMints[mint] }, commitment)
    expect(found.length).toBe(count)
    for (const { data } of found) {
      expect(base58.encode(data.slice(0, 32))).toBe(sampleMints[mint])
      expect(data.slice(72, 76)).toEqual(Uint8Array.of(1, 0, 0, 0))
      expect(base58.encode(data.slice(76, 108))).toBe(delegate)
    }
  })

  test.each([
    [market, TOKEN, 24],
    [market, TOKEN_2022, 2],
    [savings, TOKEN, 3],
    [savings, TOKEN_2022, 1],
    [sampleMints.dollar, TOKEN, 0],
  ])("%s of the program %s: %i", (delegate, programId, count) => {
    const found = accounts.tokenAccountsByDelegate(delegate, { programId }, "finalized")
    expect(found.length).toBe(count)
    expect(found.every(({ owner }) => owner === programId)).toBe(true)
  })

  test("come in the order of their address bytes", () => {
    const found = accounts.tokenAccountsByDelegate(market, { programId: TOKEN }, "processed")
    const addresses = found.map(({ pubkey }) => hexOf(base58.decode(pubkey)))
    expect(addresses).toEqual(addresses.toSorted())
  })

  test("are the same for the same seed, and the delegate and the mint are the same for every seed", () => {
    const scope = { mint: sampleMints.dollar }
    const found = (seed: number) => generateAccounts({ seed }).tokenAccountsByDelegate(market, scope, "finalized")
    expect(found(4)).toEqual(found(4))
    expect(found(4)).not.toEqual(found(5))
    expect(found(5).length).toBe(19)
  })
})

describe("the bytes of an account", () => {
  test("have the size of their layout, and what they say fits together", () => {
    for (const account of ofMarket) {
      expect(account.space).toBe(account.data.length)
      expect(account.executable).toBe(false)
      expect(account.rentEpoch).toBe(18_446_744_073_709_551_615n)
      expect(base58.decode(account.pubkey).length).toBe(32)
      expect([1, 2]).toContain(account.data[108])
    }
    expect(new Set(ofMarket.map(({ space }) => space))).toEqual(new Set([165, 170, 182]))
  })

  test("show every unusual state", () => {
    expect(ofMarket.some(({ data }) => data[108] === 2)).toBe(true)
    expect(ofMarket.some((account) => u64At(account, 121) === 0n)).toBe(true)
    expect(ofMarket.some((account) => u64At(account, 121) > u64At(account, 64))).toBe(true)
    expect(ofMarket.some((account) => u64At(account, 64) === 18_446_744_073_709_551_615n)).toBe(true)
    expect(ofMarket.some(({ data }) => data[129] === 1)).toBe(true)
    expect(ofMarket.some(({ data }) => data.length === 165 && data[109] === 1)).toBe(true)
  })

  test("a native account's lamports are its amount and the reserve that it names", () => {
    const [native] = accounts.tokenAccountsByDelegate(market, { mint: sampleMints.wrapped }, "finalized")
    if (native === undefined) throw new Error("The market has a native account.")
    expect(u64At(native, 113)).toBe(2_039_280n)
    expect(native.lamports).toBe(u64At(native, 64) + u64At(native, 113))
  })

  test("extensions follow the kind of the account, each with its type and its length", () => {
    const extended = accounts.tokenAccountsByDelegate(market, { mint: sampleMints.taxed }, "finalized")
    const tails = extended.map(({ data }) => Array.from(data.subarray(165))).toSorted((a, b) => a.length - b.length)
    expect(tails).toEqual([
      [2, 7, 0, 0, 0],
      [2, 7, 0, 0, 0, 2, 0, 8, 0, 25, 0, 0, 0, 0, 0, 0, 0],
    ])
  })

  test("a revoked approval leaves the delegate's key behind and is not found", () => {
    const found = accounts.tokenAccountsByDelegate(market, { mint: sampleMints.dollar }, "processed")
    expect(found.every(({ data }) => data[72] === 1)).toBe(true)
    const data = new Uint8Array(165)
    data.set(base58.decode(sampleMints.dollar))
    data.set(base58.decode(market), 76)
    const store = memoryAccounts([record({ data })], { finalized: 1, confirmed: 2, processed: 3 })
    expect(store.tokenAccountsByDelegate(market, { programId: TOKEN }, "finalized")).toEqual([])
    data[72] = 1
    expect(store.tokenAccountsByDelegate(market, { programId: TOKEN }, "finalized").length).toBe(1)
    data[73] = 1
    expect(store.tokenAccountsByDelegate(market, { programId: TOKEN }, "finalized")).toEqual([])
  })

  test("data that is not a token account is not found, whatever its bytes", () => {
    const sizes = [164, 166, 300]
    for (const size of sizes) {
      const data = new Uint8Array(size)
      data[72] = 1
      data.set(base58.decode(market), 76)
      const store = memoryAccounts([record({ data })], { finalized: 1, confirmed: 2, processed: 3 })
      expect(store.tokenAccountsByDelegate(market, { programId: TOKEN }, "finalized")).toEqual([])
    }
  })
})

describe("the mints", () => {
  test.each<[keyof typeof sampleMints, number, string, number]>([
    ["dollar", 6, TOKEN, 82],
    ["gem", 9, TOKEN, 82],
    ["ticket", 0, TOKEN, 82],
    ["dust", 19, TOKEN, 82],
    ["wrapped", 9, TOKEN, 82],
    ["taxed", 2, TOKEN_2022, 278],
  ])("%s has %i decimals and belongs to %s, with %i bytes", (name, decimals, owner, size) => {
    const mint = accounts.account(sampleMints[name], "finalized")
    expect(mint).toMatchObject({ owner, space: size, lamports: BigInt(128 + size) * 6_960n })
    expect([mint?.data[44], mint?.data[45]]).toEqual([decimals, 1])
    expect(mint?.data[165]).toBe(size === 278 ? 1 : undefined)
  })

  test("a delegate is an account, but no mint, and other keys are unknown", () => {
    expect(accounts.account(market, "finalized")).toMatchObject({ owner: "1".repeat(32), space: 0 })
    expect(accounts.account("11111111111111111111111111111112", "finalized")).toBeUndefined()
  })

  test("the programs are accounts as well", () => {
    for (const program of [TOKEN, TOKEN_2022, "1".repeat(32)])
      expect(accounts.account(program, "finalized")).toMatchObject({ executable: true, data: expect.any(Uint8Array) })
  })

  test("the named keys are 32 bytes of base58", () => {
    for (const key of [...Object.values(sampleDelegates), ...Object.values(sampleMints)]) {
      expect(base58.decode(key).length).toBe(32)
    }
  })
})

test("an account of the last slots is seen by the commitments that reach it", () => {
  const late = accounts.tokenAccountsByDelegate(market, { mint: sampleMints.dollar }, "processed")
  const early = accounts.tokenAccountsByDelegate(market, { mint: sampleMints.dollar }, "finalized")
  const only = late.filter((account) => !early.includes(account))
  expect(only.length).toBe(2)
  for (const { pubkey } of only) {
    expect(accounts.account(pubkey, "finalized")).toBeUndefined()
    expect(accounts.account(pubkey, "processed")?.pubkey).toBe(pubkey)
  }
})

test("slots ascend from finalized to processed, and others are refused", () => {
  expect(accounts.slot("finalized")).toBeLessThan(accounts.slot("confirmed"))
  expect(accounts.slot("confirmed")).toBeLessThan(accounts.slot("processed"))
  expect(() => memoryAccounts([], { finalized: 2, confirmed: 2, processed: 3 })).toThrow(
    new RangeError("Slots must ascend: finalized 2, confirmed 2, processed 3."),
  )
})

function record({ data }: { data: Uint8Array }): AccountRecord {
  const account: StoredAccount = {
    pubkey: base58.encode(new Uint8Array(32).fill(9)),
    lamports: 1n,
    owner: TOKEN,
    data,
    executable: false,
    rentEpoch: 0n,
    space: data.length,
  }
  return { account, slot: 0 }
}

function u64At(account: StoredAccount, offset: number): bigint {
  return new DataView(account.data.buffer, account.data.byteOffset).getBigUint64(offset, true)
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
