/** Several gateways in front of one Redis server: one balance per key, never overspent, and nothing for free. */
import { isDeep } from "@dotrpc/vitest/depth"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Child } from "../src/Child.ts"
import { dotrpc, startDotrpc } from "../src/Dotrpc.ts"
import { canaryKey } from "../src/MeteredGateway.ts"
import { deadPort } from "../src/ports.ts"
import { type RedisServer, startRedis } from "@dotrpc/redis"

let redis: RedisServer

beforeAll(async () => {
  redis = await startRedis()
})

afterAll(() => redis.stop())

/** Sample data that is quick to make. */
const sample = ["--blocks", "5", "--logs", "5"]

const startGateway = async (daily: number, redisUrl: string) => {
  const flags = ["--port", "0", "--key", canaryKey, "--daily", String(daily), "--redis", redisUrl]
  const child = startDotrpc(["gateway", ...flags, ...sample])
  const [, port = ""] = await child.said(/"port":(\d+)/)
  return { child, base: `http://127.0.0.1:${port}/evm/v3/${encodeURIComponent(canaryKey)}` }
}

const post = async (base: string, method: string, params: ReadonlyArray<unknown>) => {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const reply = await fetch(base, { method: "POST", headers, body })
  const cost = reply.headers.get("x-credits-cost")
  return { status: reply.status, cost: Number(cost), text: await reply.text() }
}

const creditsOf = async (base: string) => {
  const reply = await fetch(`${base}/credits`)
  return (await reply.json()) as { readonly spent: number; readonly remaining: number; readonly byMethod: object }
}

const stopAll = async (children: ReadonlyArray<Child>) => {
  await Promise.all(children.map((child) => child.stop()))
  for (const child of children) expect(child.stdout() + child.stderr()).not.toContain(canaryKey)
}

describe("gateways that share a Redis server", () => {
  it("never spend more than the daily balance together, and agree on what was spent", async () => {
    const client = new Redis(redis.url)
    await client.flushall()
    client.disconnect()
    const daily = 10_000
    const gateways = await Promise.all(Array.from({ length: isDeep ? 4 : 2 }, () => startGateway(daily, redis.url)))
    const replies = await Promise.all(
      Array.from({ length: 160 }, (_, index) => {
        const { base } = gateways[index % gateways.length] ?? gateways[0] ?? { base: "" }
        // A method that nobody has is charged in full first and mostly returned.
        if (index % 3 === 0) return post(base, "eth_getLogs", [{ fromBlock: "0x2", toBlock: "0x1" }])
        return index % 3 === 1 ? post(base, "eth_blockNumber", []) : post(base, "eth_foo", [])
      }),
    )
    const spent = replies.reduce((sum, { cost }) => sum + cost, 0)
    const statuses = new Set(replies.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 402])
    expect(spent).toBeLessThanOrEqual(daily)
    expect(spent).toBeGreaterThan(daily - 255)
    const reports = await Promise.all(gateways.map(({ base }) => creditsOf(base)))
    for (const report of reports) expect(report).toEqual(reports[0])
    expect(reports[0]).toMatchObject({ spent, remaining: daily - spent })
    await stopAll(gateways.map(({ child }) => child))
  })

  it("leave no key on the server that could be used", async () => {
    const { base, child } = await startGateway(10_000, redis.url)
    await post(base, "eth_chainId", [])
    const client = new Redis(redis.url)
    const names = await client.keys("*")
    const dump = await Promise.all(names.map(async (name) => [name, await client.get(name)]))
    client.disconnect()
    expect(names.every((name) => /^\{dotrpc:gateway:[0-9a-f]{32}\}:ledger$/.test(name))).toBe(true)
    expect(JSON.stringify(dump)).not.toContain(canaryKey)
    await stopAll([child])
  })

  it("refuse every request while it is gone, say why once to anyone who runs them, and go on when it is back", async () => {
    const first = await startRedis()
    const { base, child } = await startGateway(10_000, first.url)
    expect(await post(base, "eth_chainId", [])).toMatchObject({ status: 200, cost: 5 })
    await first.stop()
    for (let time = 0; time < 3; time++) {
      const refused = await post(base, "eth_chainId", [])
      expect(refused.status).toBe(503)
      expect(JSON.parse(refused.text)).toMatchObject({ code: 503, message: "Service Unavailable" })
      expect(refused.text).not.toContain(first.port)
    }
    expect((await fetch(`${base}/credits`)).status).toBe(503)
    expect((await fetch(new URL("/healthz", base))).status).toBe(200)
    const second = await startRedis(first.port)
    await expect.poll(async () => (await post(base, "eth_chainId", [])).status).toBe(200)
    await stopAll([child])
    await second.stop()
    expect(
      child.stderr().match(/requests are refused: the Redis server at 127\.0\.0\.1:\d+ cannot be reached/g),
    ).toHaveLength(1)
    expect(child.stderr().match(/are back: requests are answered again/g)).toHaveLength(1)
  })
})

describe("dotrpc gateway --redis", () => {
  const password = "s3cret-of-the-team"
  const check = (what: string, urlOf: () => Promise<string>, exitCode: number, said: RegExp) =>
    it(what, async () => {
      const run = await dotrpc(["gateway", "--port", "0", ...sample, "--redis", await urlOf()])
      expect(run.stderr).toMatch(said)
      expect(run.stdout + run.stderr).not.toContain(password)
      expect(run.exitCode).toBe(exitCode)
    })

  check(
    "does not begin where no server is",
    async () => `redis://:${password}@127.0.0.1:${await deadPort()}`,
    3,
    /cannot be reached \(connect ECONNREFUSED/,
  )
  check(
    "explains an address that is not one of Redis",
    () => Promise.resolve(`http://:${password}@127.0.0.1`),
    2,
    /Write the URL of a Redis server as redis:\/\/host:6379/,
  )
  it("says that a password is wrong", async () => {
    const locked = await startRedis(undefined, "--requirepass", "another")
    const url = `redis://:${password}@127.0.0.1:${locked.port}`
    const run = await dotrpc(["gateway", "--port", "0", ...sample, "--redis", url])
    await locked.stop()
    expect(run.stderr).toMatch(/refused \(WRONGPASS/)
    expect(run.stdout + run.stderr).not.toContain(password)
    expect(run.exitCode).toBe(3)
  })
})
