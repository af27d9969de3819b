import { runs } from "@dotrpc/vitest/depth"
import { Redacted } from "effect"
import fc from "fast-check"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { defineNetwork, headersProblem, keyInHeader, pluginProblem, Redaction } from "../src/index.ts"
import { disguised, revealed } from "./disguises.ts"

describe("the headers of a network", () => {
  const check = (what: string, headers: unknown, expected: RegExp | undefined) =>
    it(what, () => {
      const found = headersProblem(headers)?.message
      if (expected === undefined) expect(found).toBeUndefined()
      else expect(found).toMatch(expected)
    })
  check("may be none", {}, undefined)
  check("may carry a key", { Authorization: "Bearer k", "x-api-key": "k", "User-Agent": "a b" }, undefined)
  for (const name of [
    "Host",
    "content-length",
    "Transfer-Encoding",
    "Content-Type",
    "Connection",
    "Cookie",
    "Origin",
    "Proxy-Authorization",
    "Sec-WebSocket-Key",
    "Upgrade",
    "x-http-method-override",
  ])
    check(`may not replace ${name}`, { [name]: "1" }, new RegExp(`^"${name}" is a header that dotrpc`))
  check("may not be named like a prototype", JSON.parse('{ "__proto__": "1" }'), /^"__proto__" is a header/)
  check("have each name once", { "X-Key": "1", "x-key": "2" }, /^"x-key" is the same header as "X-Key"/)
  for (const name of ["", "a b", "a:b", "a\r\nb", "\u200bkey", "é", "a".repeat(101)])
    check(`have no name ${JSON.stringify(name).slice(0, 20)}`, { [name]: "1" }, /^the name of a header contains/)
  for (const value of ["a\nb", "a\r\nHost: b", "a\0", "\u200bk", "k\u202e", "ключ", "\u007f", "\t"])
    check(`have no value ${JSON.stringify(value)}`, { k: value }, /line break, an invisible character/)
  check("are not empty", { k: "" }, /is empty/)
  check("are not wrapped in spaces", { k: " a" }, /begins or ends with a space/)
  check("are not too long", { k: "a".repeat(8_001) }, /more than 8000 characters/)
  check("are not too many", Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, "1"])), /at most 50/)
  check("have strings as values", { k: 1 }, /is not a string/)
  for (const other of ["Bearer k", ["a"], null, 1])
    check(`are not ${JSON.stringify(other)}`, other, /expected an object/)

  it("are never quoted in problems, nor is a name that is not allowed", () => {
    const secret = fc.string({ minLength: 6, maxLength: 40, unit: "binary" }).filter((text) => /[^\w -]/.test(text))
    fc.assert(
      fc.property(secret, fc.boolean(), (text, isName) => {
        const message = headersProblem(isName ? { [text]: "1" } : { "x-api-key": text })?.message ?? ""
        expect(message.includes(text)).toBe(false)
      }),
    )
  })

  it("keep a network from being defined when they cannot be sent", () => {
    const define = () => defineNetwork({ id: "a", plugin: "p", headers: { k: "canary\n0123" } })
    expect(define).toThrow(RangeError)
    expect(define).toThrow(/^(?!.*canary).*Network a: headers: the header "k"/s)
  })

  it("keep a plugin from being used when a header of its networks cannot be sent", () => {
    const plugin = { id: "p", title: "", docs: "", methods: [], functions: [] }
    expect(pluginProblem({ ...plugin, networks: [{ id: "n", plugin: "p", headers: { host: "a" } }] })).toMatch(
      /^networks\[0\]\.headers: "host"/,
    )
    expect(pluginProblem({ ...plugin, networks: [{ id: "n", plugin: "p", headers: "host" }] })).toMatch(
      /^networks\[0\]\.headers: expected an object/,
    )
  })
})

describe("the key in a header", () => {
  const check = (name: string, value: string, expected: string | undefined) =>
    it(`${name}: ${value}`, () => expect(keyInHeader(name, value)).toBe(expected))
  check("Authorization", "Bearer s3cr3t", "s3cr3t")
  check("authorization", "s3cr3t", "s3cr3t")
  check("X-Api-Key", "abcdef", "abcdef")
  check("x-token", "Token abc def", "abc def")
  check("X-Client", "0123456789abcdef", "0123456789abcdef")
  check("X-Client", "dotrpc", undefined)
  check("X-Client", "0123456789abcdef a", undefined)
  check("Authorization", "0123456789abcdef a", "0123456789abcdef a")
  check("Authorization", "Bearer {{$secret.T}}", undefined)
  check("Authorization", "Bearer {{$secret.T}}.k3y45678", "k3y45678")
  check("X-Client", "{{$env.T}}0123456789abcdef", "0123456789abcdef")
  check("X-Client", "{{$env.T}} dotrpc-v2", undefined)
  check("X-Chain-Key", "mainnet", undefined)
  check("User-Agent", "my-app/1.0 (linux; 0123456789abcdef)", undefined)
})

describe("a network with headers", () => {
  const key = "Zq7xK2mP9vT4wB1n"
  const cases: ReadonlyArray<readonly [name: string, value: string]> = [
    ["Authorization", `Bearer ${key}`],
    ["X-Api-Key", key],
    ["X-Auth", `key=${key}, client=me`],
    ["Authorization", `Basic ${Buffer.from(`user:${key}`).toString("base64")}`],
    ["Authorization", `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
  ]
  it.each(cases)("shows no key however it is printed: %s", (name, value) => {
    const network = defineNetwork({
      id: "main",
      plugin: "evm",
      url: "https://node.example",
      headers: { [name]: value },
    })
    expect(network.headers?.[name] && Redacted.value(network.headers[name])).toBe(value)
    const printed = [JSON.stringify(network), inspect(network, { depth: 9 }), String(network.headers?.[name])].join()
    expect(revealed(printed, key)).toBeUndefined()
  })
  it.each(cases)("masks it in every disguise: %s", (name, value) => {
    const { secrets } = defineNetwork({ id: "main", plugin: "evm", headers: { [name]: value } })
    fc.assert(
      fc.property(disguised(key, 3), fc.constantFrom("", "Bearer ", "key="), ({ text }, before) => {
        expect(revealed(Redaction.scrub(before + text, secrets), key)).toBeUndefined()
      }),
      { numRuns: runs(60) },
    )
  })
  it("masks no public word", () => {
    const { secrets } = defineNetwork({
      id: "main",
      plugin: "evm",
      headers: { "X-Chain": "mainnet", "X-Mode": "fast" },
    })
    expect(Redaction.scrub("mainnet is fast", secrets)).toBe("mainnet is fast")
  })
})
