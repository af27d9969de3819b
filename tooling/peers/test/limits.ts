/**
 * All limits of a backfill at once, over real processes that share a store and a ledger. One of them is killed while it reads. What the
 * node was asked for is counted by the node, and compared with each limit at every call. The limit of each second, which needs a
 * real clock, is added in deep runs.
 */
import { Json } from "@dotrpc/spec"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Evm } from "@dotrpc/plugin-evm"
import { expect } from "vitest"
import type { Child } from "../src/Child.ts"
import { type AnsweredCall, logOf, startCountingNode } from "../src/CountingNode.ts"
import { dotrpc, finished, startDotrpc } from "../src/Dotrpc.ts"
import { startClock } from "../src/SettableClock.ts"

export const price = Evm.GetLogs.price.credits
const prices: Readonly<Record<string, number>> = {
  eth_getLogs: price,
  eth_getBlockByNumber: Evm.GetBlockByNumber.price.credits,
}
export const costOf = (calls: ReadonlyArray<AnsweredCall>): number =>
  calls.reduce((sum, { method }) => sum + (prices[method] ?? 0), 0)

const head = 2_399
const span = 20
/** A range that takes some 120 calls. */
const query = JSON.stringify([{ fromBlock: "0x0", toBlock: `0x${head.toString(16)}` }])

/** Calls after which the range is worth dividing. */
const alone = 20

/** What is left of the first day, of each hour, and in all, in credits. */
const limits = {
  firstDay: 30 * price,
  perHour: 40 * price,
  all: 95 * price,
}
const daily = 1_000_000

const midnight = new Date("2031-05-04T00:00:00Z")
const hour = 3_600_000

/** What a run has besides. */
interface Besides {
  /** Credits of each second. */
  readonly perSecond?: number | undefined
  /** Sees each call, after those before it. */
  readonly onCall?: ((seen: ReadonlyArray<AnsweredCall>) => void) | undefined
}

/** Workers keep all limits together, also when one is killed, wait for midnight, and go on by themselves. Returns limits that were broken. */
export const playLimits = async ({ onCall, perSecond }: Besides = {}): Promise<ReadonlyArray<string>> => {
  const room = mkdtempSync(join(tmpdir(), "dotrpc-limits-"))
  const clock = startClock(join(room, "clock"), midnight.getTime() - hour / 2)
  const broken: Array<string> = []
  const seen: Array<AnsweredCall> = []
  const clients = () => new Set(seen.map(({ client }) => client)).size
  let release = () => {}
  const others = new Promise<void>((resolve) => (release = resolve))
  let allowed = limits.all
  let perHour = limits.perHour
  const node = await startCountingNode(clock.now, (call) => {
    seen.push(call)
    const check = (what: string, calls: ReadonlyArray<AnsweredCall>, limit: number) => {
      const cost = costOf(calls)
      if (cost > limit) broken.push(`${cost} credits ${what}, of ${limit}, with call ${seen.length}`)
    }
    const ofBackfill = seen.filter(({ method }) => method === "eth_getLogs")
    check("in all", ofBackfill, allowed)
    const thisHour = Math.floor(call.at / hour)
    check(
      "in an hour",
      ofBackfill.filter(({ at }) => Math.floor(at / hour) === thisHour),
      perHour,
    )
    if (call.at < midnight.getTime()) check("on the first day", seen, limits.firstDay)
    onCall?.(seen)
    if (clients() > 1) release()
    // The first worker does not read everything before the others have started.
    return ofBackfill.length > alone ? others : undefined
  })
  const env = { ...clock.env, XDG_DATA_HOME: join(room, "data"), XDG_CACHE_HOME: join(room, "cache") }
  /** Each process has a project of its own, so that the node can tell them apart. */
  const projectOf = (client: string): string => {
    const folder = join(room, client)
    mkdirSync(folder)
    const networks = { evm: { plugin: "evm", url: node.urlOf(client), spanCap: span } }
    const config = { networks, ledger: "file", limits: { daily, perSecond } }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify(config))
    return folder
  }
  const logs = join(room, "logs")
  const out = ["--output", logs]
  const backfill = (folder: string, ...args: ReadonlyArray<string>) => startDotrpc(["backfill", ...args], env, folder)
  const run = async (folder: string, ...args: ReadonlyArray<string>) => finished(backfill(folder, ...args), env)
  const home = projectOf("home")
  const workers: Array<Child> = []
  try {
    await dotrpc(["credits", "set", `${daily - limits.firstDay}`], env, home)
    const given = ["--max-credits", `${limits.all}`, "--max-credits-per-hour", `${limits.perHour}`]
    workers.push(
      backfill(
        projectOf("one"),
        "start",
        "eth_getLogs",
        query,
        "--format",
        "ndjson",
        ...out,
        "--parallel",
        "1",
        ...given,
      ),
    )
    await expect.poll(() => costOf(seen)).toBeGreaterThan(2 * price)
    for (const name of ["two", "three"]) workers.push(backfill(projectOf(name), "worker", ...out, "--parallel", "1"))
    await expect.poll(clients).toBe(2)
    workers[0]?.send("SIGKILL")
    workers.push(backfill(projectOf("four"), "worker", ...out, "--parallel", "1"))

    // The day ends for all of them, before any other limit does.
    await expect.poll(() => statusIn(logs).wake).toBe(midnight.getTime())
    expect(clock.now()).toBeLessThan(midnight.getTime())
    clock.moveTo(midnight.getTime() - 1_000)

    // Nobody wakes them. What is left of leases may still be used before midnight: the node compares the first day with its limit.
    const ofNewDay = () => seen.filter(({ at }) => at >= midnight.getTime())
    await expect.poll(() => ofNewDay().length).toBeGreaterThan(4)
    // The first hour of the new day ends for all of them.
    await expect.poll(() => statusIn(logs).wake).toBe(midnight.getTime() + hour)

    // What was given to the backfill is used up.
    perHour = daily
    const more = ["--max-credits-per-hour", `${perHour}`]
    expect((await run(home, "resume", ...out, ...more)).exitCode).toBe(4)
    for (const worker of workers.slice(1)) expect(await worker.ended, worker.stderr()).toBe(4)
    expect(costOf(seen)).toBeGreaterThan(limits.firstDay)
    // What the process had that was killed is in it.
    expect(statusIn(logs).credits).toBeLessThanOrEqual(limits.all)

    allowed = daily
    const { exitCode, stderr } = await run(projectOf("last"), "resume", ...out, "--max-credits", `${allowed}`)
    expect(exitCode, stderr).toBe(0)
    expect(rowsIn(logs)).toEqual(Array.from({ length: head + 1 }, (_, block) => logOf(block)))
    const { spent } = Json.parse((await dotrpc(["credits", "--format", "json"], env, home)).stdout) as {
      readonly spent: number
    }
    expect(spent).toBeGreaterThanOrEqual(costOf(ofNewDay()))
    return broken
  } finally {
    for (const worker of workers) await worker.stop()
    await node.close()
    rmSync(room, { recursive: true, force: true })
  }
}

/** What the workers say. */
const statusIn = (folder: string): { readonly wake: number; readonly credits: number } => {
  const path = join(folder, ".backfill/status.json")
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { wake: 0, credits: 0 }
}

const rowsIn = (folder: string): ReadonlyArray<Json.Json> => {
  const manifest = Json.parse(readFileSync(join(folder, "_manifest.json"), "utf8")) as {
    readonly parts: ReadonlyArray<{ readonly file: string }>
  }
  const lines = manifest.parts.flatMap(({ file }) => readFileSync(join(folder, file), "utf8").split("\n"))
  return lines.filter((line) => line !== "").map((line) => Json.parse(line))
}
