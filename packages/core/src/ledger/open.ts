/**
 * Opens the file of a ledger, for anyone who holds its guard. A file that is not a whole ledger of this schema is set aside,
 * under a name that says when, and restored from the second copy; anyone who opened it is notified.
 *
 * Invariants: the file is only ever put in place whole, so one that is empty or half written was damaged and not begun.
 * Where neither the file nor the copy can be read nothing is counted from zero: the ledger refuses until it is set.
 */
import { RpcReason } from "@dotrpc/spec"
import { agreeOn, daysOf, type Reading } from "./agreedTime.ts"
import { type Copy, copyOf, formsOf, openCopy } from "./copy.ts"
import { createPrivate, type Database, type NodeModules } from "./node.ts"
import { setByHand } from "./store.ts"
import { type Records, sayTheSame, type Tables, tablesOf } from "./records.ts"
import { filesOf, inTransaction, isCorrupt, isDamage, numberIn, openDatabase } from "./sqlite.ts"
import { eachDay, firstDay, type Window } from "./window.ts"

/** A file that could not be read, or was gone, and was restored. */
export interface SetAside {
  readonly path: string
  /** Where the damaged file lies now; absent when there was none any more. */
  readonly asideAs?: string | undefined
  readonly why: string
  readonly message: string
}

export interface Opened {
  readonly database: Database
  readonly tables: Tables
  readonly copy: Copy
  readonly setAside: SetAside | undefined
}

/** Throws `LedgerUnavailable`, or what SQLite and the file system throw. */
export const openLedgerFile = (node: NodeModules, path: string, window: Window, now: number): Opened => {
  const hasCopy = node.fs.existsSync(copyOf(path))
  const examined = examine(node, path)
  if (examined._tag === "Damaged" && !hasCopy) throw unreadable(path, examined.why, "does not exist")
  // A first start. The copy comes second: one that is there and says nothing was damaged.
  if (examined._tag === "Nothing" && !hasCopy) create(node, path, undefined)
  const found: Found =
    examined._tag === "Nothing" && !hasCopy ? { _tag: "Ledger", database: openDatabase(node, path) } : examined
  let database = found._tag === "Ledger" ? found.database : undefined
  let copy: Copy | undefined
  try {
    copy = openCopy(node, path)
    if (found._tag === "Ledger")
      return { copy, ...compared(path, tablesOf(found.database, window), found.database, copy) }
    const why = found._tag === "Damaged" ? found.why : "it was deleted"
    const { isWhole, records } = copy.read()
    // Where one place of it is damaged the other may be a step behind, and nothing says by how much.
    if (records === undefined || !isWhole) throw unreadable(path, why, "is damaged too")
    const asideAs = found._tag === "Damaged" ? moveAside(node, path, now) : undefined
    create(node, path, records)
    database = openDatabase(node, path)
    return { copy, database, tables: tablesOf(database, window), setAside: restored(path, why, asideAs) }
  } catch (error) {
    copy?.close()
    database?.close()
    throw error
  }
}

const compared = (path: string, tables: Tables, database: Database, copy: Copy): Omit<Opened, "copy"> => {
  const agreed = inTransaction(database, () => agree(tables, copy))
  return { database, tables, setAside: agreed ? undefined : differs(path) }
}

/**
 * Makes the database say what the copy says, when that knows better. Only inside a transaction. `false` when more than the
 * last step, which a process may have been killed at, had to be restored.
 */
export const agree = (tables: Tables, copy: Copy): boolean => {
  const records = tables.read()
  const { isWhole, records: copied } = copy.read()
  if (copied !== undefined && copied.steps >= records.steps) {
    const same = copied.steps === records.steps && formsOf(records).some((form) => sayTheSame(copied, form))
    // The copy has a checksum, and a value in a database may change without a trace.
    if (!same) tables.restore(copied)
    if (!isWhole) copy.begin(copied)
    return same || copied.steps === records.steps + 1
  }
  copy.begin(records)
  return true
}

/** Begins the window again with what was spent according to the user, whatever state the files are in. */
export const setSpent = (
  { node, path, window }: { readonly node: NodeModules; readonly path: string; readonly window: Window },
  reading: Reading,
  spent: number,
): void => {
  const now = reading.wall
  const found = examine(node, path)
  if (found._tag === "Damaged") moveAside(node, path, now)
  if (found._tag !== "Ledger") create(node, path, undefined)
  const database = found._tag === "Ledger" ? found.database : openDatabase(node, path)
  let copy: Copy | undefined
  try {
    copy = openUsableCopy(node, path, now)
    const tables = tablesOf(database, window)
    const own = copy
    inTransaction(database, () => {
      agree(tables, own)
      const records = tables.read()
      const time = agreeOn(records.time, reading)
      const { day, since } = daysOf(time, now)
      const first = firstDay(window, since)
      const total: Records["charges"] = spent === 0 ? [] : [[day, "", setByHand, spent]]
      const next: Records = {
        steps: records.steps + 1,
        charges: [...records.charges.filter(([of]) => of < first), ...total],
        leases: records.leases.filter(([, , until]) => until >= time.time),
        time,
      }
      database.prepare("DELETE FROM charges WHERE day >= ?").run(first)
      tables.restore(next)
      own.write(next)
    })
  } finally {
    copy?.close()
    database.close()
  }
}

/** The copy; a new one where something stands there that is not a file. */
const openUsableCopy = (node: NodeModules, path: string, now: number): Copy => {
  const file = copyOf(path)
  const found = node.fs.lstatSync(file, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) node.fs.renameSync(file, asideName(node, file, now))
  return openCopy(node, path)
}

/** Removes what processes left that were killed while they made a file, and nothing else that begins like it. */
export const removeDrafts = ({ fs, path: { basename, dirname, join } }: NodeModules, path: string): void => {
  const [folder, own] = [dirname(path), `${basename(path)}.`]
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(own) || !draftEnd.test(name.slice(own.length))) continue
    const file = join(folder, name)
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) fs.rmSync(file, { force: true })
  }
}

const draftOf = (path: string): string => `${path}.${crypto.randomUUID()}.tmp`

/** What `draftOf` adds to a path, and what SQLite adds to that. */
const draftEnd = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\.tmp(?:-wal|-shm|-journal)?$/

const differs = (path: string): SetAside => ({
  path,
  why: "it differs from its second copy",
  message: `The credit ledger ${path} differed from its second copy and was restored from it.`,
})

const restored = (path: string, why: string, asideAs: string | undefined): SetAside => {
  const aside = asideAs === undefined ? "" : ` The damaged file was set aside as ${asideAs}.`
  const message = `The credit ledger ${path} cannot be read: ${why}. It was restored from its second copy, so all spent credits are still counted.${aside}`
  return { path, asideAs, why, message }
}

const unreadable = (path: string, why: string, ofTheCopy: string): RpcReason.LedgerUnavailable =>
  new RpcReason.LedgerUnavailable({
    why: `the credit ledger ${path} cannot be read (${why}), and its second copy ${copyOf(path)} ${ofTheCopy}`,
    advice:
      "Set the credits spent today with `dotrpc credits set SPENT`; the provider's dashboard shows them. Nothing is sent until then.",
    retryable: false,
  })

type Found =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Ledger"; readonly database: Database }
  | { readonly _tag: "Damaged"; readonly why: string }

/** How SQLite files say whose they are: "dRPC". */
const applicationId = 0x64525043
const schemaVersion = 3

const stepsTable = `
  CREATE TABLE steps (taken INTEGER NOT NULL) STRICT;
  INSERT INTO steps VALUES (0);
`

/** One row, once a step has been taken. */
const clockTable = `
  CREATE TABLE clock (
    only INTEGER NOT NULL PRIMARY KEY, time REAL NOT NULL, wall REAL NOT NULL, uptime REAL NOT NULL, boot TEXT NOT NULL,
    ahead REAL, since REAL
  ) STRICT;
  PRAGMA user_version = ${schemaVersion};
`

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
  ${stepsTable}
  ${clockTable}
  COMMIT;
`

const examine = (node: NodeModules, path: string): Found => {
  const stats = node.fs.statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return { _tag: "Nothing" }
  if (!stats.isFile())
    throw new RpcReason.LedgerUnavailable({
      why: `${path} is not a file`,
      advice: "Give the ledger the path of a file; it is created if it does not exist.",
      retryable: false,
    })
  if (stats.size === 0) return { _tag: "Damaged", why: "it is empty" }
  let database: Database | undefined
  try {
    database = openDatabase(node, path)
    const problem = problemOf(path, database)
    if (problem === undefined) return { _tag: "Ledger", database }
    database.close()
    return { _tag: "Damaged", why: problem }
  } catch (error) {
    database?.close()
    if (!isDamage(error)) throw error
    return { _tag: "Damaged", why: isCorrupt(error) ? damaged : "it is not a database" }
  }
}

const damaged = "its content is damaged"

const problemOf = (path: string, database: Database): string | undefined => {
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()
  if (numberIn(pragma("application_id"), "application_id") !== applicationId) return "it belongs to another program"
  const version = numberIn(pragma("user_version"), "user_version")
  if (version > schemaVersion)
    throw new RpcReason.LedgerUnavailable({
      why: `${path} was written by a newer version of dotrpc`,
      advice: "Update dotrpc, or use another file.",
      retryable: false,
    })
  if (pragma("quick_check(1)")?.["quick_check"] !== "ok") return damaged
  const tables = database.prepare("SELECT count(*) AS found FROM sqlite_schema WHERE name IN ('charges', 'leases')")
  if (numberIn(tables.get(), "found") !== 2) return damaged
  if (version < schemaVersion) database.exec(`BEGIN IMMEDIATE; ${version < 2 ? stepsTable : ""} ${clockTable} COMMIT`)
  return undefined
}

/** Makes a whole ledger beside its place and moves it there. */
const create = (node: NodeModules, path: string, records: Records | undefined): void => {
  // What is left of a database that is gone must not be taken for a part of this one.
  for (const file of filesOf(path).slice(1)) node.fs.rmSync(file, { force: true })
  const draft = draftOf(path)
  // SQLite gives its other files the mode of this one.
  node.fs.closeSync(createPrivate(node, draft))
  const database = new node.sqlite.DatabaseSync(draft)
  try {
    database.exec(`${schema} PRAGMA journal_mode = WAL`)
    if (records !== undefined) inTransaction(database, () => tablesOf(database, eachDay).restore(records))
  } finally {
    database.close()
  }
  try {
    node.fs.renameSync(draft, path)
  } catch (error) {
    node.fs.rmSync(draft, { force: true })
    throw error
  }
}

/** A name that says when a file was damaged, and that nothing has. */
const asideName = (node: NodeModules, path: string, now: number): string => {
  const stamped = `${path}.damaged-${new Date(now).toISOString().replaceAll(":", "-")}`
  let name = stamped
  for (let count = 2; node.fs.existsSync(name); count++) name = `${stamped}-${count}`
  return name
}

const moveAside = (node: NodeModules, path: string, now: number): string => {
  const asideAs = asideName(node, path, now)
  const target = filesOf(asideAs)
  for (const [index, file] of filesOf(path).entries())
    if (node.fs.existsSync(file)) node.fs.renameSync(file, target[index] ?? asideAs)
  return asideAs
}
