/** Statements that several operations of a store share. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { backfills, insert, parts, pieces, type Row, valuesIn } from "../internal/tables.ts"
import type { Backfill, Piece, State } from "../Order.ts"

/** What a database answers, or why it does not. */
export type Sql<A, E = never> = Effect.Effect<A, SqlError.SqlError | E>

/** A piece by name. */
export interface PieceKey {
  readonly backfill: string
  readonly id: number
}

/** The statements over one database. */
export type Statements = ReturnType<typeof statementsOf>

export const statementsOf = (sql: SqlClient.SqlClient) => {
  const read = (id: string) =>
    Effect.map(sql<Row>`SELECT * FROM dotrpc_backfills WHERE id = ${id}`, ([row]) => row && valuesIn(backfills, row))
  const piecesOf = (id: string) =>
    Effect.map(sql<Row>`SELECT * FROM dotrpc_backfill_pieces WHERE backfill = ${id} ORDER BY first_block`, (rows) =>
      rows.map((row) => valuesIn(pieces, row)),
    )
  const partsOf = (id: string) =>
    Effect.map(sql<Row>`SELECT * FROM dotrpc_backfill_parts WHERE backfill = ${id} ORDER BY first_block`, (rows) =>
      rows.map((row) => valuesIn(parts, row)),
    )
  /** A process that freezes in a transaction must not stop all others. SQLite has no such limit: a process of this machine can be ended. */
  const endsWhenFrozen = sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SET LOCAL idle_in_transaction_session_timeout = 15000`),
    orElse: () => Effect.void,
  })
  /** Changes of a whole backfill happen one after the other: gives it, and `undefined` where there is none. */
  const alone = <A, E>(id: string, change: (backfill: Backfill) => Sql<A, E>): Sql<A | undefined, E> =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* endsWhenFrozen
        const [row] = yield* sql<Row>`UPDATE dotrpc_backfills SET divisions = divisions WHERE id = ${id} RETURNING *`
        return row && (yield* change(valuesIn(backfills, row)))
      }),
    )
  /** Changes a piece, unless another worker has it. */
  const changeOwn = ({ backfill, id }: PieceKey, epoch: number, change: Fragment, isSo: Fragment = sql`1 = 1`) =>
    Effect.map(
      sql<Row>`UPDATE dotrpc_backfill_pieces SET ${change}
        WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} AND ${isSo} RETURNING last_block, state`,
      ([row]) => row && { to: pieces.columns.to.read(row.last_block), state: pieces.columns.state.read(row.state) },
    )
  const addPiece = (backfill: string, id: number, from: number, to: number, like: Partial<Piece> = {}) =>
    Effect.flatMap(Clock.currentTimeMillis, (seenAt) => {
      const { busy = 0, calls = 0, credits = 0, learned = "", span = 0 } = like
      const own = { backfill, id, from, to, base: from, next: from, seenAt, busy, calls, credits, learned, span }
      return sql`${insert(sql, pieces, { ...fresh, ...own })} ON CONFLICT DO NOTHING`
    })
  /** By the parts that are committed: a store that has lost pieces has none that are left. */
  const finish = (id: string) =>
    sql`UPDATE dotrpc_backfills SET state = 'done' WHERE id = ${id} AND state = 'running' AND follow = 0 AND last_block - first_block + 1 =
      (SELECT SUM(last_block - first_block + 1) FROM dotrpc_backfill_parts WHERE backfill = ${id})`
  /** One whose last part was committed while it was stopped has nothing left to run. */
  const change = (id: string, from: ReadonlyArray<State>, to: State, why: string) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const rows = yield* sql`UPDATE dotrpc_backfills SET state = ${to}, why = ${why}, version = version + 1
          WHERE id = ${id} AND ${sql.in("state", from)} RETURNING id`
        if (to === "running") yield* finish(id)
        return rows.length > 0
      }),
    )
  return { sql, read, piecesOf, partsOf, endsWhenFrozen, alone, changeOwn, addPiece, change, finish }
}

const fresh = { state: "new", epoch: 0, spool: 0, leg: -1, wake: 0, rows: 0, granted: 0, worker: "" } as const
