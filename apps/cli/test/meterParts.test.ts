/** The parts of the meter that need no process: texts of JSON, batches, environments and bills. */
import { CreditBudget } from "@dotrpc/core"
import { Gateway } from "@dotrpc/gateway"
import { defineNetwork, type Json } from "@dotrpc/spec"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeBatch } from "../src/meter/Batch.ts"
import { type Bill, billJson, differencesOf, isAbove, parseIncrease, readBill } from "../src/meter/Bill.ts"
import { type Call, type NodeReply, readCalls, withId } from "../src/meter/Call.ts"
import { elementsOf, idKey, memberOf, membersOf } from "../src/meter/jsonText.ts"
import { environmentOf, spenderOf } from "../src/meter/MeteredChild.ts"
import { makeTally } from "../src/meter/Tally.ts"
import { makeUpstreams } from "../src/meter/Upstream.ts"

describe("the parts of a text", () => {
  const spaced = (text: string, gap: string) => `${gap}${text}${gap}`
  const gap = fc.constantFrom("", " ", "\n\t")

  it("are the values of an object as they were written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), gap, (value, blank) => {
        const text = spaced(JSON.stringify(value, undefined, blank.length), blank)
        const members = membersOf(text)
        expect([...(members ?? new Map()).keys()].toSorted()).toEqual(Object.keys(value).toSorted())
        for (const [name, member] of Object.entries(value))
          expect(JSON.parse(memberOf(text, members, name) ?? "")).toEqual(JSON.parse(JSON.stringify(member)))
      }),
    )
  })

  it("are the elements of an array as they were written", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), gap, (values, blank) => {
        const elements = elementsOf(spaced(JSON.stringify(values, undefined, blank.length), blank))
        expect(elements?.map((element) => JSON.parse(element) as unknown)).toEqual(JSON.parse(JSON.stringify(values)))
      }),
    )
  })

  it("are none of a text that breaks off, and any text ends", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.nat(40), (text, length) => {
        membersOf(text)
        elementsOf(text)
        expect(membersOf(`{"a":[1,{"b":"c"}`.slice(0, length))).toBeUndefined()
      }),
    )
  })

  it.each([
    ['{"id":1,"result":{"id":1}}', '"x"', '{"id":"x","result":{"id":1}}'],
    ['{"id":1.0}', "1", '{"id":1.0}'],
    ['{"id":null,"error":{}}', "2", '{"id":null,"error":{}}'],
    ['{"result":1}', "2", '{"result":1}'],
    ["<html>", "2", "<html>"],
    ['{"id": 1 }', undefined, '{"id": 1 }'],
  ])("are replaced one by one: %s", (reply, id, expected) => {
    expect(withId(reply, "1", id)).toBe(expected)
  })

  it.each([
    ["{", undefined],
    ["[]", { calls: [{ text: "[]", id: "null", method: "", params: [], isObject: false }], isBatch: false }],
    [
      '{"method":"\\u0061","id":1.0}',
      {
        calls: [{ method: "a", id: "1.0", params: [], text: '{"method":"\\u0061","id":1.0}', isObject: true }],
        isBatch: false,
      },
    ],
    ["[7]", { calls: [{ text: "7", id: "null", method: "", params: [], isObject: false }], isBatch: true }],
  ])("are the calls of a body: %s", (body, expected) => {
    expect(readCalls(body)).toEqual(expected)
  })
})

describe("a batch", () => {
  const callOf = (id: number): Call => ({
    text: `{"id":${id}}`,
    id: String(id),
    method: "m",
    params: [],
    isObject: true,
  })
  const replyOf = (text: string): NodeReply => ({
    status: 200,
    contentType: "",
    retryAfter: null,
    sentAs: null,
    isWhole: false,
    text,
  })

  const begun = (count: number) => {
    const calls = Array.from({ length: count }, (_, id) => callOf(id))
    const posted: Array<string> = []
    const batch = makeBatch(calls, `[${calls.map(({ text }) => text).join()}]`, (text) => {
      posted.push(text)
      return Effect.succeed(replyOf(text))
    })
    const join = (...ids: ReadonlyArray<number>) =>
      batch.join(
        ids.map((id) => calls[id] ?? callOf(id)),
        () => {},
      )
    return { batch, calls, posted, join }
  }

  it("leaves once its last call is ready, in the order in which they were written", async () => {
    const { join, posted } = begun(3)
    const all = [2, 0, 1].map((id) => Effect.runPromise(join(id)))
    expect((await Promise.all(all)).flat().map(({ text }) => text)).toEqual(['{"id":2}', '{"id":0}', '{"id":1}'])
    expect(posted).toEqual(['[{"id":0},{"id":1},{"id":2}]'])
  })

  it("does not wait for a call that does not leave", async () => {
    const { batch, calls, join, posted } = begun(3)
    const all = [0, 2].map((id) => Effect.runPromise(join(id)))
    expect(posted).toEqual([])
    batch.drop(calls.slice(1, 2))
    await Promise.all(all)
    expect(posted).toEqual(['[{"id":0},{"id":2}]'])
    expect(batch.onlyReply()).toBeUndefined()
  })

  it("leaves without a call that nobody waits for any more, which is not sent", async () => {
    const { batch, calls, join, posted } = begun(2)
    const gone = Effect.runFork(join(0))
    await Effect.runPromise(Fiber.interrupt(gone))
    batch.drop(calls.slice(0, 1))
    await Effect.runPromise(join(1))
    expect(posted).toEqual(['[{"id":1}]'])
  })
})

it("a call whose client leaves while its batch connects is told that it leaves with the others, and so is paid", async () => {
  const calls = ["1", "2"].map((id): Call => ({ text: `{"id":${id}}`, id, method: "m", params: [], isObject: true }))
  const connected = Deferred.makeUnsafe<void>()
  const batch = makeBatch(calls, "[]", (_, leaves) =>
    Effect.andThen(
      Deferred.await(connected),
      Effect.sync(() => {
        leaves()
        return { status: 200, contentType: "", retryAfter: null, sentAs: null, isWhole: false, text: "[]" }
      }),
    ),
  )
  const heard: Array<string> = []
  const join = (call: Call) => batch.join([call], () => heard.push(`${call.id} leaves`))
  const [gone, other] = calls.map((call) => Effect.runFork(join(call)))
  if (gone === undefined || other === undefined) throw new Error("there are two")
  const ended = Effect.runPromise(Fiber.interrupt(gone)).then(() => heard.push("1 has ended"))
  await Effect.runPromise(Effect.yieldNow)
  Deferred.doneUnsafe(connected, Effect.void)
  await Promise.all([ended, Effect.runPromise(Fiber.join(other))])
  expect(heard).toEqual(["1 leaves", "2 leaves", "1 has ended"])
})

it("a batch that nobody waits for any more is given up", async () => {
  const call: Call = { text: "{}", id: "1", method: "m", params: [], isObject: true }
  let isOver = false
  const batch = makeBatch([call], "[{}]", () =>
    Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (isOver = true))),
  )
  const gone = Effect.runFork(batch.join([call], () => {}))
  await Effect.runPromise(Fiber.interrupt(gone))
  expect(isOver).toBe(true)
})

describe("the environment of a command", () => {
  const network = (id: string, plugin: string) =>
    defineNetwork({ id, plugin, url: "https://node.example", privates: [] })
  const addressOf = ({ id }: { readonly id: string }) => ({ url: `http://meter/${id}`, wsUrl: `ws://meter/${id}` })

  it("has both addresses of each network, and the usual names of the first of the EVM", () => {
    const networks = [network("sol", "token-accounts"), network("l-1", "evm"), network("l-2", "evm")]
    expect(environmentOf({ PATH: "/bin", NONE: undefined }, networks, addressOf, [["MINE", "l-2"]])).toEqual({
      PATH: "/bin",
      DOTRPC_URL_SOL: "http://meter/sol",
      DOTRPC_WS_URL_SOL: "ws://meter/sol",
      DOTRPC_URL_L_1: "http://meter/l-1",
      DOTRPC_WS_URL_L_1: "ws://meter/l-1",
      DOTRPC_URL_L_2: "http://meter/l-2",
      DOTRPC_WS_URL_L_2: "ws://meter/l-2",
      RPC_URL: "http://meter/l-1",
      ETH_RPC_URL: "http://meter/l-1",
      FOUNDRY_ETH_RPC_URL: "http://meter/l-1",
      MINE: "http://meter/l-2",
    })
  })
})

describe("a bill", () => {
  const method = (name: string, asked: number, credits: number) => ({
    method: name,
    asked,
    sent: asked,
    credits,
    bytes: 1,
    errors: 0,
    repeated: 0,
  })
  const bill = (...methods: Bill["networks"][number]["methods"]): Bill => ({
    command: ["x"],
    exitCode: 0,
    ms: 5,
    stopped: null,
    spent: methods.reduce((sum, { credits }) => sum + credits, 0),
    unit: "credits",
    assumed: false,
    networks: [{ network: "evm", unit: "credits", spent: 1, methods }],
    elsewhere: [],
  })

  it("is read as it was written, and differs from itself in nothing", () => {
    const own = bill(method("eth_call", 2, 160))
    const kept = readBill(JSON.stringify(billJson(own)))
    expect(kept?.spent).toBe(160)
    expect(kept === undefined ? undefined : differencesOf(kept, own)).toEqual([])
  })

  it("differs by what became dearer, cheaper, new or gone, the largest change first", () => {
    const kept = readBill(
      JSON.stringify(billJson(bill(method("a", 1, 80), method("gone", 1, 5), method("same", 1, 1)))),
    )
    const now = bill(method("a", 3, 240), method("new", 1, 80), method("same", 1, 1))
    expect(kept === undefined ? undefined : differencesOf(kept, now)).toEqual([
      { what: "evm a", asked: [1, 3], credits: [80, 240] },
      { what: "evm new", asked: [0, 1], credits: [0, 80] },
      { what: "evm gone", asked: [1, 0], credits: [5, 0] },
    ])
  })

  it.each([
    "",
    "{}",
    '{"version":2}',
    '{"version":1,"credits":{"spent":"1"}}',
    "[]",
    '{"version":1,"credits":{"spent":1,"unit":"x"},"networks":[1]}',
  ])("is not %s", (text) => {
    expect(readBill(text)).toBeUndefined()
  })

  it.each([
    ["10%", 100, 110, false],
    ["10%", 100, 111, true],
    ["0", 100, 100, false],
    ["0.5%", 1000, 1006, true],
    ["20", 0, 20, false],
    ["20", 0, 21, true],
  ])("with --max-increase %s after %d may not be %d: %s", (text, before, now, expected) => {
    const increase = parseIncrease(text)
    expect(increase === undefined ? undefined : isAbove(before, now, increase)).toBe(expected)
  })

  it.each(["", "ten", "-1", "1%%", "1e3"])("knows no increase of %s", (text) => {
    expect(parseIncrease(text)).toBeUndefined()
  })
})

it.each([
  ['"\\u0062"', '"b"'],
  ['"a\\/b"', '"a/b"'],
  ["9007199254740993", "9007199254740993"],
  ["1.0e0", "1"],
])("an id is the same however it is written: %s", (written, other) => expect(idKey(written)).toBe(idKey(other)))

describe("calls that a Multicall could have made together", () => {
  const read = (to: string, more: object = {}) => [{ to, data: "0x", ...more }, "latest"]
  type Asked = readonly [params: Json.Json, at: number, name?: string]
  const check = (name: string, asked: ReadonlyArray<Asked>, expected: number) =>
    it(name, () => {
      const purse = CreditBudget.makeAllowance({ name: "purse" })
      const tally = makeTally({ plugins: [], purse, sheets: [] })
      const network = defineNetwork({ id: "own", plugin: "evm" })
      for (const [params, at, method = "eth_call"] of asked) tally.asked(tally.rowOf(network, method), params, at)
      expect(tally.rows().reduce((sum, { together }) => sum + together, 0)).toBe(expected)
    })

  check(
    "are those that come at once",
    [
      [read("0xa"), 0],
      [read("0xb"), 3],
      [read("0xc"), 9],
    ],
    2,
  )
  check(
    "are none that come later",
    [
      [read("0xa"), 0],
      [read("0xb"), 100],
    ],
    0,
  )
  check(
    "are none at another block",
    [
      [read("0xa"), 0],
      [[{ to: "0xb", data: "0x" }, "0x1"], 0],
    ],
    0,
  )
  check(
    "are none that say who calls",
    [
      [read("0xa"), 0],
      [read("0xb", { from: "0xc" }), 0],
    ],
    0,
  )
  check(
    "are none with overrides",
    [
      [read("0xa"), 0],
      [[...read("0xb"), {}], 0],
    ],
    0,
  )
  check(
    "are none of other methods",
    [
      [read("0xa"), 0, "eth_estimateGas"],
      [read("0xb"), 0, "eth_estimateGas"],
    ],
    0,
  )
})

describe("what `dotrpc credits` calls a metered command", () => {
  const check = (name: string, command: ReadonlyArray<string>, expected: string) =>
    it(name, () => expect(spenderOf(command)).toBe(expected))

  check(
    "is its program and what that is to do",
    ["/usr/bin/npx", "hardhat", "test", "more"],
    "dotrpc meter -- npx hardhat test",
  )
  check(
    "leaves out flags and what follows them",
    ["cast", "call", "--rpc-url", "https://h/key"],
    "dotrpc meter -- cast call",
  )
  check(
    "leaves out what may be a key",
    ["cast", "call", "0xabcdef0123456789abcdef0123456789abcdef01"],
    "dotrpc meter -- cast call",
  )
  check("leaves out URLs", ["curl", "https://h.example/v3/k"], "dotrpc meter -- curl")
  check("is the team's where there is none", [], "dotrpc meter --serve")
})

describe("a WebSocket that was away", () => {
  it("counts as away for half a minute, until it is open or somebody may try again", () =>
    Effect.gen(function* () {
      const own = defineNetwork({ id: "own", plugin: "evm", url: "http://127.0.0.1:9" })
      const { onSocket, sockets } = yield* makeUpstreams({
        gate: { refusal: () => undefined },
        proxies: undefined,
        gateway: () => Gateway.make(),
        nodes: new Map(),
      })
      const state = () => [...sockets()]
      onSocket(own, "was closed by the node")
      yield* TestClock.adjust("29 seconds")
      expect(state()).toEqual([["own", "was closed by the node"]])
      yield* TestClock.adjust("1 second")
      expect(state()).toEqual([])
      onSocket(own, undefined)
      yield* TestClock.adjust("1 hour")
      expect(state()).toEqual([["own", undefined]])
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise))
})
