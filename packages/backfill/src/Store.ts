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
import { createTables, damageOf } from "./internal/tables.ts"
import { type Backfills, backfillsIn } from "./store/Backfills.ts"
import { type Following, followingIn } from "./store/Following.ts"
import { type Pieces, piecesIn } from "./store/Pieces.ts"
import { statementsOf } from "./store/statements.ts"

export type { StoredOutput } from "./store/Backfills.ts"
export type { Grant, Leave, PieceKey, Progress, Stop, Waiting } from "./store/Pieces.ts"

/** Fails with `SqlError` in every operation while the database does not answer. */
export class Store extends Context.Service<Store, Backfills & Pieces & Following & Tables>()(
  "@dotrpc/backfill/Store",
) {}

export interface Tables {
  /** The workers that say something, of all backfills of the database. */
  readonly alive: Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
  /** Prepares it for a worker; fails where its disk has no room for what that writes at first. */
  readonly prepare: Effect.Effect<void, SqlError.SqlError>
  /** What is wrong with the tables, which waiting does not repair. */
  readonly damage: Effect.Effect<string | undefined, SqlError.SqlError>
}

/** Keeps it in the database that is provided, in tables that are created if they do not exist. */
export const layer: Layer.Layer<Store, SqlError.SqlError, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    yield* createTables(sql)
    const statements = statementsOf(sql)
    return Store.of({
      alive: aliveIn(sql),
      damage: damageOf(sql),
      // The engine would try in silence, again and again, what this fails with at once.
      prepare: Effect.gen(function* () {
        yield* sql`INSERT INTO dotrpc_backfill_outputs (backfill, folder, layout) VALUES ('', '', ${" ".repeat(1 << 16)})
          ON CONFLICT (backfill) DO UPDATE SET layout = excluded.layout`
        yield* sql`DELETE FROM dotrpc_backfill_outputs WHERE backfill = ''`
        yield* renewIn(sql)
      }),
      ...backfillsIn(statements),
      ...piecesIn(statements),
      ...followingIn(statements),
    })
  }),
)
