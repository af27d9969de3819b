/**
 * Opens a file of balances.
 *
 * Invariant: the file is only ever put in place whole, so one that is empty or half written was damaged and not begun.
 * Damaged balances are not replaced by new ones: that would restore the credits of every key.
 */
import { closeSync, existsSync, linkSync, lstatSync, mkdirSync, openSync, rmSync, statSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { BalancesUnavailable } from "../metering/Balances.ts"

/** Opens the file, and makes it when there is none. Throws `BalancesUnavailable`, or what SQLite and the file system throw. */
export const openBalanceFile = (path: string): DatabaseSync => {
  const { DatabaseSync } = sqlite()
  const open = (file: string): DatabaseSync => {
    const database = new DatabaseSync(file)
    // In WAL mode NORMAL survives the end of any process; only a power cut may lose the last moments.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MILLIS}; PRAGMA synchronous = NORMAL`)
    return database
  }
  if (path === "" || /^(:|file:)/.test(path))
    throw new BalancesUnavailable({ why: `"${path}" is not the path of a file: give one, such as ./balances.sqlite` })
  if (!existsSync(path) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new BalancesUnavailable({
      why: `${path} is a link to a file that does not exist: remove it, or make the file's folder available`,
    })
  if (!existsSync(path)) create(path, open)
  const stats = statSync(path)
  if (!stats.isFile())
    throw new BalancesUnavailable({ why: `${path} is not a file: give the path of a file for the balances` })
  if (stats.size === 0)
    throw new BalancesUnavailable({
      why: `the balances in ${path} are damaged (the file is empty): restore the file, or remove it to begin with nothing spent`,
    })
  const database = open(path)
  try {
    check(path, database)
    // What a gateway that was killed has left in the log.
    emptyLog(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Closes the file with everything in it and nothing in its log, which somebody might remove. SQLite does so by itself unless
 * another process has the file open.
 */
export const closeBalanceFile = (database: DatabaseSync): void => {
  try {
    emptyLog(database)
  } catch {
    // What is in the log counts there too.
  }
  database.close()
}

/** Moves what is in the log into the file, as far as no other process reads it. */
const emptyLog = (database: DatabaseSync): void => database.exec("PRAGMA wal_checkpoint(TRUNCATE)")

const sqlite = () => {
  const found = process.getBuiltinModule?.("node:sqlite")
  if (found !== undefined) return found
  throw new BalancesUnavailable({
    why: `balances in a file need Node 22.13 or newer, and this is Node ${process.versions.node}: update Node, or keep them in memory`,
  })
}

/** How SQLite files say whose they are: "dRPG". */
const APPLICATION = 0x64525047
const VERSION = 2

/** How long SQLite waits for another process that is writing; an admission takes a fraction of a millisecond. */
const BUSY_MILLIS = 500

/** The clock has one row, once anything was charged. */
const tables = `
  CREATE TABLE charges (
    name TEXT NOT NULL, day INTEGER NOT NULL, method TEXT NOT NULL, credits REAL NOT NULL,
    PRIMARY KEY (name, day, method)
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE seconds (
    name TEXT NOT NULL PRIMARY KEY, second INTEGER NOT NULL, in_second REAL NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE clock (
    only INTEGER NOT NULL PRIMARY KEY, time REAL NOT NULL, wall REAL NOT NULL, uptime REAL NOT NULL, boot TEXT NOT NULL,
    ahead REAL, since REAL
  ) STRICT;
  PRAGMA user_version = ${VERSION};
`

const schema = `
  BEGIN;
  PRAGMA application_id = ${APPLICATION};
  ${tables}
  COMMIT;
`

/** An earlier version kept one day of each account. */
const fromVersion1 = `
  ${tables}
  INSERT INTO charges SELECT name, day, method, credits FROM methods JOIN accounts USING (name);
  INSERT INTO seconds SELECT name, second, in_second FROM accounts;
  DROP TABLE methods;
  DROP TABLE accounts;
`

/** Makes a whole file beside its place and puts it there, unless another process was faster. */
const create = (path: string, open: (file: string) => DatabaseSync): void => {
  makeFolder(dirname(path))
  const draft = `${path}.${randomBytes(8).toString("hex")}.new`
  // SQLite gives its other files the mode of this one.
  closeSync(openSync(draft, "wx", 0o600))
  try {
    const database = open(draft)
    try {
      database.exec(`${schema} PRAGMA journal_mode = WAL`)
    } finally {
      database.close()
    }
    if (!existsSync(path)) linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    for (const file of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(file, { force: true })
  }
}

/** Folder by folder, because `recursive` of Node's `mkdir` never comes back from where none can be made, such as `/proc`. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it since.
    if (!existsSync(folder)) throw error
  }
}

const check = (path: string, database: DatabaseSync): void => {
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name]
  if (pragma("application_id") !== APPLICATION)
    throw new BalancesUnavailable({ why: `${path} belongs to another program: give the balances a file of their own` })
  if (Number(pragma("user_version")) > VERSION)
    throw new BalancesUnavailable({
      why: `${path} was written by a newer version of dotrpc: update dotrpc, or use another file`,
    })
  if (database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] !== "ok")
    throw new BalancesUnavailable({
      why: `the balances in ${path} are damaged: restore the file, or remove it to begin with nothing spent`,
    })
  if (Number(pragma("user_version")) < VERSION) {
    database.exec("BEGIN IMMEDIATE")
    // Another gateway may have been faster.
    database.exec(`${Number(pragma("user_version")) < VERSION ? fromVersion1 : ""} COMMIT`)
  }
}
