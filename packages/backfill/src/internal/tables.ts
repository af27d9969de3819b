/** The tables of a store: backfills, their pieces, and the parts that are committed. They contain no URL and no key. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Backfill, Part, Piece } from "../Order.ts"

/** Where a value is, and what it is made of: a driver gives whole numbers of PostgreSQL as text. */
interface Column<A> {
  readonly name: string
  readonly type: string
  readonly read: (value: unknown) => A
}

interface Table<A> {
  readonly name: string
  readonly columns: { readonly [Key in keyof A]-?: Column<A[Key]> }
  /** The columns of its key. */
  readonly key: string
  /** What makes it of one that an earlier version has created. */
  readonly changes?: ReadonlyArray<string> | undefined
}

const text = <A extends string>(name: string): Column<A> => ({
  name,
  type: "TEXT NOT NULL",
  // Whoever has written anything else into the database meets no such state.
  read: (value) => (typeof value === "string" ? value : "") as A,
})
const number = (name: string, type = "BIGINT"): Column<number> => ({
  name,
  type: `${type} NOT NULL`,
  read: (value) => Number(value ?? 0),
})
const amount = (name: string) => number(name, "DOUBLE PRECISION")
const limit = (name: string): Column<number | undefined> => ({
  name,
  type: "DOUBLE PRECISION",
  read: (value) => (value === null || value === undefined ? undefined : Number(value)),
})

export const backfills: Table<Backfill> = {
  name: "dotrpc_backfills",
  columns: {
    id: text("id"),
    method: text("method"),
    network: text("network"),
    params: text("params"),
    from: number("first_block"),
    to: number("last_block"),
    format: text("format"),
    maxCredits: limit("max_credits"),
    perHour: limit("per_hour"),
    follow: { name: "follow", type: "INTEGER NOT NULL", read: (value) => Number(value) === 1 },
    every: number("every"),
    lookedAt: number("look_at"),
    lookCalls: number("look_calls"),
    lookCredits: amount("look_credits"),
    state: text("state"),
    why: text("why"),
    divisions: number("divisions", "INTEGER"),
    version: number("version"),
    manifest: number("manifest"),
    hour: number("hour"),
    hourSpent: amount("hour_spent"),
    createdAt: number("created_at"),
  },
  key: "id",
}

export const pieces: Table<Piece> = {
  name: "dotrpc_backfill_pieces",
  columns: {
    backfill: text("backfill"),
    id: number("id", "INTEGER"),
    from: number("first_block"),
    to: number("last_block"),
    base: number("base"),
    next: number("next"),
    state: text("state"),
    epoch: number("epoch", "INTEGER"),
    spool: number("spool", "INTEGER"),
    leg: number("leg", "INTEGER"),
    wake: number("wake"),
    rows: number("rows"),
    calls: number("calls"),
    credits: amount("credits"),
    granted: amount("granted"),
    span: amount("span"),
    learned: text("learned"),
    worker: text("worker"),
    seenAt: number("seen_at"),
    busy: number("busy"),
  },
  key: "backfill, id",
  changes: ["ADD COLUMN busy BIGINT NOT NULL DEFAULT 0", "DROP COLUMN salt"],
}

export const parts: Table<Part & { readonly backfill: string }> = {
  name: "dotrpc_backfill_parts",
  columns: {
    backfill: text("backfill"),
    from: number("first_block"),
    to: number("last_block"),
    name: text("name"),
    rows: number("rows"),
    bytes: number("bytes"),
  },
  key: "backfill, first_block",
}

export const outputs: Table<{ readonly backfill: string; readonly folder: string; readonly layout: string }> = {
  name: "dotrpc_backfill_outputs",
  columns: { backfill: text("backfill"), folder: text("folder"), layout: text("layout") },
  key: "backfill",
}

const tables = [backfills, pieces, parts, outputs].map(({ changes = [], columns, key, name }) => {
  const all: ReadonlyArray<Column<unknown>> = Object.values(columns)
  const declared = all.map((column) => `${column.name} ${column.type}`).join(", ")
  return {
    name,
    changes,
    declaration: `${name} (${declared}, PRIMARY KEY (${key}))`,
    columns: all.map(({ name }) => name),
  }
})
type AnyTable = (typeof tables)[number]

/** A row as a driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** The values of a row. */
export const valuesIn = <A>({ columns }: Table<A>, row: Row): A => {
  const read = ([key, { name, read }]: [string, Column<unknown>]) => [key, read(row[name])]
  return Object.fromEntries(Object.entries<Column<unknown>>(columns).map(read)) as A
}

/** Adds a row, of the values that {@link valuesIn} reads. */
export const insert = <A extends object>(sql: SqlClient.SqlClient, { columns, name }: Table<A>, values: A) => {
  const written = (value: unknown) => (typeof value === "boolean" ? Number(value) : value === undefined ? null : value)
  const row = Object.entries<Column<unknown>>(columns).map(([field, column]) => [
    column.name,
    written(Reflect.get(values, field)),
  ])
  return sql`INSERT INTO ${sql.literal(name)} ${sql.insert(Object.fromEntries(row))}`
}

/** Creates what is missing, of tables that an earlier version began as well. Fails where this version cannot use a table. */
export const createTables = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(
    tables,
    (table) =>
      Effect.andThen(
        // When processes start at the same time, PostgreSQL lets one create the table and fails the others.
        sql`CREATE TABLE IF NOT EXISTS ${sql.literal(table.declaration)}`.pipe(
          Effect.catch((error) => Effect.mapError(look(sql, table), () => error)),
        ),
        look(sql, table).pipe(Effect.catch(() => Effect.andThen(renew(sql, table), look(sql, table)))),
      ),
    { discard: true },
  )

/** Changes that are made already fail, and are left as they are. */
const renew = (sql: SqlClient.SqlClient, { changes, name }: AnyTable) =>
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

/** Fails where one is missing, whatever its columns: an earlier version may have begun it. */
export const expectTables = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(tables, ({ name }) => sql`SELECT 1 FROM ${sql.literal(name)} LIMIT 1`, { discard: true })

const look = (sql: SqlClient.SqlClient, { columns, name }: AnyTable) =>
  sql`SELECT ${sql.literal(columns.join(", "))} FROM ${sql.literal(name)} LIMIT 1`
