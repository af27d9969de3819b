/** Every store of a ledger, for the laws that all of them obey. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Redis } from "ioredis"
import { afterAll, beforeAll } from "vitest"
import { startPostgres } from "@dotrpc/postgres"
import { startRedis } from "@dotrpc/redis"
import type { Options, RpcReason } from "@dotrpc/spec"
import { CreditLedger, PostgresLedger } from "../../src/index.ts"

/** Starts what the store needs. Each call of what it gives is a place of its own. */
export interface Store {
  readonly name: string
  readonly places: () => () => Place
}

/** Where a balance is kept: each layer stands for a process that keeps it there. */
export interface Place {
  readonly layer: (
    options: CreditLedger.SharedOptions,
  ) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>
  readonly setSpent: (spent: number) => Effect.Effect<void, RpcReason.LedgerUnavailable>
  readonly text: Effect.Effect<string>
  readonly replace: (text: string) => Effect.Effect<void>
  /** For a process of its own; see `worker.ts`. */
  readonly address: string
}

let places = 0

const file: Store = {
  name: "in a file",
  places: () => {
    const folder = mkdtempSync(join(tmpdir(), "dotrpc-ledger-"))
    afterAll(() => rmSync(folder, { recursive: true }))
    return () => {
      const path = join(folder, `${places++}`, "credits.json")
      return {
        layer: (options) => CreditLedger.layerFile(path, options),
        setSpent: (spent) => CreditLedger.setSpentInFile(path, spent),
        text: Effect.sync(() => (existsSync(path) ? readFileSync(path, "utf8") : "")),
        replace: (text) => Effect.sync(() => writeFileSync(path, text)),
        address: path,
      }
    }
  },
}

const redis: Store = {
  name: "on a Redis server",
  places: () => {
    let server: Awaited<ReturnType<typeof startRedis>>
    let client: Redis
    beforeAll(async () => {
      server = await startRedis()
      client = new Redis(server.port)
    })
    afterAll(async () => {
      client.disconnect()
      await server.stop()
    })
    return () => {
      const prefix = `place-${places++}`
      const where = (options: CreditLedger.SharedOptions) => ({ url: server.url, prefix, ...options })
      const key = `{${prefix}}:ledger`
      return {
        layer: (options) => CreditLedger.layerRedis(where(options)),
        setSpent: (spent) => CreditLedger.setSpentOnRedis(where({}), spent),
        text: Effect.promise(async () => (await client.get(key)) ?? ""),
        replace: (text) => Effect.promise(() => client.set(key, text)),
        address: `${server.url} ${prefix}`,
      }
    }
  },
}

const postgres: Store = {
  name: "on a PostgreSQL server",
  places: () => {
    let server: Awaited<ReturnType<typeof startPostgres>>
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.stop())
    const on = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
      Effect.flatMap(SqlClient.SqlClient, use).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(server.url) })),
        Effect.orDie,
      )
    return () => {
      const name = `place-${places++}`
      const where = (options: CreditLedger.SharedOptions) => ({ url: server.url, name, ...options })
      return {
        layer: (options) => PostgresLedger.layer(where(options)),
        setSpent: (spent) => PostgresLedger.setSpent(where({}), spent),
        text: Effect.suspend(() =>
          on((sql) => sql<{ readonly state: string }>`SELECT state FROM dotrpc_ledger WHERE name = ${name}`),
        ).pipe(Effect.map(([row]) => row?.state ?? "")),
        replace: (text) =>
          Effect.suspend(() => on((sql) => sql`UPDATE dotrpc_ledger SET state = ${text} WHERE name = ${name}`)).pipe(
            Effect.asVoid,
          ),
        address: `${server.url} ${name}`,
      }
    }
  },
}

/** The list of them: those of this machine, and those that need a server. */
export const localStores: ReadonlyArray<Store> = [file]
export const serverStores: ReadonlyArray<Store> = [redis, postgres]
