import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Value } from "../src/index.ts"

describe("equality is by value", () => {
  const check = (left: Json.Json, right: Json.Json, expected: boolean) =>
    it(`${Json.stringify(left)} ${expected ? "equals" : "differs from"} ${Json.stringify(right)}`, () => {
      expect(Value.equalValues(left, right)).toBe(expected)
      expect(Value.equalValues(right, left)).toBe(expected)
    })
  check("0x1", 1, true)
  check("0x1", "0x01", true)
  check("0x1", "1", true)
  check(1n, "0x1", true)
  check("0xAbC", "0xabc", true)
  check(`0x${"Ab".repeat(100)}`, `0x${"aB".repeat(100)}`, true)
  check("latest", "Latest", false)
  check("0x", "0x0", false)
  check(18446744073709551615n, "18446744073709551615", true)
  check(18446744073709551615n, 18446744073709551614n, false)
  check(null, 0, false)
  check(true, 1, false)
  check("", 0, false)
  check([1, "0x2"], ["0x1", 2], true)
  check([1], [1, 2], false)
  check({ a: "0x1" }, { a: 1 }, true)
  check({ a: 1 }, { b: 1 }, false)
  check(new Json.JsonNumber("1.50"), 1.5, true)
})

describe("order", () => {
  const check = (left: Json.Json, right: Json.Json, expected: number | undefined) =>
    it(`of ${Json.stringify(left)} and ${Json.stringify(right)}`, () =>
      expect(Math.sign(Value.compareValues(left, right) ?? Number.NaN)).toBe(expected ?? Number.NaN))
  check("0x10", 15, 1)
  check(18446744073709551614n, 18446744073709551615n, -1)
  check(1.5, 2, -1)
  check("0x1", "0x01", 0)
  check("latest", 1, undefined)
})

describe("calculation", () => {
  const check = (left: Json.Json, operator: Value.ArithmeticOperator, right: Json.Json, expected: unknown) =>
    it(`${Json.stringify(left)} ${operator} ${Json.stringify(right)}`, () =>
      expect(Value.calculate(operator, left, right)).toEqual(expected))
  check(1, "+", "0x10", { value: 17 })
  check(18446744073709551615n, "+", 1, { value: 18446744073709551616n })
  check(7, "/", 2, { value: 3 })
  check(7, "%", 0, { problem: "division by zero" })
  check(1.5, "*", 2, { value: 3 })
  check("a", "+", "b", { value: "ab" })
  check("a", "-", 1, { problem: '"-" needs two numbers, found a string and a number' })

  it("keeps every digit of any two integers", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (left, right) => {
        const sum = Value.calculate("+", left, right)
        expect("value" in sum && Value.equalValues(sum.value, left + right)).toBe(true)
      }),
    )
  })
})
