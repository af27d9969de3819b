/** Statements that several operations of a store share. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import type * as SqlClient from "effect/sql/SqlClient"
import { backfillOf, partOf, pieceOf, type Row } from "../internal/tables.ts"
import type { Piece, State } from "../Order.ts"

/** What a database answers, or why it does not. */
export type Sql<A> = Effect.Effect<A, SqlError.SqlError>

/** The statements over one database. */
export type Statements = ReturnType<typeof statementsOf>

export const statementsOf = (sql: SqlClient.SqlClient) => {
  const one = <A>(query: Sql<ReadonlyArray<Row>>, read: (row: Row) => A): Sql<A | undefined> =>
    Effect.map(query, ([row]) => (row === undefined ? undefined : read(row)))
  const all = <A>(query: Sql<ReadonlyArray<Row>>, read: (row: Row) => A): Sql<ReadonlyArray<A>> =>
    Effect.map(query, (rows) => rows.map(read))
  const read = (id: string) => one(sql<Row>`SELECT * FROM dotrpc_backfills WHERE id = ${id}`, backfillOf)
  const pieces = (id: string) =>
    all(sql<Row>`SELECT * FROM dotrpc_backfill_pieces WHERE backfill = ${id} ORDER BY first_block`, pieceOf)
  const parts = (id: string) =>
    all(sql<Row>`SELECT * FROM dotrpc_backfill_parts WHERE backfill = ${id} ORDER BY first_block`, partOf)
  /** A process that freezes in a transaction must not stop all others. SQLite has no such limit: a process of this machine can be ended. */
  const endsWhenFrozen = sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SET LOCAL idle_in_transaction_session_timeout = 15000`),
    orElse: () => Effect.void,
  })
  /** Changes of the whole backfill happen one after the other, in transactions that begin with this. */
  const alone = (id: string) =>
    Effect.andThen(
      endsWhenFrozen,
      one(sql<Row>`UPDATE dotrpc_backfills SET divisions = divisions WHERE id = ${id} RETURNING *`, backfillOf),
    )
  // Clocks of machines differ, and may be set back: what was spent in an hour that has not begun here counts for this one too.
  const spendInHour = (id: string, now: number, credits: number) => {
    const hour = Math.floor(now / anHour)
    return sql`UPDATE dotrpc_backfills SET hour = CASE WHEN hour = ${hour + 1} THEN hour ELSE ${hour} END,
      hour_spent = CASE WHEN hour IN (${hour}, ${hour + 1}) THEN hour_spent ELSE 0 END + ${credits} WHERE id = ${id}`
  }
  const spentInHour = (id: string, now: number) =>
    Effect.map(sql<Row>`SELECT hour, hour_spent FROM dotrpc_backfills WHERE id = ${id}`, ([row]) => {
      const ahead = Number(row?.hour) - Math.floor(now / anHour)
      return ahead === 0 || ahead === 1 ? Number(row?.hour_spent) : 0
    })
  const addPiece = (id: string, piece: number, from: number, to: number, like: Partial<Piece> = {}) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { busy = 0, calls = 0, credits = 0, learned = "", span = 0 } = like
      return sql`INSERT INTO dotrpc_backfill_pieces
        (backfill, id, first_block, last_block, base, next, state, epoch, spool, leg, wake, rows, calls, credits, granted, span, learned, worker, seen_at, busy)
        VALUES (${id}, ${piece}, ${from}, ${to}, ${from}, ${from}, 'new', 0, 0, -1, 0, 0, ${calls}, ${credits}, 0, ${span}, ${learned}, '', ${now}, ${busy})
        ON CONFLICT (backfill, id) DO NOTHING`
    })
  const change = (id: string, from: ReadonlyArray<State>, to: State, why: string) =>
    Effect.map(
      sql`UPDATE dotrpc_backfills SET state = ${to}, why = ${why}, version = version + 1
        WHERE id = ${id} AND ${sql.in("state", from)} RETURNING id`,
      (rows) => rows.length > 0,
    )
  /** By the parts that are committed: a store that has lost pieces has none that are left. */
  const finish = (id: string) =>
    sql`UPDATE dotrpc_backfills SET state = 'done' WHERE id = ${id} AND state = 'running' AND follow = 0 AND last_block - first_block + 1 =
      (SELECT SUM(last_block - first_block + 1) FROM dotrpc_backfill_parts WHERE backfill = ${id})`
  return {
    sql,
    one,
    all,
    read,
    pieces,
    parts,
    alone,
    endsWhenFrozen,
    change,
    finish,
    addPiece,
    spendInHour,
    spentInHour,
  }
}

/** In milliseconds. */
export const anHour = 3_600_000

/** An id that no piece of these has. */
export const nextId = (pieces: ReadonlyArray<Piece>): number =>
  pieces.reduce((most, { id }) => Math.max(most, id), 0) + 1
