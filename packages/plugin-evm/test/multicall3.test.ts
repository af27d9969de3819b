import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defineNetwork, type Json, type MulticallEntry, type NetworkDefinition } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import * as AbiParameters from "ox/AbiParameters"
import { EthCall } from "../src/methods/call.ts"
import { plugin } from "../src/plugin.ts"

const multicall = EthCall.multicall
if (multicall === undefined) throw new Error("eth_call goes together")

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
const network = (overrides: Partial<NetworkDefinition> = {}) =>
  defineNetwork({ id: "n", plugin: "evm", url: "https://node.example", ...overrides })
const ethereum = network({ chainId: 1 })
const call = { to: token, data: "0x313ce567" }

const checkGroup = (
  name: string,
  params: Json.Json,
  expected: { known: boolean; block: unknown } | undefined,
  on = ethereum,
) =>
  it(name, () => {
    expect(EthCall.issues(params, on)).toEqual([])
    const group = multicall.groupOf(params, on)
    expect(group === undefined ? undefined : { known: group.known, block: group.block }).toEqual(expected)
  })

const latest = { known: true, block: "tag" }

describe("an eth_call goes together with others", () => {
  checkGroup("by default at the latest block", [call], latest)
  checkGroup("with data under its other name", [{ to: token, input: "0x313ce567" }, "latest"], latest)
  checkGroup("with data under both names", [{ ...call, input: call.data }, "latest"], latest)
  checkGroup("without data", [{ to: token }, "finalized"], latest)
  checkGroup("with members that are null", [{ ...call, from: null, value: null }, "latest", null], latest)
  checkGroup("at a block after the contract", [call, "0xdb04c2"], { known: true, block: 14_353_602n })
  checkGroup("at the block of the contract", [call, "0xdb04c1"], { known: true, block: 14_353_601n })
  checkGroup("at a block by an object", [call, { blockNumber: "0xdb04c1" }], { known: true, block: 14_353_601n })
  checkGroup("at a hash, which may be of any block", [call, `0x${"ab".repeat(32)}`], { known: false, block: "hash" })
  checkGroup(
    "on a sample chain, from its first block",
    [call, "earliest"],
    { known: true, block: 0n },
    network({ url: "embedded:evm" }),
  )
  checkGroup("on an unknown chain", [call], { known: false, block: "tag" }, network())
  checkGroup(
    "on a chain whose contract is unknown",
    [call],
    { known: false, block: "tag" },
    network({ chainId: 31_337 }),
  )
})

describe("an eth_call goes alone", () => {
  for (const [name, value] of [
    ["from", token],
    ["value", "0x1"],
    ["gas", "0x5208"],
    ["gasPrice", "0x1"],
    ["nonce", "0x0"],
    ["accessList", []],
  ] as const)
    checkGroup(`with ${name}`, [{ ...call, [name]: value }, "latest"], undefined)
  checkGroup("with overrides of the state", [call, "latest", { [token]: { balance: "0x1" } }], undefined)
  checkGroup("with overrides of the block", [call, "latest", null, { time: "0x1" }], undefined)
  checkGroup("without an account", [{ data: "0x00" }, "latest"], undefined)
  checkGroup("with two different data", [{ ...call, input: "0x00" }, "latest"], undefined)
  checkGroup("to the contract itself", [{ to: "0xcA11bde05977b3631167028862bE2a173976CA11" }, "latest"], undefined)
  checkGroup("before the contract was there", [call, "0xdb04c0"], undefined)
  checkGroup("at the earliest block", [call, "earliest"], undefined)
  checkGroup("where the contract has another address", [call], undefined, network({ chainId: 324 }))
})

it("does not combine calls of other methods", () => {
  expect(plugin.methods.filter(({ multicall }) => multicall !== undefined).map(({ name }) => name)).toEqual([
    "eth_call",
  ])
})

const aggregated = AbiParameters.from("(address target, bool allowFailure, bytes callData)[] calls")
const returned = AbiParameters.from("(bool success, bytes returnData)[] returned")

const hexBytes = (max: number) =>
  fc.uint8Array({ maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as const)

it("writes calls as the contract reads them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hexBytes(100), fc.constantFrom("data", "input")), { minLength: 1, maxLength: 9 }),
      (calls) => {
        const [request, block] = multicall.join(
          calls.map(([data, member]) => [{ to: token, [member]: data }, "0x10"]),
        ) as [{ to: string; data: `0x${string}` }, string]
        expect([request.to, block]).toEqual(["0xca11bde05977b3631167028862be2a173976ca11", "0x10"])
        const [entries] = AbiParameters.decode(aggregated, `0x${request.data.slice(10)}`)
        expect(request.data.slice(0, 10)).toBe("0x82ad56cb")
        const read = entries.map(({ target, ...rest }) => ({ ...rest, target: target.toLowerCase() }))
        expect(read).toEqual(calls.map(([callData]) => ({ target: token.toLowerCase(), allowFailure: true, callData })))
      },
    ),
  )
})

const entry = (success: boolean, returnData: `0x${string}`) => ({ success, returnData })
const encoded = (entries: ReadonlyArray<ReturnType<typeof entry>>) => AbiParameters.encode(returned, [entries])
const errorOf = (text: string): `0x${string}` =>
  `0x08c379a0${AbiParameters.encode(AbiParameters.from("string reason"), [text]).slice(2)}`
const panicOf = (code: bigint): `0x${string}` =>
  `0x4e487b71${AbiParameters.encode(AbiParameters.from("uint256 code"), [code]).slice(2)}`

const checkEntry = (name: string, success: boolean, data: `0x${string}`, expected: MulticallEntry) =>
  it(name, () => {
    const others = [entry(true, "0x01"), entry(success, data), entry(true, `0x${"02".repeat(33)}`)]
    expect(multicall.split(encoded(others), 3)).toEqual([
      { _tag: "Result", result: "0x01" },
      expected,
      { _tag: "Result", result: `0x${"02".repeat(33)}` },
    ])
  })

const reverted = (message: string, data: `0x${string}`): MulticallEntry => ({ _tag: "Error", code: 3, message, data })

describe("an entry is", () => {
  checkEntry("its result", true, "0xabcdef", { _tag: "Result", result: "0xabcdef" })
  checkEntry("an empty result", true, "0x", { _tag: "Result", result: "0x" })
  checkEntry("a reason", false, errorOf("not yet"), reverted("execution reverted: not yet", errorOf("not yet")))
  checkEntry(
    "a panic",
    false,
    panicOf(0x11n),
    reverted("execution reverted: arithmetic underflow or overflow", panicOf(0x11n)),
  )
  checkEntry(
    "a panic with an unknown code",
    false,
    panicOf(0x99n),
    reverted("execution reverted: unknown panic code: 0x99", panicOf(0x99n)),
  )
  checkEntry("an error of the contract's own", false, "0x12345678", reverted("execution reverted", "0x12345678"))
  checkEntry("a reason that is not one", false, "0x08c379a0ff", reverted("execution reverted", "0x08c379a0ff"))
  checkEntry(
    "to be asked for alone when it names the sender",
    true,
    `0x${"00".repeat(12)}ca11bde05977b3631167028862be2a173976ca11`,
    {
      _tag: "Alone",
    },
  )
  checkEntry("to be asked for alone when it failed without data", false, "0x", { _tag: "Alone" })
})

const good = encoded([entry(true, "0x01"), entry(false, errorOf("no"))])
const wordsOf = (text: string): ReadonlyArray<string> => text.slice(2).match(/.{64}/g) ?? []
const words = wordsOf(good)
const withWord = (index: number, value: bigint) =>
  `0x${words.with(index, value.toString(16).padStart(64, "0")).join("")}`
const huge = 2n ** 256n - 1n

const checkRefused = (name: string, result: Json.Json, count = 2) =>
  it(name, () => expect(multicall.split(result, count)).toBeUndefined())

describe("a reply is refused", () => {
  checkRefused("without the contract", "0x")
  checkRefused("that is not a string", [good])
  checkRefused("that is null", null)
  checkRefused("that is not hex", good.replace("0x", "zz"))
  checkRefused("with a digit that is not one", good.slice(0, 60) + "g" + good.slice(61))
  checkRefused("with more entries than calls", good, 1)
  checkRefused("with fewer entries than calls", good, 3)
  checkRefused("for more calls than it has words", good, 1_000_000)
  checkRefused("that ends early", good.slice(0, -64))
  checkRefused("that ends within a word", good.slice(0, -2))
  checkRefused("with more after its end", `${good}${"00".repeat(32)}`)
  checkRefused("with an array elsewhere", withWord(0, 64n))
  checkRefused("with an array at a huge offset", withWord(0, huge))
  checkRefused("with a huge number of entries", withWord(1, huge))
  checkRefused("with an entry at a huge offset", withWord(2, huge))
  checkRefused("with entries that are one and the same", withWord(3, BigInt(`0x${words[2]}`)))
  checkRefused("with a flag that is neither true nor false", withWord(4, 2n))
  checkRefused("with data elsewhere in its entry", withWord(5, 96n))
  checkRefused("with data of a huge length", withWord(6, huge))
  checkRefused("with data of a length that no number is exact for", withWord(6, 2n ** 60n))
  checkRefused("with data that is longer than the reply", withWord(6, 10_000n))
})

it("reads any reply in bounds, and what it accepts is what the library reads", () => {
  const entries = fc.array(fc.record({ success: fc.boolean(), returnData: hexBytes(80) }), { maxLength: 5 })
  const damage = fc.array(
    fc.record({ word: fc.nat({ max: 40 }), value: fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, huge)) }),
    { maxLength: 2 },
  )
  fc.assert(
    fc.property(entries, damage, fc.nat({ max: 6 }), (entries, damage, count) => {
      let parts = wordsOf(encoded(entries))
      for (const { value, word } of damage)
        if (word < parts.length) parts = parts.with(word, value.toString(16).padStart(64, "0"))
      const text = `0x${parts.join("")}` as const
      const found = multicall.split(text, count)
      if (damage.length === 0) expect(found === undefined).toBe(count !== entries.length)
      if (found === undefined) return
      const [library] = AbiParameters.decode(returned, text)
      expect(found.length).toBe(count)
      expect(
        found.map((one, index) =>
          one._tag === "Result" ? one.result : one._tag === "Error" ? one.data : library[index]?.returnData,
        ),
      ).toEqual(library.map(({ returnData }) => returnData))
    }),
    { numRuns: runs(1_000) },
  )
})
