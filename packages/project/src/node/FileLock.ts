/**
 * One process at a time changes a file: anyone who has created `FILE.lock` does. What is done under it is short.
 *
 * Invariants: nobody waits longer than a limit. A lock that its process has left behind is taken over once it is old. What
 * is not a regular file is nobody's lock: it stays as it is, and nobody waits for it.
 */
import { randomBytes } from "node:crypto"
import { linkSync, lstatSync, renameSync, rmSync } from "node:fs"
import * as AtomicFile from "./AtomicFile.ts"

/** Another process holds the lock, and has for longer than anybody would wait; or something else is in its place. */
export class Locked extends Error {
  override readonly name = "Locked"
}

/** Does something while no other process does anything with the same file. Throws {@link Locked}, or what it throws. */
export const withLock = <Result>(file: string, act: () => Result, waitMillis = mostMillis): Result => {
  const attempt = attempts(file, waitMillis)
  for (let release = attempt(); ; release = attempt()) {
    if (release === undefined) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMillis())
      continue
    }
    try {
      return act()
    } finally {
      release()
    }
  }
}

/** As {@link withLock}, while others of this process go on. */
export const withLockAsync = async <Result>(file: string, act: () => Promise<Result>): Promise<Result> => {
  const attempt = attempts(file, mostMillis)
  for (let release = attempt(); ; release = attempt()) {
    if (release === undefined) {
      await new Promise((resolve) => void setTimeout(resolve, pauseMillis()))
      continue
    }
    try {
      return await act()
    } finally {
      release()
    }
  }
}

/** No change takes a second. */
const staleMillis = 10_000
const mostMillis = 15_000

/** Several that wait must not try at the same moments. */
const pauseMillis = (): number => 2 + Math.random() * 18

/** Each attempt gives what releases the lock, or `undefined` when another process has it. */
const attempts = (file: string, waitMillis: number): (() => (() => void) | undefined) => {
  const lock = `${file}.lock`
  const end = Date.now() + waitMillis
  return () => {
    try {
      AtomicFile.create(lock, "", { private: true })
      const own = lstatSync(lock)
      return () => {
        // One that took too long may have lost it to another.
        const now = lstatSync(lock, { throwIfNoEntry: false })
        if (now?.ino === own.ino) rmSync(lock, { force: true })
      }
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    }
    removeStale(lock)
    if (Date.now() < end) return undefined
    throw new Locked(`another process is changing it; try again, or remove ${lock} if there is no other`)
  }
}

/** Two that find the same old lock must not remove the new one of the first. */
const removeStale = (lock: string): void => {
  const found = lstatSync(lock, { throwIfNoEntry: false })
  if (found?.isFile() === false)
    throw new Locked(`${lock} is in the way, which is not a regular file: move it away, then try again`)
  if (found === undefined || Date.now() - found.mtimeMs < staleMillis) return
  const aside = `${lock}.${randomBytes(12).toString("hex")}`
  try {
    renameSync(lock, aside)
  } catch {
    // Another was first.
    return
  }
  const { ino } = lstatSync(aside)
  try {
    if (ino !== found.ino) linkSync(aside, lock)
  } catch {
    // There is a lock again, and its owner goes first.
  }
  rmSync(aside, { force: true })
}
