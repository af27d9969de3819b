import { describe, expect, it } from "vitest"
import { nearest } from "../src/index.ts"

const networks = ["evm", "evm-l2", "accounts", "l2", "polygon-one", "polygon-two"]

describe("the name that was probably meant", () => {
  const check = (word: string, expected: string | undefined) =>
    it(`by "${word}" is ${expected === undefined ? "none" : `"${expected}"`}`, () =>
      expect(nearest(word, networks)).toBe(expected))
  check("emv", "evm")
  check("EVM", "evm")
  check("acounts", "accounts")
  check("l1", "l2")
  check("evml2", "evm-l2")
  // The only name that begins so.
  check("Acc", "accounts")
  check("polygon-o", "polygon-one")
  check("ac", undefined)
  check("poly", undefined)
  // Any two short words are near each other.
  check("zz", undefined)
  check("x", undefined)
  check("mainnet", undefined)
})
