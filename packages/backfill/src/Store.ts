/**
 * Where a backfill stands, in a SQL database that all of its workers share. Every change is one statement or transaction
 * that compares before it writes, so that of two workers that both believe to own a piece only the newest is heard.
 */
import { Context } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql"
import * as SqlClient from "effect/sql/SqlClient"
import { aliveIn, renewIn } from "./Engine.ts"
import { createTables, damageOf, expectTables } from "./internal/tables.ts"
import { backfillsIn } from "./store/Backfills.ts"
import { creditsIn, looksIn } from "./store/Credits.ts"
import { divisionsIn, piecesIn } from "./store/Pieces.ts"
import { statementsOf } from "./store/statements.ts"

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const statements = statementsOf(sql)
  return {
    /** The workers that say something, of all backfills of the database. */
    alive: aliveIn(sql),
    /** What is wrong with the tables, which waiting does not repair. */
    damage: damageOf(sql),
    /** Prepares it for a worker; fails where its disk has no room for what that writes at first: the engine would try in silence, again and again. */
    prepare: Effect.gen(function* () {
      yield* sql`INSERT INTO dotrpc_backfill_outputs (backfill, folder, layout) VALUES ('', '', ${" ".repeat(1 << 16)})
        ON CONFLICT (backfill) DO UPDATE SET layout = excluded.layout`
      yield* sql`DELETE FROM dotrpc_backfill_outputs WHERE backfill = ''`
      yield* renewIn(sql)
    }),
    ...backfillsIn(statements),
    ...piecesIn(statements),
    ...divisionsIn(statements),
    ...creditsIn(statements),
    ...looksIn(statements),
  }
})

/** Fails with `SqlError` in every operation while the database does not answer. */
export class Store extends Context.Service<Store, Effect.Success<typeof make>>()("@dotrpc/backfill/Store") {}

/** Keeps it in the database that is provided, in tables that are created if they do not exist. */
export const layer: Layer.Layer<Store, SqlError.SqlError, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.andThen(Effect.flatMap(SqlClient.SqlClient, createTables), make),
)

/** For those who only read: a database that an earlier version began is left as it is. */
export const readerLayer: Layer.Layer<Store, SqlError.SqlError, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.andThen(Effect.flatMap(SqlClient.SqlClient, expectTables), make),
)
