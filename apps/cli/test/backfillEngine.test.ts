/** What Effect's cluster says of itself is not for users, who know neither its shards nor its runners. */
import { Engine } from "@dotrpc/backfill"
import { SqliteFile } from "@dotrpc/core"
import { Deferred, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { expect, it } from "vitest"
import { warnings } from "../src/warnings.ts"
import { temporaryFolder } from "./folders.ts"

it(
  "an engine that has lost its locks says nothing to users, and others say what they do",
  { timeout: 30_000 },
  async () => {
    const said: Array<string> = []
    const stderr = { line: (text: string) => void said.push(text) } as Parameters<typeof warnings>[0]["stderr"]
    const complaint = Deferred.makeUnsafe<void>()
    const listening = Logger.make(({ message }) => {
      if (String(message).includes("unhealthy")) Deferred.doneUnsafe(complaint, Effect.void)
    })
    const database = SqliteFile.layer(join(temporaryFolder(), "store.sqlite"))
    const engine = Engine.layer({ worker: "worker", expiration: 1_000, poll: 50 }).pipe(Layer.provideMerge(database))
    await Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      while ((yield* sql`SELECT 1 FROM dotrpc_cluster_locks LIMIT 1`).length === 0) yield* Effect.yieldNow
      yield* sql`DROP TABLE dotrpc_cluster_locks`
      yield* Deferred.await(complaint)
      yield* Effect.logWarning("the store does not answer")
    }).pipe(Effect.provide(engine), Effect.provide(Logger.layer([warnings({ stderr }), listening])), Effect.runPromise)
    expect(said).toEqual(["dotrpc: warning: the store does not answer"])
  },
)
