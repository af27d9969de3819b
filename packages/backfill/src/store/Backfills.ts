/** Backfills in a store: what they read, how far they are, and their manifest. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import { backfillOf, type Row } from "../internal/tables.ts"
import { encodeLayout } from "../Layout.ts"
import type { Backfill, Order, Output, Part, Piece, State } from "../Order.ts"
import { anHour, type Sql, type Statements } from "./statements.ts"

/** An output as it is stored; `decodeLayout` reads its layout. */
export interface StoredOutput {
  readonly folder: string
  readonly layout: string
}

/** Operations of a whole backfill. */
export interface Backfills {
  /** Adds a backfill and its first piece, unless it is there; gives what is there. */
  readonly create: (order: Order, output: Output) => Sql<Backfill>
  readonly read: (id: string) => Sql<Backfill | undefined>
  /** `undefined` for one that an earlier version began: its parts have the items as received. */
  readonly output: (id: string) => Sql<StoredOutput | undefined>
  readonly list: Sql<ReadonlyArray<Backfill>>
  readonly pieces: (id: string) => Sql<ReadonlyArray<Piece>>
  readonly parts: (id: string) => Sql<ReadonlyArray<Part>>
  /** Changes the state where it is one of `from`; gives whether it was. */
  readonly change: (id: string, from: ReadonlyArray<State>, to: State, why: string) => Sql<boolean>
  /** Replaces the limits that are given. */
  readonly limit: (id: string, limits: Pick<Order, "maxCredits" | "perHour">) => Sql<void>
  /** Lets pieces that wait for a time go on now: what they wait for may be there. */
  readonly wakeUp: (id: string) => Sql<void>
  /** Has the manifest written again, with the next revision. */
  readonly rewrite: (id: string) => Sql<void>
  /** Runs `write` with all parts when the manifest is behind; nobody else writes it meanwhile. */
  readonly manifest: <E>(
    id: string,
    write: (backfill: Backfill, parts: ReadonlyArray<Part>) => Effect.Effect<void, E>,
  ) => Effect.Effect<boolean, E | SqlError.SqlError>
}

export const backfillsIn = (statements: Statements): Backfills => {
  const { addPiece, all, change, endsWhenFrozen, one, parts, pieces, read, sql } = statements
  return {
    read,
    pieces,
    parts,
    change,
    create: (order, { folder, layout }) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const { every = anHour, follow, format, from, id, method, network, params, to } = order
          const { maxCredits = null, perHour = null } = order
          const now = yield* Clock.currentTimeMillis
          yield* sql`INSERT INTO dotrpc_backfills
            (id, method, network, params, first_block, last_block, format, max_credits, per_hour, follow, every, look_at, look_calls, look_credits, state, why, divisions, version, manifest, hour, hour_spent, created_at)
            VALUES (${id}, ${method}, ${network}, ${params}, ${from}, ${to}, ${format}, ${maxCredits}, ${perHour}, ${follow ? 1 : 0}, ${every}, ${now}, 0, 0,
              'running', '', 0, 1, 0, 0, 0, ${now}) ON CONFLICT (id) DO NOTHING`
          yield* addPiece(id, 0, from, to)
          yield* sql`INSERT INTO dotrpc_backfill_outputs (backfill, folder, layout)
            VALUES (${id}, ${folder}, ${encodeLayout(layout)}) ON CONFLICT (backfill) DO NOTHING`
          return (yield* read(id)) ?? (yield* Effect.die(new Error("A backfill that was added is there.")))
        }),
      ),
    output: (id) =>
      one(sql<Row>`SELECT * FROM dotrpc_backfill_outputs WHERE backfill = ${id}`, ({ folder, layout }) => ({
        folder: String(folder),
        layout: String(layout),
      })),
    list: all(sql<Row>`SELECT * FROM dotrpc_backfills ORDER BY created_at, id`, backfillOf),
    limit: (id, { maxCredits = null, perHour = null }) =>
      Effect.asVoid(
        sql`UPDATE dotrpc_backfills SET max_credits = COALESCE(${maxCredits}, max_credits), per_hour = COALESCE(${perHour}, per_hour)
          WHERE id = ${id}`,
      ),
    wakeUp: (id) =>
      Effect.asVoid(sql`UPDATE dotrpc_backfill_pieces SET wake = 0 WHERE backfill = ${id} AND state = 'waiting'`),
    rewrite: (id) => Effect.asVoid(sql`UPDATE dotrpc_backfills SET version = version + 1 WHERE id = ${id}`),
    manifest: (id, write) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* endsWhenFrozen
          const behind = yield* one(
            sql<Row>`UPDATE dotrpc_backfills SET manifest = version WHERE id = ${id} AND manifest < version RETURNING *`,
            backfillOf,
          )
          if (behind === undefined) return false
          yield* write(behind, yield* parts(id))
          return true
        }),
      ),
  }
}
