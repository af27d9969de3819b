/** Lets one process at a time work on the files of a ledger. The lock is SQLite's own, so that it ends with a process that is killed. */
import { RpcReason } from "@dotrpc/spec"
import type { Database, NodeModules } from "./node.ts"
import { createPrivate, emptyFile } from "./node.ts"
import { isBusy, isDamage, openDatabase } from "./sqlite.ts"

export interface Guard {
  readonly run: <A>(body: () => A) => A
  readonly close: () => void
}

export const makeGuard = (node: NodeModules, path: string): Guard => {
  const file = `${path}.guard`
  let held: { readonly database: Database; readonly identity: string | undefined } | undefined
  const close = () => {
    held?.database.close()
    held = undefined
  }
  const lock = (): Database => {
    try {
      return lockOnce()
    } catch (error) {
      if (!isDamage(error)) throw error
      close()
      // Emptied in its place, and not replaced: the locks of other processes belong to the file, so one that has the lock
      // keeps it, and a guard that somebody else has repaired meanwhile is empty already.
      emptyFile(node, file)
      return lockOnce()
    }
  }
  const lockOnce = (): Database => {
    for (;;) {
      held ??= { database: openGuard(node, file), identity: identityOf(node, file) }
      held.database.exec("BEGIN IMMEDIATE")
      // Behind a file that was removed or replaced, others would not wait.
      if (held.identity !== undefined && held.identity === identityOf(node, file)) return held.database
      close()
    }
  }
  return {
    run: (body) => {
      let database: Database
      try {
        database = lock()
      } catch (error) {
        close()
        throw isBusy(error) ? error : unusable(file, error)
      }
      try {
        return body()
      } finally {
        database.exec("COMMIT")
      }
    },
    close,
  }
}

const unusable = (file: string, error: unknown): RpcReason.LedgerUnavailable =>
  new RpcReason.LedgerUnavailable({
    why: `the lock file ${file} of the credit ledger cannot be used (${error instanceof Error ? error.message : String(error)})`,
    advice:
      "Check that the folder exists, that the file is writable, and that the disk is not full. The lock file contains nothing: dotrpc creates it again after you delete it.",
    retryable: false,
  })

/** What tells a file from another that has taken its name; `undefined` for none. */
export const identityOf = ({ fs }: NodeModules, path: string): string | undefined => {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

const openGuard = (node: NodeModules, file: string): Database => {
  try {
    node.fs.closeSync(createPrivate(node, file))
  } catch (error) {
    if (!node.fs.existsSync(file)) throw error
  }
  const database = openDatabase(node, file)
  // It is only locked: nothing is ever written to it.
  database.exec("PRAGMA journal_mode = MEMORY")
  return database
}
