import { describe, expect, it } from "vitest"
import type { Evm } from "../src/index.ts"
import { showData, showWord } from "../src/rows/word.ts"

const word = (digits: string): Evm.Hex => `0x${digits.padStart(64, "0")}`

describe("a word is read as what it most likely is", () => {
  const check = (digits: string, expected: string) => it(expected, () => expect(showWord(word(digits))).toBe(expected))
  check("0", "0")
  check("f4240", "1,000,000")
  check("c9f2c9cd04674edea3fffffff", "999,999,999,999,999,999,999,999,999,999")
  check("c9f2c9cd04674edea40000000", "0x000000…000000")
  check("f39fd6e51aad88f6f4ce6ab8827279cfffb92266", "0xf39fd6…b92266")
  check("ff".repeat(32), "0xffffff…ffffff")
})

describe("data", () => {
  it("of one word is read as that word", () => expect(showData(word("ff"))).toBe("255"))
  it("of several words is shortened", () => expect(showData(`0x${"ab".repeat(64)}`)).toBe("0xabababab…abababababab"))
  it("may be empty", () => expect(showData("0x")).toBe("0x"))
})
