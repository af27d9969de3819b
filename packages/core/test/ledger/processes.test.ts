/** A ledger in a file under real processes, one of which is killed. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
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
  readonly spent: Promise<number>
  readonly killAfter: (calls: number) => Promise<void>
}

const start = (path: string, daily: number, calls: number): Spender => {
  const worker = join(import.meta.dirname, "worker.ts")
  const args = ["--conditions=dotrpc-source", worker, path, String(daily), String(calls)]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  running.add(child)
  let text = ""
  const grown = new Set<() => void>()
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    for (const check of grown) check()
  })
  const lines = () => text.split("\n").slice(0, -1)
  return {
    spent: new Promise((resolve) =>
      child.on("close", () => {
        running.delete(child)
        resolve(lines().reduce((sum, line) => sum + Number(line), 0))
      }),
    ),
    killAfter: (calls) =>
      new Promise((resolve) =>
        grown.add(() => {
          if (lines().length < calls) return
          child.kill("SIGKILL")
          resolve()
        }),
      ),
  }
}

const total = async (spenders: ReadonlyArray<Spender>) =>
  (await Promise.all(spenders.map(({ spent }) => spent))).reduce((sum, spent) => sum + spent, 0)

/** What the file says, as much later as asked for. */
const balanceIn = (path: string, later: number, daily: number) =>
  Effect.andThen(
    TestClock.setTime(Date.now() + later),
    Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance),
  ).pipe(Effect.provide(CreditLedger.layerFile(path, { daily })), Effect.provide(TestClock.layer()), Effect.runPromise)

it("processes that begin together on a file that is not there share one balance to the end", async () => {
  const path = join(folder, "together", "credits.sqlite")
  const daily = 20_000
  const spent = await total([1, 2, 3, 4].map(() => start(path, daily, 10_000)))
  const balance = await balanceIn(path, 0, daily)
  expect(balance.spent).toBe(spent)
  expect(balance.byMethod).toEqual({ test_get: spent })
  expect([balance.reserved, balance.lost]).toEqual([0, 0])
  expect(spent).toBeLessThanOrEqual(daily)
  expect(spent).toBeGreaterThan(daily - 1_000)
}, 60_000)

it("a process that is killed loses at most what it had paid ahead, and no charge of any is lost", async () => {
  const path = join(folder, "killed", "credits.sqlite")
  const daily = 3_000_000
  const killed = start(path, daily, 1_000_000)
  const others = [1, 2].map(() => start(path, daily, 500))
  await killed.killAfter(100)
  const spent = await total([killed, ...others])
  const { lost, reserved, spent: counted } = await balanceIn(path, 31_000, daily)
  expect(reserved).toBe(0)
  expect(counted).toBeGreaterThanOrEqual(spent)
  expect(counted - spent).toBeLessThanOrEqual(9 * 80)
  expect(lost).toBeLessThanOrEqual(9 * 80)
}, 60_000)
