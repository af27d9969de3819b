import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

const check = (amount: bigint, decimals: number, expected: string) =>
  it(`${amount} with ${decimals} decimals is ${expected}`, () =>
    expect(TokenAccounts.uiAmountString(amount, decimals)).toBe(expected))

describe("an amount is written with the decimals of its mint", () => {
  check(0n, 0, "0")
  check(0n, 9, "0")
  check(1n, 0, "1")
  check(10n, 0, "10")
  check(10n, 1, "1")
  check(1n, 9, "0.000000001")
  check(1_500_000n, 6, "1.5")
  check(1_000_000n, 6, "1")
  check(18446744073709551615n, 0, "18446744073709551615")
  check(18446744073709551615n, 6, "18446744073709.551615")
  check(18446744073709551615n, 20, "0.18446744073709551615")
  check(10n, 255, `0.${"0".repeat(253)}1`)
})

describe("the law: the text times ten to the decimals is the amount", () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  it("for every u64 and every number of decimals", () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 255 }), (amount, decimals) => {
        const [whole = "", fraction = ""] = TokenAccounts.uiAmountString(amount, decimals).split(".")
        expect(BigInt(whole)).toBe(amount / 10n ** BigInt(decimals))
        const rest = amount % 10n ** BigInt(decimals)
        expect(BigInt(fraction === "" ? 0 : fraction) * 10n ** BigInt(decimals - fraction.length)).toBe(rest)
        expect(fraction.endsWith("0")).toBe(false)
      }),
    )
  })
})

it("every number of decimals a mint can have is written out, for the largest amount and the least", () => {
  const largest = "18446744073709551615"
  for (let decimals = 0; decimals <= 255; decimals++) {
    const digits = largest.padStart(decimals + 1, "0")
    const expected = decimals === 0 ? largest : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
    expect(TokenAccounts.uiAmountString(2n ** 64n - 1n, decimals)).toBe(expected)
    expect(TokenAccounts.uiAmountString(1n, decimals)).toBe(decimals === 0 ? "1" : `0.${"0".repeat(decimals - 1)}1`)
    expect(TokenAccounts.uiAmountString(0n, decimals)).toBe("0")
  }
})

describe("decimals that a mint cannot have are refused", () => {
  for (const decimals of [-1, 256, 1.5, Number.NaN])
    it(`refuses ${decimals}`, () =>
      expect(() => TokenAccounts.uiAmountString(1n, decimals)).toThrow(
        `expected decimals as a whole number from 0 to 255, found ${decimals}`,
      ))
})
