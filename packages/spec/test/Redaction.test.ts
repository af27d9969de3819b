import { Redacted } from "effect"
import fc from "fast-check"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { atOnce, defineNetwork, type Json, Redaction } from "../src/index.ts"

describe("the secrets of an address are masked", () => {
  const check = (address: string, text: string, expected: string) =>
    it(`in ${JSON.stringify(text)}`, () =>
      expect(Redaction.scrub(text, Redaction.secretsOfUrl(address))).toBe(expected))
  check("https://node.example/v3/abcdef123456", "POST https://node.example/v3/abcdef123456 failed", "POST ••• failed")
  check("https://node.example/v3/abcdef123456", "bad key abcdef123456", "bad key •••")
  check("https://node.example/v3/abcdef123456", "node.example is down", "node.example is down")
  check("https://user:pa55word@node.example/", "pa55word", "•••")
  check("https://node.example/rpc?key=q-secret", "key=q-secret", "key=•••")
  check("https://node.example/rpc?key=Zm9+c4n4/ry==", "bad key Zm9+c4n4/ry==", "bad key •••")
  check("https://node.example/rpc?key=Zm9+c4n4", "bad key Zm9 c4n4", "bad key •••")
  check("https://node.example/rpc?key=a%2Bb+c%3Dd", "bad key a+b+c=d", "bad key •••")
  check("https://node.example/rpc?Zm9+c4n4", "bad key Zm9+c4n4", "bad key •••")
  check("https://node.example/v3/a%20key%2Fb", "a key/b or a%20key%2Fb", "••• or •••")
  check("https://node.example/0123456789abcdef0123/mainnet", "0123456789abcdef0123", "•••")
  check("http://127.0.0.1:8645/evm/v3/local", "evm is local", "evm is local")
  check("http://127.0.0.1:4721/slow", "rate slowed for 30 s", "rate slowed for 30 s")
  check("http://127.0.0.1:4721/slow?key=abcdef", "slow abcdef", "slow •••")
  check("https://node.example/v3/slow", "rate slow", "rate •••")
  check("https://node.example/slow1", "rate slow1", "rate •••")
  check("https://node.example/correcthorse", "correcthorse", "•••")
  check("embedded:accounts", "24 token accounts of embedded:accounts", "24 token accounts of embedded:accounts")
})

describe("members of an object whose names are masked alike", () => {
  const secrets = [Redacted.make("supersecretkey123")]
  const check = (what: string, value: Json.Json, expected: Json.Json) =>
    it(what, () => {
      expect(Redaction.scrubJson(value, secrets)).toEqual(expected)
      expect(atOnce(Redaction.scrubbingJson(value, secrets))).toEqual(expected)
    })
  check("are all kept", { supersecretkey123: 1, SUPERSECRETKEY123: 2 }, { "•••": 1, "••• (2)": 2 })
  check(
    "keep apart from names that look like them",
    { "••• (2)": 0, supersecretkey123: 1, SuperSecretKey123: 2, "•••": 3 },
    {
      "••• (2)": 0,
      "•••": 1,
      "••• (3)": 2,
      "••• (4)": 3,
    },
  )
})

it("a very long address masks texts like any other", () => {
  const secrets = Redaction.secretsOfUrl(`https://node.example/${"a1B2/".repeat(40_000)}`)
  expect(Redaction.scrub("a1B2 is bad", secrets)).toBe("••• is bad")
})

describe("an address may be shown as far as its host", () => {
  const check = (address: string, expected: string) =>
    it(address, () => expect(Redaction.showUrl(Redacted.make(address))).toBe(expected))
  check("https://node.example:8443/v3/abcdef123456", "https://node.example:8443/•••")
  check("http://127.0.0.1:8545/", "http://127.0.0.1:8545/")
  check("embedded:evm", "embedded:evm")
  check("not an address", "•••")
})

describe("a network", () => {
  it("shows no key however it is printed", () => {
    const network = defineNetwork({
      id: "main",
      plugin: "evm",
      url: "https://node.example/v3/abcdef123456",
      wsUrl: "wss://node.example/ws/v3/abcdef123456",
    })
    const printed = [JSON.stringify(network), inspect(network, { depth: 9 }), String(network.url)].join()
    expect(printed).not.toContain("abcdef123456")
  })
})

describe("scrubbing", () => {
  it("leaves no secret in any text, whatever surrounds it", () => {
    const secret = fc.string({ minLength: 4, maxLength: 20 }).filter((text) => !Redaction.mask.includes(text))
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        // A secret that overlaps its own mask or neighbours can only reappear if the mask holds a part of it.
        fc.pre(![...Redaction.mask].some((character) => value.includes(character)))
        expect(Redaction.scrub(before + value + after, [Redacted.make(value)])).not.toContain(value)
      }),
    )
  })
})
