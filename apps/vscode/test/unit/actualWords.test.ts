import type { Json } from "@dotrpc/spec"
import { expect, test } from "vitest"

import { actualWords } from "../../src/results/actualWords.ts"

const check = (actual: Json.Json, expected: Json.Json, words: string) =>
  expect(actualWords({ actual, expected })).toBe(words)

test("an actual value is written as the expectation is", () => {
  check("0x4b0", 1000, "1,200 (0x4b0)")
  check(3, "0x4", "0x3 (3)")
  check(18_446_744_073_709_551_615n, "0x1", "0xffffffffffffffff (18446744073709551615)")
})
test("an actual value of the same kind, and one that is not a number, stay as they are", () => {
  check(3, 4, "3")
  check("0x3", "0x4", '"0x3"')
  check("pending", 4, '"pending"')
  check(-3, "0x4", "-3")
  check([1], 4, "[1]")
})
test("an actual amount is written in the units of the expectation", () => {
  const words = (actual: Json.Json) => actualWords({ actual, actualAmount: "1.5 ether", expected: 2n })
  expect(words("0x14d1120d7b160000")).toBe("1.5 ether (0x14d1120d7b160000)")
  expect(words(1_500_000_000_000_000_000n)).toBe("1.5 ether (1500000000000000000)")
})
test("a value that a secret went into is not shown", () => {
  expect(actualWords({ expected: 1 })).toBeUndefined()
})
