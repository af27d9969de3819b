import type { Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

const call = (name: string, args: ReadonlyArray<Json.Json>) =>
  TokenAccounts.plugin.functions.find((entry) => entry.name === name)?.call(args)

const check = (name: string, args: ReadonlyArray<Json.Json>, expected: object) =>
  it(`${name}(${args.map(String).join(", ")})`, () => expect(call(name, args)).toEqual(expected))

describe("base58 writes bytes as base58", () => {
  check("base58", ["0x"], { value: "" })
  check("base58", ["0x0000ff"], { value: "115Q" })
  check("base58", ["0x06DDF6E1D765A193D9CBE146CEEB79AC1CB485ED5F5B37913A8CF5857EFF00A9"], {
    value: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  })
  check("base58", ["06dd"], { problem: 'expected "0x" and an even number of hex digits, found "06dd"' })
  check("base58", ["0x6dd"], { problem: 'expected "0x" and an even number of hex digits, found "0x6dd"' })
  it("of no more than any transaction has", () =>
    expect(call("base58", [`0x${"ab".repeat(8_000_000)}`])).toEqual({
      problem: "expected at most 4,096 bytes, found 8,000,000",
    }))
  check("base58", [], { problem: 'expected one hex string: base58("0x06dd")' })
  check("base58", [5], { problem: 'expected one hex string: base58("0x06dd")' })
})

describe("lamports counts exactly", () => {
  check("lamports", ["1.5"], { value: 1_500_000_000 })
  check("lamports", [1.5], { value: 1_500_000_000 })
  check("lamports", [0], { value: 0 })
  check("lamports", ["0.000000001"], { value: 1 })
  check("lamports", ["0.0000000010"], { value: 1 })
  check("lamports", ["18446744073.709551615"], { value: 18446744073709551615n })
  check("lamports", ["18446744073.709551616"], {
    problem: "18446744073.709551616 exceeds a u64 of lamports",
  })
  check("lamports", ["0.0000000001"], {
    problem: "a lamport is 0.000000001, and 0.0000000001 is not a whole number of them",
  })
  check("lamports", ["-1"], { problem: 'expected an amount such as "1.5", found "-1"' })
  check("lamports", [null], { problem: 'expected one amount: lamports("1.5")' })
})
