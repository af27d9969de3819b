import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  addressKey,
  defineNetwork,
  labelOf,
  labelProblem,
  longestLabel,
  readLabels,
  Table,
  Visible,
  withLabels,
} from "../src/index.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const felt = "0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d"
const key = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
const networkOf = (labels: Readonly<Record<string, string>>) =>
  defineNetwork({ id: "a", plugin: "evm", labels: readLabels(labels) })
const network = networkOf({ "0x5FbDB2315678afecb367f032d93F642f64180aa3": "Token", [felt]: "Vault", [key]: "Wallet" })
const label = (address: string) => labelOf(network, address)

describe("the label of an address", () => {
  const check = (what: string, address: string, expected: string | undefined) =>
    it(what, () => expect(labelOf(network, address)).toBe(expected))
  check("is found in any case", token, "Token")
  check("is found with the prefix in front of a checksum", "0x5FbDB2315678afecb367f032d93F642f64180aa3", "Token")
  check("is found in a word with leading zeros", `0x${"0".repeat(24)}${token.slice(2)}`, "Token")
  check("is found for a felt with leading zeros", `0x0${felt.slice(2)}`, "Vault")
  check("is found for a base58 key", key, "Wallet")
  check("is not found for a base58 key in another case", key.toLowerCase(), undefined)
  check("is not found for a neighbour", `${token.slice(0, -1)}4`, undefined)
  check("is not found for a name of every object", "constructor", undefined)
  it("is not found for a small number, which may be anything", () =>
    expect(labelOf(networkOf({ "0x1": "One" }), "0x1")).toBeUndefined())
  it("is not found on a network without labels", () =>
    expect(labelOf(defineNetwork({ id: "a", plugin: "evm" }), token)).toBeUndefined())
})

describe("a text with addresses", () => {
  const check = (text: string, expected: string) => it(text, () => expect(withLabels(network, text)).toBe(expected))
  check(token, `Token (${token})`)
  check(`${token} → ${felt}`, `Token (${token}) → Vault (${felt})`)
  check(`from: ${key}, to: 7`, `from: Wallet (${key}), to: 7`)
  check(`${token}00`, `${token}00`)
  check("0x5fbdb2…180aa3", "0x5fbdb2…180aa3")
  it("is shortened where its reader wants it so", () =>
    expect(withLabels(network, `to ${token}`, Table.shorten)).toBe("to Token (0x5fbdb2…180aa3)"))
})

describe("a shortened value", () => {
  it("has the label of the whole address", () =>
    expect(Table.shortening({ label })(token)).toBe("Token (0x5fbdb2…180aa3)"))
  it("never has the label of another address that looks the same when it is shortened", () => {
    const poisoned = `${token.slice(0, 8)}${"0".repeat(28)}${token.slice(-6)}`
    expect(Table.shorten(poisoned)).toBe(Table.shorten(token))
    expect(Table.shortening({ label })(poisoned)).toBe("0x5fbdb2…180aa3")
  })
  it("stays whole where it is copied or saved", () =>
    expect(Table.shortening({ label, whole: true })(token)).toBe(token))
})

describe("a text as a label", () => {
  const check = (label: string, expected: string | undefined) =>
    it(JSON.stringify(label), () => expect(labelProblem(label)).toBe(expected))
  const address = "expected a name, found what looks like an address"
  check("Treasury", undefined)
  check("Uniswap: V3 router", undefined)
  check("", "expected a name, found an empty string")
  check(" \n", "expected a name, found an empty string")
  check("0xdead", address)
  check("(0xdeadbeef)", address)
  check("safe…0aa3", address)
  check("0х5FbDB2․․180aa3", address)
  check("０ｘ5FbDB2315678", address)
  check("Ox5fbdb2", address)
  check("Treasury (0xe7f172...3f0512)", address)
  check("5fbdb2..180aa3", address)
  check("Oxfam", undefined)
  check("0x Protocol", undefined)
  check("Сейф № 2", undefined)
  check("金库", undefined)
  check(`not ${token}`, address)
  check(key, address)
})

it("a label is one line of at most 40 characters, all of them seen, whatever was written", () => {
  const strange = fc.array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u202e", "\u0007", "\u001b[31m", "\u200b", "\n", "a".repeat(30), "🦊"),
    ),
  )
  fc.assert(
    fc.property(strange, (parts) => {
      const label = labelOf(networkOf({ [token]: parts.join("") }), token)
      if (label === undefined) return
      expect(label).toBe(Visible.oneLine(label))
      expect([...label].length).toBeLessThanOrEqual(longestLabel)
    }),
  )
})

it("an address has one key in any spelling", () =>
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 255n }), fc.nat(4), (value, zeros) => {
      const digits = value.toString(16)
      const written = `0x${"0".repeat(Math.min(zeros, 64 - digits.length))}${digits}`
      expect(addressKey(written)).toBe(`0x${digits}`)
      expect(addressKey(`0x${written.slice(2).toUpperCase()}`)).toBe(`0x${digits}`)
    }),
  ))
