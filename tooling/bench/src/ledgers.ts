/** The CPU of one reservation and its settlement, 64 in flight at a time, in each place where a balance can be kept. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CreditLedger } from "@dotrpc/core"
import { Effect, type Layer, ManagedRuntime } from "effect"
import type { Options } from "@dotrpc/spec"
import { cpuPerPiece } from "./measure.ts"

/** A file of its own, which is gone when the process ends. Each call that is not paid ahead replaces it. */
export const ledgerInFile = (
  daily: number,
  ahead?: number,
): Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> => {
  return CreditLedger.layerFile(join(ownFolder(), "credits.json"), { daily, ahead })
}

/** It is gone when the process ends. */
const ownFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const port = 46_379

const makers: Readonly<
  Record<string, (daily: number) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>>
> = {
  "in memory": (daily) => CreditLedger.layerMemory({ daily }),
  "in a file": (daily) => ledgerInFile(daily),
  "in a file, nothing paid ahead": (daily) => ledgerInFile(daily, 0),
  "on a Redis server": (daily) => ledgerOnRedis(daily),
}

const ledgerOnRedis = (daily: number): Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> => {
  const server = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", ""], {
    stdio: "ignore",
  })
  process.on("exit", () => void server.kill())
  return CreditLedger.layerRedis({ url: `redis://127.0.0.1:${port}`, daily })
}

/** Redis takes part where it is installed; its own CPU is not counted. */
export const contenders = (): ReadonlyArray<string> => {
  const hasRedis = spawnSync("redis-server", ["--version"]).status === 0
  return Object.keys(makers).filter((name) => hasRedis || !name.includes("Redis"))
}

export const measure = (contender: string): Promise<number> => {
  const make = makers[contender]
  if (make === undefined) throw new Error(`Unknown ledger: ${contender}`)
  const runtime = ManagedRuntime.make(make(Number.MAX_SAFE_INTEGER))
  const charge = { method: "eth_getStorageAt", network: "local" }
  // A server that has just been started may not be reached at once.
  const reserve = (ledger: CreditLedger.CreditLedger["Service"]) =>
    Effect.retry(ledger.reserve(80), { times: 50, while: ({ _tag }) => _tag === "LedgerUnavailable" })
  return cpuPerPiece(
    (count) =>
      runtime.runPromise(
        Effect.flatMap(CreditLedger.CreditLedger, (ledger) =>
          Effect.forEach(
            Array.from({ length: count }),
            () => Effect.flatMap(reserve(ledger), (reservation) => ledger.settle(reservation, 80, charge)),
            { concurrency: 64, discard: true },
          ),
        ),
      ),
    { warmUp: 5_000, count: 20_000 },
  )
}
