/**
 * A text in a file that any number of processes of a machine share. A change is written beside the file and moved into its place,
 * so a reader sees all of it, the one before or the one after.
 *
 * The lock is a folder beside the file with one file in it: its owner's draft, whose name is the owner's alone. Moving the draft
 * into the place of the ledger is what ends the lock. A lock whose owner is dead, or takes too long, is taken over by
 * removing that draft: if the owner was only stopped it has nothing left to move, and makes its change again.
 *
 * Invariant: of all changes that were begun on one text, one is moved into its place.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { dayOf, RpcReason } from "@dotrpc/spec"
import {
  createPrivate,
  type FileModules,
  findFileModules,
  isDead,
  makeFolder,
  pathsAreOpen,
  pidHere,
} from "../internal/node.ts"
import type { Cell, Seen } from "./store.ts"
import { firstDay, type Window } from "./window.ts"

export const makeFileCell = (path: string, window: Window): Cell => {
  let hasCleared = false
  return {
    name: `the credit ledger ${path}`,
    update: (change) =>
      whenFree(path, () => {
        const node = fileModules()
        // Of the machine that has the file, and not of the program.
        const now = Date.now()
        const read = (): Seen => ({ text: textAt(node, path) ?? earlierAt(node, path, window, now), now })
        const seen = read()
        const changed = change(seen)
        if (changed.text === undefined) return changed.answer
        makeFolder(node, node.path.dirname(path))
        if (!hasCleared) removeDrafts(node, path)
        hasCleared = true
        const lock = takeLock(node, path)
        try {
          const again = read()
          const { answer, text } = again.text === seen.text ? changed : change(again)
          if (text !== undefined) lock.replace(text)
          return answer
        } finally {
          lock.release()
        }
      }),
    close: Effect.void,
  }
}

interface Lock {
  /** Moves a text into the place of the ledger; throws where another process has taken the lock over. */
  readonly replace: (text: string) => void
  readonly release: () => void
}

const takeLock = (node: FileModules, path: string): Lock => {
  const { fs } = node
  const { join } = node.path
  const lock = `${path}.lock`
  const name = `${pidHere()}-${crypto.randomUUID()}`
  const made = `${lock}.${name}`
  fs.mkdirSync(made, { mode: 0o700 })
  fs.closeSync(createPrivate(node, join(made, name)))
  try {
    endStale(node, lock)
    // A folder with a file in it is replaced by no other: who finds one has to wait.
    fs.renameSync(made, lock)
  } catch (error) {
    fs.rmSync(made, { recursive: true, force: true })
    throw isGone(error) || isTaken(error) ? new Busy() : error
  }
  const draft = join(lock, name)
  return {
    replace: (text) => {
      const bytes = new TextEncoder().encode(text)
      try {
        const descriptor = fs.openSync(draft, fs.constants["O_WRONLY"] ?? 1, 0o600)
        try {
          for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at, bytes.length - at, at)
          fs.fsyncSync(descriptor)
        } finally {
          fs.closeSync(descriptor)
        }
        fs.renameSync(draft, path)
      } catch (error) {
        throw isGone(error) || isTaken(error) ? new Busy() : error
      }
    },
    release: () => {
      fs.rmSync(draft, { force: true })
      try {
        fs.rmdirSync(lock)
      } catch {
        // Somebody has it by now.
      }
    },
  }
}

/** Ends a lock whose owner is dead or takes too long. Anyone who tries at the same time removes the same draft. */
const endStale = ({ fs, path: { join } }: FileModules, lock: string): void => {
  if (!fs.existsSync(lock)) return
  for (const name of fs.readdirSync(lock)) {
    const draft = join(lock, name)
    if (isStale(fs.lstatSync(draft, { throwIfNoEntry: false })?.mtimeMs, name)) fs.rmSync(draft, { force: true })
  }
  if (fs.readdirSync(lock).length === 0) fs.rmdirSync(lock)
}

/** A wall clock that was set back makes a lock old as well. An owner in another container may look dead, so it gets a moment. */
const isStale = (since: number | undefined, name: string): boolean => {
  const age = Math.abs(Date.now() - (since ?? Date.now()))
  return age > longestLock || (age > momentMillis && isDead(Number.parseInt(name, 10)))
}

/** Removes the folders of processes that were killed before they had made a lock of them. */
const removeDrafts = ({ fs, path: { basename, dirname, join } }: FileModules, path: string): void => {
  const begins = `${basename(path)}.lock.`
  for (const name of fs.readdirSync(dirname(path))) {
    if (!name.startsWith(begins) || !draftName.test(name.slice(begins.length))) continue
    const folder = join(dirname(path), name)
    if (isStale(fs.lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs, name.slice(begins.length)))
      fs.rmSync(folder, { recursive: true, force: true })
  }
}

const draftName = /^\d+-[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** `undefined` where there is none. Anything but a file of a sensible size is not a ledger. */
const textAt = ({ fs }: FileModules, path: string): string | undefined => {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile())
    throw new RpcReason.LedgerUnavailable({
      why: `${path} is not a file`,
      advice: "Give the ledger the path of a file; it is created if it does not exist.",
      retryable: false,
    })
  return found.size > mostBytes ? "" : fs.readFileSync(path, "utf8")
}

/** No ledger's text, where an earlier version of this program has spent from a database beside it in the same window. */
const earlierAt = ({ fs }: FileModules, path: string, window: Window, now: number): string | undefined => {
  const database = path.replace(/\.json$/, ".sqlite")
  if (database === path) return undefined
  const touched = [database, `${database}-wal`].map(
    (file) => fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.max(...touched) > 0 && dayOf(Math.max(...touched)) >= firstDay(window, dayOf(now)) ? "" : undefined
}

/** Repeats it while other processes use the file. The thread is free between two attempts. */
const whenFree = <A>(path: string, body: () => A): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
  Effect.try({ try: body, catch: (error) => error }).pipe(
    Effect.retry({
      while: (error) => error instanceof Busy,
      schedule: Schedule.spaced("5 millis").pipe(Schedule.jittered),
      times: mostWaits,
    }),
    // Other processes take real time, whatever clock the program has.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    Effect.mapError((error) => unavailable(path, error)),
  )

/** Another process has the lock, or had taken it over. */
class Busy extends Error {}

const isTaken = (error: unknown): boolean => {
  const code = codeOf(error)
  // Windows says that nothing can be moved while somebody else has it open.
  return (
    code !== undefined &&
    ["ENOTEMPTY", "EEXIST", ...(pathsAreOpen() ? ["EPERM", "EACCES", "EBUSY"] : [])].includes(code)
  )
}

const isGone = (error: unknown): boolean => codeOf(error) === "ENOENT"

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

const fileModules = (): FileModules => {
  const found = findFileModules()
  if (found !== undefined) return found
  throw new RpcReason.LedgerUnavailable({
    why: "a ledger in a file needs Node, and this is not Node",
    advice: "Use CreditLedger.layerMemory here.",
    retryable: false,
  })
}

const unavailable = (path: string, error: unknown): RpcReason.LedgerUnavailable => {
  if (error instanceof RpcReason.LedgerUnavailable) return error
  if (error instanceof Busy)
    return new RpcReason.LedgerUnavailable({
      why: `another process has locked ${path}`,
      advice: "Try again; if that does not help, end the process that has the file open.",
      retryable: true,
    })
  return new RpcReason.LedgerUnavailable({
    why: `${path} cannot be used (${error instanceof Error ? error.message : String(error)})`,
    advice: "Check that the folder exists, that the file is writable, and that the disk is not full.",
    retryable: false,
  })
}

/** A change takes a few milliseconds, most of which the disk takes. */
const momentMillis = 100
const longestLock = 3_000

/** With what an attempt takes, about five seconds. */
const mostWaits = 900

/** Far above what the text of any ledger has. */
const mostBytes = 16_777_216
