/** The tables of a store: backfills, their pieces, and the parts that are committed. They contain no URL and no key. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Backfill, Format, Part, Piece, State } from "../Order.ts"

interface Table {
  readonly name: string
  /** Each with its type. */
  readonly columns: Readonly<Record<string, string>>
  /** Other than that of a column. */
  readonly key?: string | undefined
  /** What makes it of one that an earlier version has created. */
  readonly changes?: ReadonlyArray<string> | undefined
}

const tables: ReadonlyArray<Table> = [
  {
    name: "dotrpc_backfills",
    columns: {
      id: "TEXT PRIMARY KEY",
      method: "TEXT NOT NULL",
      network: "TEXT NOT NULL",
      params: "TEXT NOT NULL",
      first_block: "BIGINT NOT NULL",
      last_block: "BIGINT NOT NULL",
      format: "TEXT NOT NULL",
      max_credits: "DOUBLE PRECISION",
      per_hour: "DOUBLE PRECISION",
      follow: "INTEGER NOT NULL",
      every: "BIGINT NOT NULL",
      look_at: "BIGINT NOT NULL",
      look_calls: "BIGINT NOT NULL",
      look_credits: "DOUBLE PRECISION NOT NULL",
      state: "TEXT NOT NULL",
      why: "TEXT NOT NULL",
      divisions: "INTEGER NOT NULL",
      version: "BIGINT NOT NULL",
      manifest: "BIGINT NOT NULL",
      hour: "BIGINT NOT NULL",
      hour_spent: "DOUBLE PRECISION NOT NULL",
      created_at: "BIGINT NOT NULL",
    },
  },
  {
    name: "dotrpc_backfill_pieces",
    columns: {
      backfill: "TEXT NOT NULL",
      id: "INTEGER NOT NULL",
      first_block: "BIGINT NOT NULL",
      last_block: "BIGINT NOT NULL",
      base: "BIGINT NOT NULL",
      next: "BIGINT NOT NULL",
      state: "TEXT NOT NULL",
      epoch: "INTEGER NOT NULL",
      spool: "INTEGER NOT NULL",
      leg: "INTEGER NOT NULL",
      wake: "BIGINT NOT NULL",
      rows: "BIGINT NOT NULL",
      calls: "BIGINT NOT NULL",
      credits: "DOUBLE PRECISION NOT NULL",
      granted: "DOUBLE PRECISION NOT NULL",
      span: "DOUBLE PRECISION NOT NULL",
      learned: "TEXT NOT NULL",
      worker: "TEXT NOT NULL",
      seen_at: "BIGINT NOT NULL",
      busy: "BIGINT NOT NULL",
    },
    key: "backfill, id",
    changes: ["ADD COLUMN busy BIGINT NOT NULL DEFAULT 0", "DROP COLUMN salt"],
  },
  {
    name: "dotrpc_backfill_parts",
    columns: {
      backfill: "TEXT NOT NULL",
      first_block: "BIGINT NOT NULL",
      last_block: "BIGINT NOT NULL",
      name: "TEXT NOT NULL",
      rows: "BIGINT NOT NULL",
      bytes: "BIGINT NOT NULL",
    },
    key: "backfill, first_block",
  },
  {
    name: "dotrpc_backfill_outputs",
    columns: { backfill: "TEXT PRIMARY KEY", folder: "TEXT NOT NULL", layout: "TEXT NOT NULL" },
  },
]

/** Creates what is missing, of tables that an earlier version began as well. Fails where this version cannot use a table. */
export const createTables = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(
    tables,
    (table) =>
      Effect.andThen(
        create(sql, table),
        look(sql, table).pipe(Effect.catch(() => Effect.andThen(renew(sql, table), look(sql, table)))),
      ),
    { discard: true },
  )

/** Changes that are made already fail, and are left as they are. */
const renew = (sql: SqlClient.SqlClient, { changes = [], name }: Table) =>
  Effect.forEach(changes, (change) => Effect.ignore(sql`ALTER TABLE ${sql.literal(name)} ${sql.literal(change)}`), {
    discard: true,
  })

/** What is wrong with the tables of a database that answers; fails while it does not. */
export const damageOf = (sql: SqlClient.SqlClient): Effect.Effect<string | undefined, SqlError.SqlError> => {
  const found = Effect.forEach(tables, (table) =>
    Effect.match(look(sql, table), {
      onFailure: () => [`the table ${table.name} is missing, or lacks columns that this version of dotrpc needs`],
      onSuccess: () => [],
    }),
  ).pipe(Effect.map((said) => said.flat()[0]))
  return Effect.gen(function* () {
    if ((yield* found) === undefined) return undefined
    yield* sql`SELECT 1`
    // It may have come back in between.
    return yield* found
  })
}

// When processes start at the same time, PostgreSQL lets one create the table and fails the others.
const create = (sql: SqlClient.SqlClient, table: Table) =>
  sql`CREATE TABLE IF NOT EXISTS ${sql.literal(declarationOf(table))}`.pipe(
    Effect.catch((error) => Effect.mapError(look(sql, table), () => error)),
  )

const look = (sql: SqlClient.SqlClient, { columns, name }: Table) =>
  sql`SELECT ${sql.literal(Object.keys(columns).join(", "))} FROM ${sql.literal(name)} LIMIT 1`

const declarationOf = ({ columns, key, name }: Table): string => {
  const declared = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  return `${name} (${[...declared, ...(key === undefined ? [] : [`PRIMARY KEY (${key})`])].join(", ")})`
}

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
  busy: Number(row.busy),
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
