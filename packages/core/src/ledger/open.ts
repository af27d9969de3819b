/**
 * Opens the file of a ledger. A file that is not a whole ledger of this schema is set aside, under a name that says when,
 * and a new one takes its place; whoever opened it is told of both.
 *
 * Invariant: the file is only ever put in place whole, so one that is empty or half written was damaged and not begun.
 */
import { LedgerUnavailable } from "./Ledger.ts"
import type { Database, NodeModules, Row } from "./node.ts"

/** A file that was moved out of the way. */
export interface SetAside {
  readonly path: string
  /** Where it lies now. */
  readonly asideAs: string
  readonly why: string
  readonly message: string
}

export interface Opened {
  readonly database: Database
  readonly setAside: SetAside | undefined
}

/** Throws `LedgerUnavailable`, or what SQLite and the file system throw. */
export const openLedgerFile = (node: NodeModules, path: string, now: number): Opened => {
  const found = examine(node, path)
  if (found._tag === "Ledger") return { database: found.database, setAside: undefined }
  makeFolder(node, node.path.dirname(path))
  return withGuard(node, path, () => {
    // Another process may have put a new one in place since.
    const again = examine(node, path)
    if (again._tag === "Ledger") return { database: again.database, setAside: undefined }
    const setAside = again._tag === "Damaged" ? moveAside(node, path, again.why, now) : undefined
    create(node, path)
    return { database: open(node, path), setAside }
  })
}

/** Folder by folder, because `recursive` of Node's `mkdir` never comes back from where none can be made, such as `/proc`. */
const makeFolder = (node: NodeModules, folder: string): void => {
  if (node.fs.existsSync(folder)) return
  const parent = node.path.dirname(folder)
  if (parent !== folder) makeFolder(node, parent)
  try {
    node.fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it since.
    if (!node.fs.existsSync(folder)) throw error
  }
}

/** Whether SQLite says that the file itself is broken. */
export const isDamage = (error: unknown): boolean =>
  sqliteCode(error) === CORRUPT || sqliteCode(error) === NOT_A_DATABASE

/** The primary result code of an error of SQLite. */
export const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined

export const numberIn = (row: Row | undefined, column: string): number => {
  const value = row?.[column]
  return typeof value === "number" ? value : 0
}

type Found =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Ledger"; readonly database: Database }
  | { readonly _tag: "Damaged"; readonly why: string }

const CORRUPT = 11
const NOT_A_DATABASE = 26

/** How SQLite files say whose they are: "dRPC". */
const applicationId = 0x64525043
const schemaVersion = 1

/** How long SQLite waits for another process that is writing; a step takes a fraction of a millisecond. */
const busyMillis = 1_000

const schema = `
  BEGIN;
  CREATE TABLE charges (
    day INTEGER NOT NULL, network TEXT NOT NULL, method TEXT NOT NULL, credits REAL NOT NULL,
    PRIMARY KEY (day, network, method)
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE leases (
    owner TEXT NOT NULL PRIMARY KEY, credits REAL NOT NULL, until INTEGER NOT NULL, number INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
  COMMIT;
`

const examine = (node: NodeModules, path: string): Found => {
  if (!node.fs.existsSync(path)) return { _tag: "Nothing" }
  const stats = node.fs.statSync(path)
  if (!stats.isFile())
    throw new LedgerUnavailable({
      why: `${path} is not a file`,
      advice: "Give the ledger the path of a file; it is made when it does not exist.",
      retryable: false,
    })
  if (stats.size === 0) return { _tag: "Damaged", why: "it is empty" }
  let database: Database | undefined
  try {
    database = open(node, path)
    const problem = problemOf(path, database)
    if (problem === undefined) return { _tag: "Ledger", database }
    database.close()
    return { _tag: "Damaged", why: problem }
  } catch (error) {
    database?.close()
    if (!isDamage(error)) throw error
    return { _tag: "Damaged", why: sqliteCode(error) === CORRUPT ? "its content is damaged" : "it is not a database" }
  }
}

const problemOf = (path: string, database: Database): string | undefined => {
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()
  if (numberIn(pragma("application_id"), "application_id") !== applicationId) return "it belongs to another program"
  const version = numberIn(pragma("user_version"), "user_version")
  if (version > schemaVersion)
    throw new LedgerUnavailable({
      why: `${path} was made by a newer version of dotrpc`,
      advice: "Update dotrpc, or use another file.",
      retryable: false,
    })
  const checked = pragma("quick_check(1)")?.["quick_check"]
  return checked === "ok" ? undefined : "its content is damaged"
}

const open = (node: NodeModules, path: string): Database => {
  const database = new node.sqlite.DatabaseSync(path)
  // In WAL mode NORMAL survives the end of any process; only a power cut may lose the last moments.
  database.exec(`PRAGMA busy_timeout = ${busyMillis}; PRAGMA synchronous = NORMAL`)
  return database
}

/** Makes a whole ledger beside its place and moves it there. */
const create = (node: NodeModules, path: string): void => {
  const draft = `${path}.new`
  for (const file of filesOf(draft)) node.fs.rmSync(file, { force: true })
  // SQLite gives its other files the mode of this one.
  node.fs.closeSync(node.fs.openSync(draft, "wx", 0o600))
  const database = new node.sqlite.DatabaseSync(draft)
  try {
    database.exec(`${schema} PRAGMA journal_mode = WAL`)
  } finally {
    database.close()
  }
  node.fs.renameSync(draft, path)
}

const moveAside = (node: NodeModules, path: string, why: string, now: number): SetAside => {
  const stamped = `${path}.damaged-${new Date(now).toISOString().replaceAll(":", "-")}`
  let asideAs = stamped
  for (let count = 2; node.fs.existsSync(asideAs); count++) asideAs = `${stamped}-${count}`
  const target = filesOf(asideAs)
  for (const [index, file] of filesOf(path).entries())
    if (node.fs.existsSync(file)) node.fs.renameSync(file, target[index] ?? asideAs)
  return {
    path,
    asideAs,
    why,
    message: `The credit ledger ${path} cannot be read: ${why}. It was set aside as ${asideAs}; a new one begins with nothing spent today.`,
  }
}

const filesOf = (path: string): ReadonlyArray<string> => [path, `${path}-wal`, `${path}-shm`]

/** Runs alone among all processes. The lock is SQLite's own, so that it ends with a process that is killed. */
const withGuard = <A>(node: NodeModules, path: string, body: () => A): A => {
  const lock = `${path}.guard`
  node.fs.closeSync(node.fs.openSync(lock, "a", 0o600))
  const guard = open(node, lock)
  try {
    guard.exec("BEGIN EXCLUSIVE")
    return body()
  } finally {
    guard.close()
  }
}
