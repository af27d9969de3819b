/** What a store carries without anything else: pieces that record call after call, as fast as it answers. */
import { Store } from "@dotrpc/backfill"
import { SqliteFile } from "@dotrpc/core"
import { startPostgres } from "@dotrpc/postgres"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cpuOf, processOf } from "./processes.ts"

/** Characters of what a piece has learned after some hundred calls, which each call records. */
const learned = "x".repeat(15_000)

const pieces = 16
const seconds = 10

export const columns = [
  "store",
  "calls recorded per second",
  "CPU of the worker per call",
  "CPU of the database per call",
]

interface Load {
  readonly calls: number
  readonly cpu: number
}

/** Each piece is of a backfill of its own: their rows are as far from each other as those of one. */
const load = Effect.gen(function* () {
  const store = yield* Store.Store
  const all = yield* Effect.forEach(Array.from({ length: pieces }).keys(), (index) =>
    Effect.gen(function* () {
      const key = { backfill: `load ${index}`, id: 0 }
      const order = { method: "eth_getLogs", network: "evm", params: "[{}]", from: 0, to: 1e9 }
      yield* store.create({ ...order, id: key.backfill, format: "ndjson", follow: false }, { folder: "logs" })
      const piece = yield* store.claim(key, "worker")
      return piece ?? (yield* Effect.die(new Error("A new backfill has a piece.")))
    }),
  )
  const before = process.cpuUsage()
  const end = performance.now() + seconds * 1_000
  let calls = 0
  const record = Effect.fnUntraced(function* ({ backfill, epoch, id }: (typeof all)[number]) {
    for (let next = 1; performance.now() < end; next++, calls++)
      yield* store.progress({ backfill, id }, epoch, { next, rows: next, calls: 1, credits: 255, span: 20, learned })
  })
  yield* Effect.forEach(all, record, { concurrency: "unbounded", discard: true })
  const { system, user } = process.cpuUsage(before)
  return { calls, cpu: (system + user) / 1_000 } satisfies Load
})

/** A row per store. */
export async function* rows(): AsyncGenerator<ReadonlyArray<string>, void> {
  const row = (name: string, { calls, cpu }: Load, database?: number) => [
    name,
    Math.round(calls / seconds).toLocaleString("en"),
    `${(cpu / calls).toFixed(2)} ms`,
    database === undefined ? "in the worker" : `${(database / calls).toFixed(2)} ms`,
  ]
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-store-"))
  try {
    const sqlite = Store.layer.pipe(Layer.provide(SqliteFile.layer(join(folder, "store.sqlite"), { isDurable: true })))
    yield row("SQLite", await Effect.runPromise(Effect.provide(load, sqlite)))
  } finally {
    rmSync(folder, { recursive: true })
  }
  // What is committed reaches the disk, as it does where somebody relies on it.
  await using postgres = await startPostgres({ fsync: "on" })
  const database = Store.layer.pipe(
    Layer.provide(PgClient.layer({ url: Redacted.make(postgres.url), maxConnections: 8 })),
  )
  const main = processOf(postgres.port)
  const before = cpuOf(main)
  const used = await Effect.runPromise(Effect.provide(load, database))
  yield row("PostgreSQL", used, cpuOf(main) - before)
}
