/**
 * A text in a file that any number of processes of a machine share. A change is written beside the file and moved into its place,
 * so a reader sees all of it, the one before or the one after.
 *
 * The lock is a folder beside the file. Who wants it puts an empty draft there, whose name is its own, and has the lock if no
 * other is there: of two that come at once, one sees the other at least. Moving the draft into the place of the ledger is what
 * ends the lock. A lock whose owner is dead, or takes too long, is taken over by removing that draft: if the owner was only
 * stopped it has nothing left to move, and makes its change again.
 *
 * Invariant: of all changes that were begun on one text, one is moved into its place.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { RpcReason } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"
import {
  createPrivate,
  type FileModules,
  findFileModules,
  isDead,
  makeFolder,
  isWindows,
  pidHere,
} from "../internal/node.ts"
import type { Cell, Seen } from "./cell.ts"
import { firstDay, type Window } from "./window.ts"

/** What differs from the file of a ledger. */
export interface FileCellOptions extends Partial<Pick<Cell, "name" | "repair">> {
  /** Whether a change waits until it would survive a power cut; `true` by default. */
  readonly survivesPowerCuts?: boolean | undefined
}

export const makeFileCell = (
  path: string,
  window: Window,
  { survivesPowerCuts = true, ...words }: FileCellOptions = {},
): Cell => ({
  name: `the credit ledger ${path}`,
  ...words,
  update: (change) =>
    whenFree(path, () => {
      const node = fileModules()
      // Of the machine that has the file, and not of the program.
      const now = Date.now()
      const read = (): Seen => ({ text: textAt(node, path) ?? earlierAt(node, path, window, now), now })
      const seen = read()
      const changed = change(seen)
      if (changed.text === undefined) return changed.answer
      const lock = takeLock(node, path, survivesPowerCuts)
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
})

interface Lock {
  /** Moves a text into the place of the ledger; throws where another process has taken the lock over. */
  readonly replace: (text: string) => void
  readonly release: () => void
}

const takeLock = (node: FileModules, path: string, survivesPowerCuts: boolean): Lock => {
  const { fs } = node
  const folder = `${path}.lock`
  makeFolder(node, folder)
  const name = `${pidHere()}-${crypto.randomUUID()}`
  const draft = node.path.join(folder, name)
  if (hasOthers(node, folder, name)) throw new Busy()
  let descriptor: number | undefined = whileFree(() => createPrivate(node, draft))
  const close = () => {
    if (descriptor !== undefined) fs.closeSync(descriptor)
    descriptor = undefined
  }
  const release = () => {
    close()
    fs.rmSync(draft, { force: true })
  }
  if (hasOthers(node, folder, name)) {
    release()
    throw new Busy()
  }
  return {
    replace: (text) => {
      const bytes = new TextEncoder().encode(text)
      const file = descriptor ?? 0
      for (let at = 0; at < bytes.length;) at += fs.writeSync(file, bytes, at, bytes.length - at, at)
      if (survivesPowerCuts) fs.fsyncSync(file)
      close()
      whileFree(() => fs.renameSync(draft, path))
    },
    release,
  }
}

/** Whether others have the lock, or want it at the same time. Drafts that nobody is at are removed. */
const hasOthers = ({ fs, path: { join } }: FileModules, folder: string, own: string): boolean =>
  whileFree(() => fs.readdirSync(folder)).some((name) => {
    const since = fs.lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs
    if (name === own || since === undefined) return false
    if (!isStale(since, name)) return true
    fs.rmSync(join(folder, name), { force: true })
    return false
  })

/** A wall clock that was set back makes a lock old as well. An owner in another container may look dead, so it gets a moment. */
const isStale = (since: number, name: string): boolean => {
  const age = Math.abs(Date.now() - since)
  return age > longestLock || (age > momentMillis && isDead(Number.parseInt(name, 10)))
}

/** Throws `Busy` where somebody else has taken the lock over. */
const whileFree = <A>(use: () => A): A => {
  try {
    return use()
  } catch (error) {
    throw isTaken(error) ? new Busy() : error
  }
}

/** `undefined` where there is none. Anything but a file of a sensible size is not a ledger. */
const textAt = ({ fs }: FileModules, path: string): string | undefined => {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile())
    throw new RpcReason.LedgerUnavailable({
      why: `${path} is not a file`,
      advice: "Give the ledger the path of a file and not of a folder or a link; it is created if it does not exist.",
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
      schedule: Schedule.spaced("5 millis").pipe(Schedule.jittered, Schedule.upTo({ duration: patience })),
    }),
    // Other processes take real time, whatever clock the program has.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    Effect.mapError((error) => unavailable(path, error)),
  )

/** Another process has the lock, or had taken it over. */
class Busy extends Error {}

/** Windows says that nothing can be moved while somebody else has it open. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOENT" || (isWindows() && ["EPERM", "EACCES", "EBUSY"].includes(String(error.code))))

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

const patience = "5 seconds"

/** Far above what the text of any ledger has. */
const mostBytes = 16_777_216
