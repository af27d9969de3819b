/** The tables of a store: backfills, their pieces, and the parts that are committed. They contain no URL and no key. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Backfill, Format, Part, Piece, State } from "../Order.ts"

/** Creates what is missing. */
export const createTables = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(
    [
      [
        sql`SELECT id FROM dotrpc_backfills LIMIT 1`,
        sql`CREATE TABLE IF NOT EXISTS dotrpc_backfills (
          id TEXT PRIMARY KEY, method TEXT NOT NULL, network TEXT NOT NULL, params TEXT NOT NULL,
          first_block BIGINT NOT NULL, last_block BIGINT NOT NULL, format TEXT NOT NULL,
          max_credits DOUBLE PRECISION, per_hour DOUBLE PRECISION, follow INTEGER NOT NULL,
          every BIGINT NOT NULL, look_at BIGINT NOT NULL, look_calls BIGINT NOT NULL, look_credits DOUBLE PRECISION NOT NULL,
          state TEXT NOT NULL, why TEXT NOT NULL, divisions INTEGER NOT NULL, version BIGINT NOT NULL,
          manifest BIGINT NOT NULL, hour BIGINT NOT NULL, hour_spent DOUBLE PRECISION NOT NULL, created_at BIGINT NOT NULL)`,
      ],
      [
        sql`SELECT id FROM dotrpc_backfill_pieces LIMIT 1`,
        sql`CREATE TABLE IF NOT EXISTS dotrpc_backfill_pieces (
          backfill TEXT NOT NULL, id INTEGER NOT NULL, first_block BIGINT NOT NULL, last_block BIGINT NOT NULL,
          base BIGINT NOT NULL, next BIGINT NOT NULL, state TEXT NOT NULL, salt TEXT NOT NULL,
          epoch INTEGER NOT NULL, spool INTEGER NOT NULL, leg INTEGER NOT NULL, wake BIGINT NOT NULL, rows BIGINT NOT NULL, calls BIGINT NOT NULL,
          credits DOUBLE PRECISION NOT NULL, granted DOUBLE PRECISION NOT NULL, span DOUBLE PRECISION NOT NULL,
          learned TEXT NOT NULL, worker TEXT NOT NULL, seen_at BIGINT NOT NULL, PRIMARY KEY (backfill, id))`,
      ],
      [
        sql`SELECT name FROM dotrpc_backfill_parts LIMIT 1`,
        sql`CREATE TABLE IF NOT EXISTS dotrpc_backfill_parts (
          backfill TEXT NOT NULL, first_block BIGINT NOT NULL, last_block BIGINT NOT NULL, name TEXT NOT NULL,
          rows BIGINT NOT NULL, bytes BIGINT NOT NULL, PRIMARY KEY (backfill, first_block))`,
      ],
      [
        sql`SELECT backfill FROM dotrpc_backfill_outputs LIMIT 1`,
        sql`CREATE TABLE IF NOT EXISTS dotrpc_backfill_outputs (
          backfill TEXT PRIMARY KEY, folder TEXT NOT NULL, layout TEXT NOT NULL)`,
      ],
    ] as const,
    ([look, create]) =>
      // When processes start at the same time, PostgreSQL lets one create the table and fails the others.
      create.pipe(Effect.catch((error) => Effect.mapError(look, () => error))),
    { discard: true },
  )

/** A row as a driver gives it: whole numbers of PostgreSQL are text. */
export type Row = Readonly<Record<string, unknown>>

export const backfillOf = (row: Row): Backfill => ({
  id: text(row.id),
  method: text(row.method),
  network: text(row.network),
  params: text(row.params),
  from: Number(row.first_block),
  to: Number(row.last_block),
  format: text(row.format) as Format,
  maxCredits: optional(row.max_credits),
  perHour: optional(row.per_hour),
  follow: Number(row.follow) === 1,
  every: Number(row.every),
  looks: { last: Number(row.look_at), calls: Number(row.look_calls), credits: Number(row.look_credits) },
  state: text(row.state) as State,
  why: text(row.why),
  divisions: Number(row.divisions),
  version: Number(row.version),
  manifest: Number(row.manifest),
  createdAt: Number(row.created_at),
})

export const pieceOf = (row: Row): Piece => ({
  backfill: text(row.backfill),
  id: Number(row.id),
  from: Number(row.first_block),
  to: Number(row.last_block),
  base: Number(row.base),
  next: Number(row.next),
  state: text(row.state) as Piece["state"],
  salt: text(row.salt),
  epoch: Number(row.epoch),
  spool: Number(row.spool),
  leg: Number(row.leg),
  wake: Number(row.wake),
  rows: Number(row.rows),
  calls: Number(row.calls),
  credits: Number(row.credits),
  granted: Number(row.granted),
  span: Number(row.span),
  learned: text(row.learned),
  worker: text(row.worker),
  seenAt: Number(row.seen_at),
})

export const partOf = (row: Row): Part => ({
  name: text(row.name),
  from: Number(row.first_block),
  to: Number(row.last_block),
  rows: Number(row.rows),
  bytes: Number(row.bytes),
})

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const optional = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)
