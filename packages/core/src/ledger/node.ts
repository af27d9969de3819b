/**
 * The parts of Node that a ledger in a file needs. They are looked up while the program runs, so that a bundle for browsers
 * holds no trace of them.
 */
import { LedgerUnavailable } from "./Ledger.ts"

export interface NodeModules {
  readonly sqlite: { readonly DatabaseSync: new (path: string) => Database }
  readonly fs: FileSystem
  readonly path: { readonly dirname: (path: string) => string }
}

export interface Database {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => Statement
  readonly close: () => void
}

export interface Statement {
  readonly run: (...values: ReadonlyArray<string | number>) => unknown
  readonly get: (...values: ReadonlyArray<string | number>) => Row | undefined
  readonly all: (...values: ReadonlyArray<string | number>) => ReadonlyArray<Row>
}

export type Row = Readonly<Record<string, unknown>>

interface FileSystem {
  readonly existsSync: (path: string) => boolean
  readonly statSync: (path: string) => { readonly size: number; readonly isFile: () => boolean }
  readonly mkdirSync: (path: string, options: { readonly mode: number }) => unknown
  readonly openSync: (path: string, flags: string, mode: number) => number
  readonly closeSync: (file: number) => void
  readonly renameSync: (from: string, to: string) => void
  readonly rmSync: (path: string, options: { readonly force: true }) => void
}

interface Process {
  readonly versions?: { readonly node?: string }
  readonly getBuiltinModule?: (id: string) => unknown
}

/** Throws `LedgerUnavailable` outside Node, and on a Node without SQLite. */
export const nodeModules = (): NodeModules => {
  const { process } = globalThis as { readonly process?: Process }
  const load = (id: string) => process?.getBuiltinModule?.(id)
  const [sqlite, fs, path] = [load("node:sqlite"), load("node:fs"), load("node:path")]
  // Node's own modules: their shapes are documented, and the tests of the file ledger use all of what is declared above.
  if (sqlite !== undefined && fs !== undefined && path !== undefined) return { sqlite, fs, path } as NodeModules
  const version = process?.versions?.node
  throw version === undefined
    ? new LedgerUnavailable({
        why: "a ledger in a file needs Node, and this is not Node",
        advice: "Use CreditLedger.layerMemory here.",
        retryable: false,
      })
    : new LedgerUnavailable({
        why: `a ledger in a file needs Node 22.13 or newer, and this is Node ${version}`,
        advice: 'Update Node, or set "ledger" to "memory" or to the address of a Redis server.',
        retryable: false,
      })
}
