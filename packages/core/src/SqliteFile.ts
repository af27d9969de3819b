/** A SQL client of Effect over one SQLite file, through Node's own module: for what processes of a machine share. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlConnection } from "effect/sql"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { Options } from "@dotrpc/spec"
import { createPrivate, type Database, findNodeModules, makeFolder, type Row, type Value } from "./internal/node.ts"

/**
 * A `SqlClient` over the SQLite file at `path`, which any number of processes of a machine may use at once. The file and its
 * folder are created if they do not exist, readable by their owner only. A statement that meets a lock of another process
 * waits for about five seconds.
 *
 * Works with `SharedSql.layer` and with every layer of Effect over `SqlClient`. They take any other client of Effect as well.
 *
 * With `isDurable`, what was committed survives a power cut; without it, the last moments before one may be lost, as the disk is
 * not waited for. Neither loses anything when a process ends.
 *
 * The layer fails with `InvalidOptions` on an empty path, and with `SqlError` before Node 22.13, in a browser and where the
 * file cannot be opened.
 *
 * @example
 * ```ts
 * const database = SqliteFile.layer("/var/lib/indexer/shared.sqlite")
 * ```
 */
export const layer = (
  path: string,
  { isDurable = false }: { readonly isDurable?: boolean | undefined } = {},
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError | Options.InvalidOptions> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const file = yield* Options.inLayer(() => Options.path("path", path))
      const database = yield* Effect.acquireRelease(
        sqlEffect("open", () => open(file, isDurable)),
        (database) => Effect.sync(() => database.close()),
      )
      const { acquirer, borrower, onCommitFailure, transactionAcquirer } = SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(connectionTo(database)),
        semaphore: yield* Semaphore.make(1),
      })
      return yield* SqlClient.make({
        acquirer,
        borrower,
        transactionAcquirer,
        onCommitFailure,
        // One that reads first and then writes would meet a lock in between, and could not wait for it.
        beginTransaction: "BEGIN IMMEDIATE",
        compiler: Statement.makeCompilerSqlite(),
        driver: "dotrpc-sqlite-file",
        spanAttributes: [["db.system.name", "sqlite"]],
      })
    }),
  ).pipe(Layer.provide(Reactivity.layer))

const open = (file: string, isDurable: boolean): Database => {
  const node = findNodeModules()
  if (node === undefined) throw new Error("A SQLite file needs Node 22.13 or newer.")
  makeFolder(node, node.path.dirname(file))
  try {
    node.fs.closeSync(createPrivate(node, file))
  } catch (error) {
    // Another process may have made it.
    if (!node.fs.existsSync(file)) throw error
  }
  const database = new node.sqlite.DatabaseSync(file)
  try {
    // In WAL mode NORMAL survives the end of any process; only a power cut may lose the last moments.
    database.exec(`PRAGMA busy_timeout = ${busyMillis}; PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL`)
    if (isDurable) database.exec("PRAGMA synchronous = FULL")
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const connectionTo = (database: Database): SqlConnection.Connection => {
  const rows = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> =>
    sqlEffect("execute", () => {
      try {
        return database.prepare(sql).all(...params.map(valueOf))
      } catch (error) {
        // SQLite has taken a transaction back itself that met a full disk: what it said of that is the error, not this.
        if (sql === "ROLLBACK" && error instanceof Error && /no transaction is active/.test(error.message)) return []
        throw error
      }
    })
  const transformed: SqlConnection.Connection["execute"] = (sql, params, transformRows) =>
    transformRows === undefined ? rows(sql, params) : Effect.map(rows(sql, params), transformRows)
  const values = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.map(rows(sql, params), (all) => all.map((row) => Object.values(row)))
  return {
    execute: transformed,
    executeUnprepared: transformed,
    executeRaw: rows,
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transformRows) => Stream.fromIterableEffect(transformed(sql, params, transformRows)),
  }
}

const valueOf = (value: unknown): Value => {
  if (typeof value === "boolean") return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  if (value === undefined || value === null) return null
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`A ${typeof value} cannot be a value of SQLite.`)
}

const sqlEffect = <A>(operation: string, body: () => A): Effect.Effect<A, SqlError.SqlError> =>
  Effect.mapError(whenFree(body), (cause) => {
    const message = cause instanceof Error ? cause.message : String(cause)
    // Node calls the code of SQLite `errcode`, and Effect looks for `errno`.
    const coded = cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause
    return new SqlError.SqlError({ reason: SqlError.classifySqliteError(coded, { message, operation }) })
  })

/** Repeats it while other processes use the file. The thread is free between two attempts. */
const whenFree = <A>(body: () => A): Effect.Effect<A, unknown> =>
  Effect.try({ try: body, catch: (error) => error }).pipe(
    Effect.retry({ while: isBusy, schedule: Schedule.spaced("20 millis"), times: mostWaits }),
    // Other processes take real time, whatever clock the program has.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
  )

/** With what SQLite waits by itself, these are about five seconds. */
const mostWaits = 80

/** Whether another process has locked the file. */
const isBusy = (error: unknown): boolean => sqliteCode(error) === BUSY || sqliteCode(error) === LOCKED

/** The primary result code of an error of SQLite. */
const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined

const BUSY = 5
const LOCKED = 6

/** How long SQLite waits for another process that is writing, and keeps the thread; a step takes a fraction of a millisecond. */
const busyMillis = 40
