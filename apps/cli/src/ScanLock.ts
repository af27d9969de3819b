/**
 * Which process works on a checkpoint: `CHECKPOINT.lock` names it while it does.
 *
 * Invariant: of all processes of one machine at most one works on a checkpoint. A lock of a process that has ended without
 * removing it, as after a kill, is taken over. Of a process on another machine nobody knows here whether it still runs, so
 * its lock stays.
 */
import { ExitCode } from "@dotrpc/runner"
import { AtomicFile, FileLock, readTextFileSync } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect, type Scope } from "effect"
import { existsSync, rmSync } from "node:fs"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { fileProblem } from "./fileProblem.ts"
import type { NamedFile } from "./Host.ts"
import { isRunning } from "./isRunning.ts"

/** A lock that is held until the scope closes. */
export interface Lock {
  /** The process that held it before was killed. */
  readonly wasKilled: boolean
  /** Leaves the lock as it was found: what the killed process did is not dealt with. */
  readonly leave: () => void
}

/** Locks a checkpoint. Fails when another scan works on it. */
export const lockCheckpoint = (checkpoint: NamedFile): Effect.Effect<Lock, CommandFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => locked(checkpoint),
      catch: (error) =>
        new CommandFailed({
          lines: [
            error instanceof Error && "code" in error
              ? `${checkpoint.name} cannot be locked: ${fileProblem(error)}`
              : wordsOf(error),
          ],
          exitCode: ExitCode.invalid,
        }),
    }),
    ({ release }) => Effect.sync(release),
  )

/** Lies beside the checkpoint. */
export const lockOf = ({ name, path }: NamedFile): NamedFile => ({ name: `${name}.lock`, path: `${path}.lock` })

interface Held extends Lock {
  readonly release: () => void
}

const unlocked: Held = { wasKilled: false, leave: () => undefined, release: () => undefined }

/** Locks of this process, by their paths: its id alone may be that of an earlier process. */
const own = new Set<string>()

const locked = (checkpoint: NamedFile): Held => {
  const lock = lockOf(checkpoint)
  // Where nothing can be written, opening the checkpoint says so.
  if (!existsSync(dirname(lock.path))) return unlocked
  return FileLock.withLock(lock.path, () => {
    const owner = ownerOf(lock)
    if (owner !== undefined) expectEnded(checkpoint, lock, owner)
    try {
      write(lock, { process: process.pid, host: hostname() })
    } catch {
      return unlocked
    }
    own.add(lock.path)
    let leaves = false
    const release = () => {
      own.delete(lock.path)
      if (leaves && owner !== undefined) write(lock, owner)
      else rmSync(lock.path, { force: true })
    }
    return { wasKilled: owner !== undefined, leave: () => void (leaves = true), release }
  })
}

const write = ({ path }: NamedFile, { host, process }: Owner): void =>
  AtomicFile.replace(path, Json.stringify({ process, host }), { private: true })

interface Owner {
  readonly process: number
  readonly host: string
}

/** Throws an `Error` when something else is where the lock would be. */
const ownerOf = ({ name, path }: NamedFile): Owner | undefined => {
  if (!existsSync(path)) return undefined
  const problem = AtomicFile.problemOf(path)
  if (problem !== undefined) throw new Error(`${name} cannot be the lock of a scan: ${problem}`)
  try {
    const text = readTextFileSync(path, largestLock)
    const value = typeof text === "string" ? Json.parse(text) : undefined
    if (Json.isObject(value) && typeof value.process === "number" && typeof value.host === "string")
      return { process: value.process, host: value.host }
  } catch {
    // It is not one that a scan wrote.
  }
  throw new Error(`${name} is not the lock of a scan: delete it if no scan works on this checkpoint, then try again`)
}

const largestLock = 4_096

/** Throws an `Error` unless the process has ended. */
const expectEnded = ({ name }: NamedFile, lock: NamedFile, owner: Owner): void => {
  if (owner.host !== hostname())
    throw new Error(
      `${name} is in use by process ${owner.process} on the machine "${owner.host}": wait until that scan has ended; if it was killed, delete ${lock.name}`,
    )
  const runs = owner.process === process.pid ? own.has(lock.path) : isRunning(owner.process)
  if (runs)
    throw new Error(
      `${name} is in use by another scan, process ${owner.process}: wait until it has ended, or stop it; if that process is not a scan, delete ${lock.name}`,
    )
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
