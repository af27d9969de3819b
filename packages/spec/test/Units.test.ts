import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatUnits, isSymbol, Json, readTokenUnits } from "../src/index.ts"

describe("an amount in units", () => {
  const check = (amount: number | bigint, decimals: number, symbol: string | undefined, expected: string) =>
    it(`${amount} with ${decimals} decimals is ${expected}`, () =>
      expect(formatUnits(amount, { decimals, symbol })).toBe(expected))
  check(1_204_500_000n, 6, "USDC", "1,204.5 USDC")
  check(1_204_500_000n, 6, undefined, "1,204.5")
  check(0, 18, "ETH", "0 ETH")
  check(7, 0, "NFT", "7 NFT")
  check(1n, 77, "DUST", `0.${"0".repeat(76)}1 DUST`)
  check(-1_500n, 3, "X", "-1.5 X")
  check(2n ** 256n - 1n, 18, "T", `${(2n ** 256n / 10n ** 18n).toLocaleString("en")}.584007913129639935 T`)

  const refuse = (decimals: number) =>
    it(`is refused with ${decimals} decimals`, () =>
      expect(() => formatUnits(15n, { decimals })).toThrow(
        `decimals must be a whole number from 0 to 77; it is ${decimals}.`,
      ))
  for (const decimals of [-1, 1.5, 78, Number.NaN, Infinity]) refuse(decimals)

  it("has every digit of the integer, and no other", () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }), fc.nat(77), (amount, decimals) => {
        const [whole = "", fraction = ""] = formatUnits(amount, { decimals }).replaceAll(",", "").split(".")
        expect(BigInt(whole.replace("-", "") + fraction.padEnd(decimals, "0"))).toBe(amount < 0n ? -amount : amount)
        expect(fraction.endsWith("0")).toBe(false)
      }),
    ))
})

describe("a symbol", () => {
  const check = (symbol: string, expected: boolean) =>
    it(`${JSON.stringify(symbol.slice(0, 40))} is ${expected ? "shown" : "not shown"}`, () =>
      expect(isSymbol(symbol)).toBe(expected))
  for (const symbol of ["USDC", "USDC.e", "1INCH", "UNI-V2", "aEthUSDC", "$PEPE", "PT-sUSDE-27MAR2025", "W"])
    check(symbol, true)
  for (const symbol of [
    "",
    "1000",
    "0x5fbdb2315678afecb367f032d93f64",
    "e18",
    "USD\u0421",
    "US\u202eDC",
    "USDC\u001b[31m",
    "US DC",
    "USDC\n",
    "<b>",
    "[x](y)",
    "=1+1",
    "A".repeat(33),
    "A".repeat(1_000_000),
  ])
    check(symbol, false)
})

describe("kept units", () => {
  const check = (text: string, expected: unknown) =>
    it(`${text} are ${JSON.stringify(expected)}`, () => expect(readTokenUnits(Json.parse(text))).toEqual(expected))
  check('{"token":"0x1","decimals":6,"symbol":"USDC"}', { token: "0x1", decimals: 6, symbol: "USDC" })
  check('{"token":"0x1","decimals":6}', { token: "0x1", decimals: 6 })
  for (const text of [
    "null",
    '{"token":"0x1"}',
    '{"token":1,"decimals":6}',
    '{"token":"0x1","decimals":78}',
    '{"token":"0x1","decimals":6.5}',
    '{"token":"0x1","decimals":6,"symbol":"\\u001b"}',
    '{"token":"0x1","decimals":6,"symbol":7}',
  ])
    check(text, undefined)
})
