/** Subscriptions of a gateway: a chain that grows, the events of each new block, their price and their limits. */
import type { Json, PriceSheet } from "@dotrpc/spec"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { bodyOf, call, noon } from "./gatewayRequests.ts"

const sample = { blocks: 60, logs: 600, seed: 3 }
const upcoming = 20
/** The number of the latest block at first. */
const head = sample.blocks - 1 - upcoming
const hex = (number: number) => `0x${number.toString(16)}`

type Settings = Gateway.GatewayOptions & Partial<Pick<Gateway.ConnectionOptions, "deliver" | "takeRoom">>

/** A gateway, and a connection to it: what it was sent, and how it ended. */
const connected = ({ deliver, takeRoom, ...options }: Settings = {}) => {
  const gateway = Gateway.make({ sample, upcoming, ...options })
  const events: Array<{ readonly id: string; readonly event: Json.JsonObject | string }> = []
  const ended: Array<string> = []
  const connection = gateway.connect({
    network: "evm",
    key: "local",
    end: (why) => ended.push(why),
    takeRoom,
    deliver: (message) => {
      const { jsonrpc, method, params } = JSON.parse(message)
      expect([jsonrpc, method]).toEqual(["2.0", "eth_subscription"])
      events.push({ id: params.subscription, event: params.result })
      return deliver?.(message) ?? true
    },
  })
  const handle = async (method: string, params: Json.Json) => {
    const { sent, text = "" } = await Effect.runPromise(connection.handle({ body: bodyOf(method, params), now: noon }))
    return { sent, reply: JSON.parse(text) }
  }
  const ask = async (method: string, params: Json.Json) => {
    const { reply, sent } = await handle(method, params)
    sent()
    return reply.error ?? reply.result
  }
  const grow = async (times = 1) => {
    let grew = true
    for (let time = 0; time < times; time++) grew = await Effect.runPromise(gateway.grow)
    return grew
  }
  return { gateway, connection, events, ended, handle, ask, grow }
}

describe("a chain with upcoming blocks", () => {
  it("has none of them before their turn, and is the whole chain in the end", async () => {
    const { gateway, grow } = connected()
    const whole = Gateway.make({ sample })
    const next = await call(whole, "eth_getBlockByNumber", [hex(head + 1), true])
    const { hash, transactions } = next["result"] as {
      readonly hash: string
      readonly transactions: ReadonlyArray<Json.Json>
    }
    const transaction = (transactions[0] as { readonly hash: string }).hash
    const questions = [
      ["eth_blockNumber", []],
      ["eth_getBlockByNumber", ["latest", false]],
      ["eth_getBlockByNumber", [hex(head + 1), false]],
      ["eth_getBlockByHash", [hash, false]],
      ["eth_getTransactionReceipt", [transaction]],
      ["eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]],
    ] as const
    const answers = (of: Gateway.Gateway) => Promise.all(questions.map(([method, params]) => call(of, method, params)))
    const [number, , byNumber, byHash, receipt] = await answers(gateway)
    expect([number, byNumber, byHash, receipt]).toEqual([
      { result: hex(head) },
      { result: null },
      { result: null },
      { result: null },
    ])
    expect(await call(gateway, "eth_getBlockByNumber", ["pending", false])).toMatchObject({
      result: { hash: null, transactions: transactions.map((each) => (each as { readonly hash: string }).hash) },
    })
    expect(await grow(upcoming)).toBe(true)
    expect(await answers(gateway)).toEqual(await answers(whole))
    expect(await grow()).toBe(false)
  })

  it("does not grow before anybody has asked it", async () => {
    const { ask, grow } = connected()
    expect(await grow(3)).toBe(false)
    expect(await ask("eth_blockNumber", [])).toBe(hex(head))
    expect(await grow()).toBe(true)
    expect(await ask("eth_blockNumber", [])).toBe(hex(head + 1))
  })

  it("has balances after each block, and none of later ones", async () => {
    const { ask, grow } = connected()
    const whole = Gateway.make({ sample })
    const producer = (await ask("eth_getBlockByNumber", ["latest", false])) as { readonly miner: string }
    for (const number of [head, head + 1]) {
      const expected = await call(whole, "eth_getBalance", [producer.miner, hex(number)])
      expect({ result: await ask("eth_getBalance", [producer.miner, "latest"]) }).toEqual(expected)
      await grow()
    }
  })
})

describe("a subscription sends", () => {
  it("the head of each new block, without its transactions", async () => {
    const { ask, events, grow } = connected()
    const id = await ask("eth_subscribe", ["newHeads"])
    expect(id).toMatch(/^0x[0-9a-f]{32}$/)
    await grow(2)
    const blocks = await Promise.all([1, 2].map((after) => ask("eth_getBlockByNumber", [hex(head + after), false])))
    expect(events).toEqual(
      blocks.map(({ size, transactions, uncles, ...rest }) => {
        expect([size, transactions, uncles]).not.toContain(undefined)
        return { id, event: rest }
      }),
    )
  })

  it("the logs of new blocks that pass its filter, and no others", async () => {
    const { ask, events, grow } = connected()
    const range = { fromBlock: hex(head + 1), toBlock: hex(head + upcoming) }
    const all = (await call(Gateway.make({ sample }), "eth_getLogs", [range]))["result"] as ReadonlyArray<{
      readonly address: string
      readonly topics: ReadonlyArray<string>
    }>
    const [{ address, topics } = { address: "", topics: [] }] = all
    const filters = [{}, { address }, { topics: [topics[0] ?? null] }, { address: `0x${"00".repeat(20)}` }]
    const ids: Array<string> = []
    for (const filter of filters) ids.push(await ask("eth_subscribe", ["logs", filter]))
    ids.push(await ask("eth_subscribe", ["logs"]))
    await grow(upcoming)
    const sent = ids.map((id) => events.filter((each) => each.id === id).map(({ event }) => event))
    expect(sent[0]).toEqual(all)
    expect(sent[1]).toEqual(all.filter((log) => log.address === address))
    expect(sent[2]).toEqual(all.filter((log) => log.topics[0] === topics[0]))
    expect([sent[3], sent[4]?.length]).toEqual([[], all.length])
    expect(sent[1]?.length).toBeLessThan(all.length)
  })

  it("the transactions of the block that is now pending", async () => {
    const { ask, events, grow } = connected()
    await ask("eth_subscribe", ["newPendingTransactions"])
    await grow()
    const { transactions } = await ask("eth_getBlockByNumber", ["pending", false])
    expect(events.map(({ event }) => event)).toEqual(transactions)
  })

  it("nothing before its id was sent, after it was ended, or to a connection that was closed", async () => {
    const { ask, connection, events, grow, handle } = connected()
    const { reply, sent } = await handle("eth_subscribe", ["newHeads"])
    await grow()
    expect(events).toEqual([])
    sent()
    await grow()
    expect(events.map(({ id }) => id)).toEqual([reply.result])
    expect(await ask("eth_unsubscribe", [reply.result])).toBe(true)
    await grow()
    await ask("eth_subscribe", ["newHeads"])
    connection.close()
    await grow()
    expect(events).toHaveLength(1)
  })

  it("events of its own network only", async () => {
    const { events, gateway, grow } = connected()
    await call(gateway, "eth_blockNumber", [], { network: "evm-l2" })
    const { ask } = { ask: (body: string) => gateway.handle({ network: "evm", key: "local", body, now: noon }) }
    await Effect.runPromise(ask(bodyOf("eth_blockNumber")))
    expect(await grow()).toBe(true)
    expect(events).toEqual([])
  })
})

describe("a call is refused", () => {
  const check = (what: string, method: string, params: Json.Json, code: number, message: string) =>
    it(what, async () => {
      const { ask } = connected()
      expect(await ask(method, params)).toEqual({ code, message: expect.stringContaining(message) })
    })
  check("a misspelt name", "eth_subscribe", ["newHead"], -32_601, 'no "newHead" subscription in eth namespace')
  check("no name", "eth_subscribe", [], -32_601, "no unnamed subscription in eth namespace")
  check("too many params", "eth_subscribe", ["newHeads", {}, {}], -32_602, "invalid params")
  check("a filter with a wrong address", "eth_subscribe", ["logs", { address: "0x1" }], -32_602, "address")
  const many = Array.from({ length: 5_001 }, () => `0x${"11".repeat(20)}`)
  check("a filter that is too large", "eth_subscribe", ["logs", { address: many }], -32_602, "5000")
  check("an id that nobody has", "eth_unsubscribe", ["0x1"], -32_000, "subscription not found")
  check("no id", "eth_unsubscribe", [], -32_602, "missing value for required argument 0")

  it("over HTTP", async () => {
    const { gateway } = connected()
    for (const [method, params] of [
      ["eth_subscribe", ["newHeads"]],
      ["eth_unsubscribe", ["0x1"]],
    ] as const)
      expect(await call(gateway, method, params)).toEqual({
        error: { code: -32_001, message: "notifications not supported: connect by WebSocket" },
      })
  })

  it("an id of another connection", async () => {
    const { ask, gateway } = connected()
    const id = await ask("eth_subscribe", ["newHeads"])
    const other = gateway.connect({ network: "evm", key: "local", deliver: () => true, end: () => {} })
    const { text } = await Effect.runPromise(other.handle({ body: bodyOf("eth_unsubscribe", [id]), now: noon }))
    expect(text).toContain("subscription not found")
  })

  it("more subscriptions than a connection may have, until one has ended", async () => {
    const { ask } = connected()
    const ids: Array<string> = []
    for (let count = 0; count < Gateway.SUBSCRIPTIONS_LIMIT; count++) ids.push(await ask("eth_subscribe", ["newHeads"]))
    expect(await ask("eth_subscribe", ["newHeads"])).toMatchObject({
      message: "a connection may have at most 100 subscriptions: end one of them",
    })
    await ask("eth_unsubscribe", [ids[5] ?? ""])
    expect(await ask("eth_subscribe", ["newHeads"])).toMatch(/^0x/)
  })

  it("one that finds no room", async () => {
    const { ask } = connected({ takeRoom: () => false })
    expect(await ask("eth_subscribe", ["newHeads"])).toMatchObject({ message: expect.stringContaining("busy") })
  })
})

describe("events are paid", () => {
  const prices: PriceSheet.PriceSheet = {
    id: "sample",
    title: "Sample",
    unit: { one: "unit", many: "units" },
    window: { kind: "day" },
    sources: [],
    rules: [
      { methods: ["*"], price: 1 },
      { methods: ["eth_subscribe"], price: 10, event: 40 },
    ],
    settle: [],
  }
  const spentBy = ({ gateway }: ReturnType<typeof connected>) =>
    Effect.runSync(gateway.credits("evm", "local", noon)).byMethod

  it("not at all by the service, whose page has no price for them", async () => {
    const one = connected()
    await one.ask("eth_subscribe", ["newHeads"])
    await one.grow(3)
    expect([one.events.length, spentBy(one)]).toEqual([3, { eth_subscribe: 80 }])
  })

  it("each by a price sheet, until the credits are spent: then the connection ends", async () => {
    const now = Date.now()
    const one = connected({ prices, daily: 100 })
    await one.connection.handle({ body: bodyOf("eth_subscribe", ["newHeads"]), now }).pipe(
      Effect.tap(({ sent }) => Effect.sync(sent)),
      Effect.runPromise,
    )
    await one.grow(5)
    expect([one.events.length, one.ended]).toEqual([
      2,
      ["the credits are spent: events cannot be paid until the balance resets"],
    ])
    const { byMethod, spent } = Effect.runSync(one.gateway.credits("evm", "local", now))
    expect([spent, byMethod]).toEqual([90, { eth_subscribe: 10, eth_subscription: 80 }])
  })
})

it("a client that does not read is disconnected, and others are not kept waiting", async () => {
  const one = connected({ deliver: () => false })
  const { gateway } = one
  const others: Array<string> = []
  const other = gateway.connect({
    network: "evm",
    key: "local",
    end: () => {},
    deliver: (message) => others.push(message) > 0,
  })
  await one.ask("eth_subscribe", ["newHeads"])
  const { sent } = await Effect.runPromise(other.handle({ body: bodyOf("eth_subscribe", ["newHeads"]), now: noon }))
  sent()
  await one.grow(3)
  expect([one.events.length, one.ended, others.length]).toEqual([1, ["too slow: events were not read"], 3])
})
