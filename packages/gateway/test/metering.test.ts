import fc from "fast-check"
import readPrometheus from "parse-prometheus-text-format"
import { describe, expect, it } from "vitest"
import { type Balances, BalancesUnavailable, Gateway, memoryBalances } from "../src/index.ts"
import { Effect } from "effect"
import { Metrics } from "../src/metering/Metrics.ts"
import { balanceLaws } from "./balances.ts"
import { emptyChain } from "./emptyChain.ts"
import { type Ask, bodyOf, noon, post } from "./gatewayRequests.ts"

const chain = emptyChain()
const day = 86_400_000
const unknown = "0x".padEnd(66, "0")

const creditsOf = (gateway: Gateway.Gateway, now = noon, key = "local") => {
  const report = Effect.runSync(Effect.result(gateway.credits("evm", key, now)))
  return report._tag === "Success" ? report.success : report.failure
}

describe("every outcome has its price", () => {
  const check = (
    title: string,
    body: string,
    expected: { readonly status: number; readonly cost: string },
    ask?: Ask,
  ) =>
    it(title, async () => {
      const gateway = Gateway.make({ chain })
      const reply = await post(gateway, body, ask)
      expect({ status: reply.status, cost: reply.headers["x-credits-cost"] }).toEqual(expected)
      expect(reply.headers["x-credits-remaining"]).toBe(String(3_000_000 - Number(expected.cost)))
      expect(creditsOf(gateway)).toMatchObject({ spent: Number(expected.cost) })
    })
  check("eth_getLogs", bodyOf("eth_getLogs", [{}]), { status: 200, cost: "255" })
  check("eth_getStorageAt", bodyOf("eth_getStorageAt", [unknown.slice(0, 42), "0x0", "latest"]), {
    status: 200,
    cost: "80",
  })
  check("eth_getTransactionReceipt", bodyOf("eth_getTransactionReceipt", [unknown]), { status: 200, cost: "80" })
  check("eth_getBlockRange", bodyOf("eth_getBlockRange", ["0x0", "0x1", false]), { status: 200, cost: "80" })
  check("eth_blockNumber", bodyOf("eth_blockNumber"), { status: 200, cost: "80" })
  check("eth_chainId", bodyOf("eth_chainId"), { status: 200, cost: "5" })
  check("an error inside a 200", bodyOf("eth_getLogs", [{ fromBlock: "0x2", toBlock: "0x1" }]), {
    status: 200,
    cost: "255",
  })
  check("an unknown method", bodyOf("eth_foo"), { status: 200, cost: "5" })
  check("broken JSON", "{", { status: 400, cost: "5" })
  check("a notification", '{"jsonrpc":"2.0","method":"eth_getLogs","params":[{}]}', { status: 204, cost: "255" })
  check("a batch is the sum of its entries", `[${bodyOf("eth_getLogs", [{}])},${bodyOf("eth_foo")}]`, {
    status: 200,
    cost: "260",
  })
  check("a reply that has no room", bodyOf("eth_getLogs", [{}]), { status: 503, cost: "0" }, { takeRoom: () => false })
})

describe("the daily balance", () => {
  it("refuses with 402 what it cannot pay, and charges nothing for it", async () => {
    const gateway = Gateway.make({ chain, daily: 300 })
    await post(gateway, bodyOf("eth_getLogs", [{}]))
    const refused = await post(gateway, bodyOf("eth_getLogs", [{}]))
    expect(refused.status).toBe(402)
    expect(JSON.parse(refused.body)).toMatchObject({ code: 402, event: -33000, message: "Payment Required" })
    expect(refused.headers).toMatchObject({ "x-credits-cost": "0", "x-credits-remaining": "45" })
    expect((await post(gateway, bodyOf("eth_chainId"))).headers["x-credits-remaining"]).toBe("40")
  })
  it("refuses a batch as a whole", async () => {
    const gateway = Gateway.make({ chain, daily: 300 })
    const batch = `[${bodyOf("eth_getLogs", [{}])},${bodyOf("eth_getLogs", [{}])}]`
    expect((await post(gateway, batch)).status).toBe(402)
    expect(creditsOf(gateway)).toMatchObject({ spent: 0 })
  })
  it("starts again at midnight UTC", async () => {
    const gateway = Gateway.make({ chain, daily: 300 })
    const midnight = Date.UTC(2026, 0, 2)
    await post(gateway, bodyOf("eth_getLogs", [{}]), { now: midnight - 1 })
    expect(creditsOf(gateway, midnight - 1)).toEqual({
      daily: 300,
      spent: 255,
      remaining: 45,
      resetsAt: "2026-01-02T00:00:00.000Z",
      byMethod: { eth_getLogs: 255 },
    })
    expect((await post(gateway, bodyOf("eth_getLogs", [{}]), { now: midnight - 1 })).status).toBe(402)
    expect((await post(gateway, bodyOf("eth_getLogs", [{}]), { now: midnight })).status).toBe(200)
    expect(creditsOf(gateway, midnight)).toMatchObject({ spent: 255, resetsAt: "2026-01-03T00:00:00.000Z" })
  })
  it("does not come back when the clock is set back", async () => {
    const gateway = Gateway.make({ chain, daily: 300 })
    await post(gateway, bodyOf("eth_getLogs", [{}]), { now: noon })
    expect(creditsOf(gateway, noon - day)).toMatchObject({ spent: 255 })
  })
  it("is kept for each key", async () => {
    const gateway = Gateway.make({ chain, keys: ["one", "two"] })
    await post(gateway, bodyOf("eth_getLogs", [{}]), { key: "one" })
    expect(creditsOf(gateway, noon, "one")).toMatchObject({ spent: 255 })
    expect(creditsOf(gateway, noon, "two")).toMatchObject({ spent: 0 })
  })
  it("counts by method, and what names none as invalid", async () => {
    const gateway = Gateway.make({ chain })
    for (const body of [
      bodyOf("eth_getLogs", [{}]),
      bodyOf("eth_chainId"),
      bodyOf("eth_chainId"),
      bodyOf("eth_foo"),
      "{",
    ])
      await post(gateway, body)
    expect(creditsOf(gateway)).toMatchObject({
      spent: 275,
      byMethod: { eth_chainId: 10, eth_getLogs: 255, invalid: 10 },
    })
  })
})

describe("the limit per second", () => {
  const limited = () => Gateway.make({ chain, perSecond: 300 })
  it("refuses with 429 and says when to come back", async () => {
    const gateway = limited()
    await post(gateway, bodyOf("eth_getLogs", [{}]))
    const refused = await post(gateway, bodyOf("eth_getLogs", [{}]))
    expect(refused.status).toBe(429)
    expect(refused.headers).toMatchObject({ "retry-after": "1", "x-credits-cost": "0" })
    expect(JSON.parse(refused.body)).toMatchObject({ code: 429, event: -33200 })
    expect((await post(gateway, bodyOf("eth_getLogs", [{}]), { now: noon + 1_000 })).status).toBe(200)
  })
  it("lets a batch that is larger than a second through when nothing else was sent", async () => {
    const batch = `[${bodyOf("eth_getLogs", [{}])},${bodyOf("eth_getLogs", [{}])}]`
    expect((await post(limited(), batch)).status).toBe(200)
  })
})

describe("networks and keys", () => {
  const secret = "s3cr3t-key-value"
  const check = (title: string, ask: Ask, status: number, words: string) =>
    it(title, async () => {
      const reply = await post(Gateway.make({ keys: ["right"] }), bodyOf("eth_chainId"), ask)
      expect([reply.status, reply.body]).toEqual([status, words])
      expect(JSON.stringify(reply)).not.toContain(secret)
    })
  check("a wrong key", { key: secret }, 401, "invalid project id")
  check("an empty key", { key: "" }, 401, "invalid project id")
  check("the local key is not accepted beside others", { key: "local" }, 401, "invalid project id")
  check(
    "an unknown network, which may be a misplaced key",
    { network: secret },
    404,
    "unknown network; expected one of evm, evm-l2, accounts, l2",
  )
  check(
    "an object's own members are not networks",
    { network: "toString" },
    404,
    "unknown network; expected one of evm, evm-l2, accounts, l2",
  )
})

describe("messages have no status", () => {
  const message = (gateway: Gateway.Gateway, body: string, ask: Ask = {}) =>
    Effect.runPromise(gateway.handleMessage({ network: "evm", key: "local", now: noon, ...ask, body }))
  it("answers a call", async () => {
    expect(await message(Gateway.make({ chain }), bodyOf("eth_chainId", [], "a"))).toBe(
      '{"jsonrpc":"2.0","id":"a","result":"0x7a69"}',
    )
  })
  it("puts the status of a refusal into the code, under the id of the call", async () => {
    const refused = await message(Gateway.make({ chain, daily: 10 }), bodyOf("eth_getLogs", [{}], 7))
    expect(JSON.parse(refused ?? "")).toMatchObject({ id: 7, error: { code: 402, message: "Payment Required" } })
  })
  it("refuses every entry of a batch", async () => {
    const batch = `[${bodyOf("eth_getLogs", [{}], 1)},${bodyOf("eth_getLogs", [{}], 2)}]`
    const refused = await message(Gateway.make({ chain, daily: 300 }), batch)
    expect(JSON.parse(refused ?? "")).toMatchObject([
      { id: 1, error: { code: 402 } },
      { id: 2, error: { code: 402 } },
    ])
  })
  it("says nothing to a notification", async () => {
    expect(await message(Gateway.make({ chain }), '{"jsonrpc":"2.0","method":"eth_chainId"}')).toBeUndefined()
  })
})

it("counts what it answered for Prometheus", async () => {
  const gateway = Gateway.make({ chain, daily: 100 })
  await post(gateway, bodyOf("eth_chainId"))
  await post(gateway, bodyOf("eth_blockNumber", [1, 2]))
  await post(gateway, bodyOf("eth_getLogs", [{}]))
  await post(gateway, bodyOf('x"} 1\nevil 2'))
  const text = gateway.metrics()
  expect(text).not.toContain("evil")
  const [requests, credits, durations] = readPrometheus(text)
  const labels = (method: string, status?: string) =>
    status === undefined ? { network: "evm", method } : { network: "evm", method, status }
  expect(requests).toEqual({
    name: "dotrpc_gateway_requests_total",
    help: "Calls answered or refused.",
    type: "COUNTER",
    metrics: [
      { labels: labels("eth_chainId", "200"), value: "1" },
      { labels: labels("eth_blockNumber", "200"), value: "1" },
      { labels: labels("eth_getLogs", "402"), value: "1" },
      { labels: labels("invalid", "rpc-error"), value: "1" },
    ],
  })
  expect(credits).toMatchObject({ name: "dotrpc_gateway_credits_total", help: "Credits charged.", type: "COUNTER" })
  expect(credits?.metrics).toContainEqual({ labels: labels("eth_chainId"), value: "5" })
  expect(durations).toMatchObject({ name: "dotrpc_gateway_request_duration_seconds", type: "HISTOGRAM" })
  expect(Object.keys(durations?.metrics[0]?.buckets ?? {}).toSorted()).toEqual([
    "+Inf",
    "0.001",
    "0.005",
    "0.025",
    "0.1",
    "0.5",
    "10",
    "2.5",
  ])
})

it("counts of several gateways are their own", async () => {
  const [one, other] = [Gateway.make({ chain }), Gateway.make({ chain })]
  await post(one, bodyOf("eth_chainId"))
  expect(other.metrics()).toBe("")
  await post(other, bodyOf("eth_blockNumber"))
  expect(one.metrics()).not.toContain("eth_blockNumber")
})

it("durations are counted in every bucket that is long enough, and added up", () => {
  const observed = fc.array(fc.constantFrom(0.0005, 0.001, 0.02, 0.7, 3, 99), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(observed, (seconds) => {
      const metrics = new Metrics()
      for (const each of seconds)
        metrics.observe({ network: "evm", method: "a", status: "200", credits: 1, seconds: each })
      const lines = new Map(
        metrics
          .render()
          .split("\n")
          .map((line) => [line.split(" ")[0], Number(line.split(" ")[1])]),
      )
      const name = "dotrpc_gateway_request_duration_seconds"
      for (const bound of ["0.001", "0.005", "0.025", "0.1", "0.5", "2.5", "10", "+Inf"])
        expect(lines.get(`${name}_bucket{network="evm",method="a",le="${bound}"}`)).toBe(
          seconds.filter((each) => each <= Number(bound.replace("+Inf", "Infinity"))).length,
        )
      expect(lines.get(`${name}_count{network="evm",method="a"}`)).toBe(seconds.length)
      expect(lines.get(`${name}_sum{network="evm",method="a"}`)).toBeCloseTo(
        seconds.reduce<number>((sum, each) => sum + each, 0),
      )
    }),
  )
})

balanceLaws("in memory", () => Promise.resolve([memoryBalances()]))

describe("balances that cannot be used", () => {
  const away = Effect.fail(new BalancesUnavailable({ why: "the server at redis.internal is away" }))
  const kept = memoryBalances()
  const check = (what: string, balances: Partial<Balances>, expected: object) =>
    it(what, async () => {
      const gateway = Gateway.make({ chain, balances: { ...kept, ...balances } })
      const { body, headers, status } = await post(gateway, bodyOf("eth_getLogs", [{}]), { takeRoom: () => false })
      expect({ status, cost: headers["x-credits-cost"], retry: headers["retry-after"] }).toEqual(expected)
      expect(body).not.toContain("redis.internal")
    })
  check("answer nothing rather than for free", { admit: () => away }, { status: 503, cost: undefined, retry: "1" })
  check("keep what they cannot return", { refund: () => away }, { status: 503, cost: "255", retry: "1" })

  it("say so over a WebSocket and on the credits route", async () => {
    const gateway = Gateway.make({ chain, balances: { ...kept, admit: () => away, balance: () => away } })
    const body = bodyOf("eth_chainId")
    const message = await Effect.runPromise(gateway.handleMessage({ network: "evm", key: "local", now: noon, body }))
    expect(JSON.parse(message ?? "")).toMatchObject({ error: { code: 503, message: "Service Unavailable" } })
    expect(creditsOf(gateway)).toMatchObject({ status: 503 })
  })
})
