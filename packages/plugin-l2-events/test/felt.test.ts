import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { L2Events } from "../src/index.ts"

const felts = fc.bigInt({ min: 0n, max: L2Events.starkPrime - 1n })
const prime = "0x800000000000011000000000000000000000000000000000000000000000001"

const checkProblem = (text: string, expected: string | undefined) =>
  it(`says of ${text}: ${expected ?? "nothing"}`, () => expect(L2Events.feltProblem(text)).toBe(expected))

describe("a felt is hex below the Stark prime", () => {
  checkProblem("0x0", undefined)
  checkProblem("0x04C", undefined)
  checkProblem(`0x${"0".repeat(63)}1`, undefined)
  checkProblem("0x800000000000011000000000000000000000000000000000000000000000000", undefined)
  checkProblem(prime, `expected a felt below the Stark prime ${prime}, found ${prime}`)
  checkProblem(`0x${"f".repeat(64)}`, `expected a felt below the Stark prime ${prime}, found 0x${"f".repeat(64)}`)
  checkProblem(`0x${"0".repeat(65)}`, "expected a felt of at most 64 hex digits, found 65")
  for (const text of ["", "0x", "4c", "0xg", "-0x1", " 0x1", "0x1 "])
    checkProblem(text, `expected a felt ("0x" and up to 64 hex digits), found "${text}"`)
})

describe("felts are compared as numbers", () => {
  it("whatever their zeros and case", () =>
    fc.assert(
      fc.property(felts, fc.nat(3), (value, zeros) => {
        const digits = value.toString(16)
        const padded = `0x${digits.padStart(Math.min(64, digits.length + zeros), "0").toUpperCase()}`
        expect(L2Events.feltValue(padded)).toBe(value)
        expect(L2Events.sameFelt(padded, `0x${digits}`)).toBe(true)
      }),
    ))
  it("and different numbers differ", () => expect(L2Events.sameFelt("0x1", "0x10")).toBe(false))
  it("and text that is not a felt is an error, not a difference", () =>
    expect(() => L2Events.sameFelt("0x1", "1")).toThrow(RangeError))
})

const checkSelector = (name: string, expected: string) =>
  it(`names ${name}`, () => expect(L2Events.selector(name)).toBe(expected))

describe("the selector of a name", () => {
  checkSelector("Transfer", "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9")
  checkSelector("Approval", "0x134692b230b9e1ffa39098904722134159652b09c5bc41d88d6698779d228ff")
  checkSelector("transfer", "0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e")
  it("is always a felt", () =>
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(L2Events.feltValue(L2Events.selector(name)) < 2n ** 250n).toBe(true)
      }),
    ))
})

const checkCall = (name: string, args: ReadonlyArray<string | number>, expected: object) =>
  it(`calls ${name}(${args.join(", ")})`, () =>
    expect(L2Events.plugin.functions.find((entry) => entry.name === name)?.call(args)).toEqual(expected))

describe("functions of expressions", () => {
  const transfer = { value: "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9" }
  checkCall("selector", ["Transfer"], transfer)
  checkCall("selector", [""], { problem: 'expected a name, found ""' })
  checkCall("selector", [5], { problem: 'expected one name: selector("Transfer")' })
  checkCall("event", ["Transfer"], transfer)
  checkCall("event", ["Transfer(address,address,uint256)"], {
    problem: 'on this network an event is named without its parameters: event("Transfer")',
  })
  checkCall("event", ["0x1"], { problem: 'expected the name of an event, such as "Transfer", found "0x1"' })
  checkCall("event", [], { problem: 'expected one name: event("Transfer")' })
  checkCall("event", ["Transfer", "Approval"], { problem: 'expected one name: event("Transfer")' })
})
