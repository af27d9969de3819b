/** SQLite files of Node, as processes share them. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Database, NodeModules, Row } from "./node.ts"

/** How long SQLite waits for another process that is writing, and keeps the thread; a step takes a fraction of a millisecond. */
const busyMillis = 40

export const openDatabase = (node: NodeModules, path: string): Database => {
  const database = new node.sqlite.DatabaseSync(path)
  try {
    // In WAL mode NORMAL survives the end of any process; only a power cut may lose the last moments.
    database.exec(`PRAGMA busy_timeout = ${busyMillis}; PRAGMA synchronous = NORMAL`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Repeats it while other processes use the file. The thread is free between two attempts. */
export const whenFree = <A>(body: () => A): Effect.Effect<A, unknown> =>
  Effect.try({ try: body, catch: (error) => error }).pipe(
    Effect.retry({ while: isBusy, schedule: Schedule.spaced("20 millis"), times: mostWaits }),
    // Other processes take real time, whatever clock the program has.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
  )

/** With what SQLite waits by itself, these are about five seconds. */
const mostWaits = 80

/** Whether SQLite says that the file itself is broken. */
export const isDamage = (error: unknown): boolean =>
  sqliteCode(error) === CORRUPT || sqliteCode(error) === NOT_A_DATABASE

/** Whether another process has locked the file. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === BUSY || sqliteCode(error) === LOCKED

export const isCorrupt = (error: unknown): boolean => sqliteCode(error) === CORRUPT

/** The primary result code of an error of SQLite. */
export const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined

export const numberIn = (row: Row | undefined, column: string): number => {
  const value = row?.[column]
  return typeof value === "number" ? value : 0
}

/** Runs `body` in a transaction, which is undone when it throws. */
export const inTransaction = <A>(database: Database, body: () => A): A => {
  database.exec("BEGIN IMMEDIATE")
  try {
    const result = body()
    database.exec("COMMIT")
    return result
  } catch (error) {
    try {
      database.exec("ROLLBACK")
    } catch {
      // Some errors end the transaction by themselves; the first error is the one to report.
    }
    throw error
  }
}

/** The files that make up a database. */
export const filesOf = (path: string): ReadonlyArray<string> => [path, `${path}-wal`, `${path}-shm`]

const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const NOT_A_DATABASE = 26
