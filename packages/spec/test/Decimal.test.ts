import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Json } from "../src/index.ts"

const units = (text: string, places: number) => Json.toUnits(Json.parse(text) as Json.Decimal, places)

describe("a decimal in its smallest unit", () => {
  const check = (text: string, places: number, expected: bigint | undefined) =>
    it(`${text.slice(0, 40)} with ${places} places is ${expected ?? "not a whole number of them"}`, () =>
      expect(units(text, places)).toBe(expected))
  check("0.1", 8, 10_000_000n)
  check("0.10000000", 8, 10_000_000n)
  check("1e-8", 8, 1n)
  check("0.00000001", 8, 1n)
  check("1e-9", 8, undefined)
  check("20999999.97690000", 8, 2_099_999_997_690_000n)
  check("90071992547409931.12345678", 8, 9_007_199_254_740_993_112_345_678n)
  check("-0.5", 8, -50_000_000n)
  check("-0", 8, 0n)
  check("0.000", 0, 0n)
  check("5", 0, 5n)
  check("1.50", 1, 15n)
  check("1.5E2", 0, 150n)
  check("1e400", 8, 10n ** 408n)
  check("1e999999999", 8, undefined)
  check("0e999999999", 8, 0n)
  check(`1.${"0".repeat(2_000)}`, 8, undefined)

  it("is written with all its digits", () => expect(Json.stringify(Json.fromUnits(10_000_000n, 8))).toBe("0.10000000"))
  it("comes back from what is written, whatever it is", () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(30), (value, places) => {
        expect(units(Json.stringify(Json.fromUnits(value, places)), places)).toBe(value)
      }),
    ))
})

describe("the schema of a decimal", () => {
  const fits = Schema.is(Json.decimal)
  it.each(["0.1", "0.10000000", "7", "18446744073709551616", "1e400"])("accepts %s", (text) =>
    expect(fits(Json.parse(text))).toBe(true),
  )
  it.each(['"0.1"', "null", "[1]", "{}"])("refuses %s", (text) => expect(fits(Json.parse(text))).toBe(false))
})
