/** Lets one process at a time work on the files of a ledger. The lock is SQLite's own, so that it ends with a process that is killed. */
import type { Database, NodeModules } from "./node.ts"
import { createPrivate } from "./node.ts"
import { openDatabase } from "./sqlite.ts"

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
        throw error
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
