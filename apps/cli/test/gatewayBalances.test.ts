import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { canary, type Running, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

const root = temporaryFolder()

let folder = root
beforeEach(() => {
  folder = mkdtempSync(join(root, "user-"))
})

const place = () => ({ cwd: folder, env: { XDG_DATA_HOME: folder } })
const launched = (args: ReadonlyArray<string>) => ["gateway", "--port", "0", "--blocks", "5", "--logs", "5", ...args]
const launch = (...args: ReadonlyArray<string>) => startAt(place(), ...launched(args))
const launchProcess = (...args: ReadonlyArray<string>) => spawnAt(place(), ...launched(args))

const stop = async (running: Running) => {
  running.interrupt()
  await running.outcome
}

const ready = async (running: Running) => {
  await running.printed('"ready":true')
  const { key = canary, port } = JSON.parse(running.soFar()) as { readonly port: number; readonly key?: string }
  return `http://127.0.0.1:${port}/evm/v3/${key}`
}

/** What a call cost, by its headers. */
const call = async (base: string): Promise<number> => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const reply = await fetch(base, { method: "POST", headers: { "content-type": "application/json" }, body })
  await reply.text()
  return reply.status === 200 ? Number(reply.headers.get("x-credits-cost")) : 0
}

const spentAt = async (base: string): Promise<number> =>
  ((await (await fetch(`${base}/credits`)).json()) as { readonly spent: number }).spent

const userFolder = () => join(folder, "dotrpc", "gateway")

describe("the balances of a gateway", () => {
  it("give nothing back, at whatever moment it is killed", async () => {
    let answered = 0
    for (let time = 0; time < 3; time++) {
      const running = launchProcess("--key", canary)
      const base = await ready(running)
      expect(await spentAt(base)).toBeGreaterThanOrEqual(answered)
      answered = await spentAt(base)
      // Some of these are in flight when the process ends.
      const calls = Array.from({ length: 60 }, () =>
        call(base).then(
          (cost) => (answered += cost),
          () => 0,
        ),
      )
      await Promise.race(calls)
      await calls[5]
      running.kill()
      await Promise.all(calls)
      await running.outcome
    }
    const running = launch("--key", canary)
    const base = await ready(running)
    const spent = await spentAt(base)
    await stop(running)
    expect(answered).toBeGreaterThan(0)
    expect(spent).toBeGreaterThanOrEqual(answered)
  })

  it("are one for several gateways, which never overspend together", async () => {
    const gateways = [1, 2].map(() => launchProcess("--key", canary, "--daily", "400"))
    const bases = await Promise.all(gateways.map(ready))
    const costs = await Promise.all(Array.from({ length: 120 }, (_, index) => call(bases[index % 2] ?? "")))
    const reports = await Promise.all(bases.map(spentAt))
    for (const gateway of gateways) gateway.kill()
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(400)
    expect(reports).toEqual([400, 400])
  })

  it("are kept in a folder of the user for a key that was given, and in memory for one that was made", async () => {
    const made = launch()
    await call(await ready(made))
    await stop(made)
    expect(existsSync(userFolder())).toBe(false)
    const given = launch("--key", canary)
    await ready(given)
    await stop(given)
    expect(existsSync(userFolder())).toBe(true)
  })

  it("may be kept in memory or in another folder", async () => {
    for (const place of ["memory", "other"]) {
      const running = launch("--key", canary, "--balances", place)
      await ready(running)
      await stop(running)
    }
    expect(existsSync(userFolder())).toBe(false)
    expect(existsSync(join(folder, "other"))).toBe(true)
  })

  const refused = (what: string, args: ReadonlyArray<string>, code: number, said: RegExp) =>
    it(what, async () => {
      writeFileSync(join(folder, "file.sqlite"), "")
      const outcome = await launch("--key", canary, ...args).outcome
      expect(outcome.stderr).toMatch(said)
      expect(outcome.stderr).not.toMatch(/\n {4}at /)
      expect(outcome.code).toBe(code)
    })
  refused("need a folder", ["--balances", "file.sqlite"], 3, /give the path of a folder[^]*--balances memory/)
  refused(
    "are not kept in two places",
    ["--balances", "a", "--redis", "redis://127.0.0.1:1"],
    2,
    /use only one of them/,
  )
  refused(
    "are not there without their server, which is said once",
    ["--redis", "redis://127.0.0.1:2"],
    3,
    /^dotrpc: the gateway did not start: the Redis server at 127\.0\.0\.1:2 cannot be reached [^\n]*\n$/,
  )
})
