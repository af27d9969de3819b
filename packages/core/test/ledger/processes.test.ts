/** A ledger in a file under real processes, one of which is killed. */
import { type ChildProcess, spawn } from "node:child_process"
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { isDeep } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { afterAll, expect, it } from "vitest"
import { CreditLedger } from "../../src/index.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-ledger-"))
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
  rmSync(folder, { recursive: true })
})

interface Spender {
  /** What it said to have spent; resolves when it has ended. */
  readonly spent: () => Promise<number>
  /** Resolves once it has said that it has made so many calls. */
  readonly reached: (calls: number) => Promise<void>
  readonly killAfter: (calls: number) => Promise<void>
}

/** By how many days a wall clock is wrong, from one call up to another. */
interface Wrong {
  readonly days: number
  readonly from: number
  readonly to: number
}

const start = (path: string, daily: number, calls: number, wrong: Wrong = { days: 0, from: 0, to: 0 }): Spender => {
  const worker = join(import.meta.dirname, "worker.ts")
  const args = ["--conditions=dotrpc-source", worker, path, daily, calls, wrong.days, wrong.from, wrong.to].map(String)
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  running.add(child)
  /** What it said of each call. Warnings are among the lines where a file was restored. */
  const charges: Array<number> = []
  const grown = new Set<() => void>()
  createInterface(child.stdout).on("line", (line) => {
    if (/^\d+$/.test(line)) charges.push(Number(line))
    for (const check of grown) check()
  })
  const ended = new Promise<boolean>((resolve) =>
    child.on("close", (code, signal) => {
      running.delete(child)
      resolve(code === 0 || signal === "SIGKILL")
    }),
  )
  const reached = (calls: number) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (charges.length < calls) return
        grown.delete(check)
        resolve()
      }
      grown.add(check)
      void ended.then(() => reject(new Error(`it ended after ${charges.length} calls`)))
      check()
    })
  return {
    spent: async () => {
      if (!(await ended)) throw new Error(`it failed after ${charges.length} calls`)
      return charges.reduce((sum, charged) => sum + charged, 0)
    },
    reached,
    killAfter: async (calls) => {
      await reached(calls)
      child.kill("SIGKILL")
    },
  }
}

const total = async (spenders: ReadonlyArray<Spender>) =>
  (await Promise.all(spenders.map(({ spent }) => spent()))).reduce((sum, spent) => sum + spent, 0)

/** Each process takes a second to begin. */
const several = isDeep ? 4 : 2

/** What the file says, as much later as asked for. */
const balanceIn = (path: string, later: number, daily: number) =>
  Effect.andThen(
    TestClock.setTime(Date.now() + later),
    Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance),
  ).pipe(Effect.provide(CreditLedger.layerFile(path, { daily })), Effect.provide(TestClock.layer()), Effect.runPromise)

it("processes that begin together on a file that does not exist share one balance to the end", async () => {
  const path = join(folder, "together", "credits.sqlite")
  const daily = 20_000
  const spent = await total(Array.from({ length: several }, () => start(path, daily, 10_000)))
  const balance = await balanceIn(path, 0, daily)
  expect(balance.spent).toBe(spent)
  expect(balance.byMethod).toEqual({ test_get: spent })
  expect([balance.reserved, balance.lost]).toEqual([0, 0])
  expect(spent).toBeLessThanOrEqual(daily)
  expect(spent).toBeGreaterThan(daily - 1_000)
})

it("a process that is killed over-counts by two calls at most, and no charge of any is lost", async () => {
  const path = join(folder, "killed", "credits.sqlite")
  const daily = 3_000_000
  const killed = start(path, daily, 1_000_000)
  const others = Array.from({ length: several / 2 }, () => start(path, daily, 500))
  await killed.killAfter(100)
  const spent = await total([killed, ...others])
  const { lost, reserved, spent: counted } = await balanceIn(path, 31_000, daily)
  expect(reserved).toBe(0)
  expect(counted).toBeGreaterThanOrEqual(spent)
  expect(counted - spent).toBeLessThanOrEqual(2 * 80)
  expect(lost).toBeGreaterThan(0)
})

const wrongClocks: Readonly<Record<string, ReadonlyArray<Wrong>>> = {
  "10 days ahead for a moment": [{ days: 10, from: 100, to: 300 }],
  "40 and 70 days ahead all the time": [
    { days: 40, from: 0, to: 100_000 },
    { days: 70, from: 0, to: 100_000 },
  ],
  "10 days behind for a moment": [{ days: -10, from: 100, to: 300 }],
  "ahead, and behind": [
    { days: 10, from: 50, to: 150 },
    { days: -3, from: 100, to: 200 },
  ],
}

for (const [name, wrong] of isDeep ? Object.entries(wrongClocks) : [])
  it(`processes whose clocks are ${name} share one balance with another, and no charge is lost`, async () => {
    const path = join(folder, name, "credits.sqlite")
    const daily = 100_000
    const right = start(path, daily, 3_000)
    await right.reached(20)
    const spent = await total([right, ...wrong.map((one) => start(path, daily, 3_000, one))])
    const balance = await balanceIn(path, 0, daily)
    expect(balance.spent).toBe(spent)
    expect(balance.byMethod).toEqual({ test_get: spent })
    expect([balance.reserved, balance.lost]).toEqual([0, 0])
    expect(spent).toBeLessThanOrEqual(daily)
  })

/** What may happen to the files of a ledger while processes use them. */
const harms: Readonly<Record<string, (path: string, at: number) => void>> = {
  "no file is touched": () => undefined,
  "the file is deleted": (path) => rmSync(path, { force: true }),
  "the file is moved away": (path) => moveAway([path]),
  "the file and its log are moved away": (path) => moveAway([path, `${path}-wal`]),
  "a file of another kind takes its place": (path) => writeFileSync(path, "no ledger"),
  "the file is emptied": (path) => existsSync(path) && truncateSync(path, 0),
  "the file is cut off": (path, at) => existsSync(path) && truncateSync(path, Math.floor(at * statSync(path).size)),
  "bits of the file flip": (path, at) => flip(path, at),
  "the log is deleted": (path) => rmSync(`${path}-wal`, { force: true }),
  "the second copy is deleted": (path) => rmSync(`${path}.copy`, { force: true }),
  "bits of the second copy flip": (path, at) => flip(`${path}.copy`, at),
  "the lock is deleted": (path) => rmSync(`${path}.guard`, { force: true }),
  "the marks are deleted": (path) => rmSync(`${path}.used`, { recursive: true, force: true }),
  "the file is replaced by an older one": (path) => {
    const older = `${path}.older`
    if (existsSync(older)) renameSync(older, path)
    else if (existsSync(path)) copyFileSync(path, older)
  },
}

const moveAway = (files: ReadonlyArray<string>) => {
  for (const file of files)
    try {
      renameSync(file, `${file}.moved`)
    } catch (error) {
      // There may be no file at the moment.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    }
}

const flip = (file: string, at: number) => {
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  const position = Math.floor(at * bytes.length)
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, Buffer.from([(bytes[position] ?? 0) ^ 0b1000]), 0, 1, position)
  closeSync(descriptor)
}

const harmsInUse = new Set([
  "the file is deleted",
  "the file and its log are moved away",
  "the file is replaced by an older one",
])

for (const [name, harm] of Object.entries(harms).filter(([name]) => isDeep && harmsInUse.has(name)))
  it(`processes that are open when ${name} again and again go on, and never spend more than there is together`, async () => {
    const path = join(folder, `limit: ${name}`, "credits.sqlite")
    const daily = 300_000
    const open = Array.from({ length: 3 }, () => start(path, daily, 25_000))
    await Promise.all(
      open.map(async (process, index) => {
        for (let times = 1; times <= 20; times++) {
          // One that begins late may find nothing left.
          await process.reached(times * 50 + index * 10).catch(() => undefined)
          harm(path, 0.5)
        }
      }),
    )
    const spent = await total(open)
    expect(spent).toBeLessThanOrEqual(daily)
    const { spent: counted } = await balanceIn(path, 31_000, daily)
    expect(counted).toBeGreaterThanOrEqual(spent)
  })

/** Kills each of several processes at a call of its own, and harms the files at others. */
const checkHarm = (name: string, harm: (path: string, at: number) => void) =>
  it(`nothing that was spent is forgotten when processes are killed and ${name}`, async () => {
    const path = join(folder, name, "credits.sqlite")
    const daily = 3_000_000
    const [seed = 1] = fc.sample(fc.nat(), 1)
    const random = randomFrom(seed)
    const killed = Array.from({ length: several }, () => start(path, daily, 1_000_000))
    await Promise.all(
      killed.map(async (process) => {
        await process.reached(1 + Math.floor(random() * 50))
        harm(path, random())
        await process.killAfter(50 + Math.floor(random() * 500))
      }),
    )
    const spent = await total(killed)
    harm(path, random())
    const { spent: counted } = await balanceIn(path, 31_000, daily)
    expect(counted, `seed ${seed}`).toBeGreaterThanOrEqual(spent)
    // Without its mark a lease counts whole.
    const calls = name === "the marks are deleted" ? 2 + 64 : 2
    expect(counted - spent, `seed ${seed}`).toBeLessThanOrEqual(killed.length * calls * 80)
  })

const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

for (const [name, harm] of Object.entries(harms).filter(([name]) => isDeep || name === "bits of the file flip"))
  checkHarm(name, harm)
