/**
 * The parts of Node that a ledger in a file needs. They are looked up while the program runs, so that a bundle for
 * browsers does not contain them.
 */
import { RpcReason } from "@dotrpc/spec"

export interface NodeModules extends FileModules {
  readonly sqlite: { readonly DatabaseSync: new (path: string) => Database }
}

/** What is there on a Node without SQLite, too. */
export interface FileModules {
  readonly fs: FileSystem
  readonly path: {
    readonly basename: (path: string) => string
    readonly dirname: (path: string) => string
    readonly join: (...parts: ReadonlyArray<string>) => string
  }
}

export interface Database {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => Statement
  readonly close: () => void
}

export interface Statement {
  readonly run: (...values: ReadonlyArray<Value>) => unknown
  readonly get: (...values: ReadonlyArray<Value>) => Row | undefined
  readonly all: (...values: ReadonlyArray<Value>) => ReadonlyArray<Row>
}

/** What a statement may be given. */
export type Value = string | number | bigint | null | Uint8Array

export type Row = Readonly<Record<string, unknown>>

interface FileSystem {
  readonly constants: Readonly<Record<string, number | undefined>>
  readonly existsSync: (path: string) => boolean
  readonly lstatSync: (path: string, options: { readonly throwIfNoEntry: false }) => Stats | undefined
  readonly statSync: (path: string, options: { readonly throwIfNoEntry: false }) => Stats | undefined
  readonly mkdirSync: (path: string, options: { readonly mode: number }) => unknown
  readonly readdirSync: (path: string) => ReadonlyArray<string>
  readonly openSync: (path: string, flags: number, mode: number) => number
  readonly writeSync: (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number
  readonly readSync: (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number
  readonly closeSync: (file: number) => void
  readonly renameSync: (from: string, to: string) => void
  readonly rmSync: (path: string, options: { readonly force: true }) => void
}

interface Stats {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly isFile: () => boolean
}

interface Process {
  readonly versions?: { readonly node?: string | undefined } | undefined
  readonly getBuiltinModule?: ((id: string) => unknown) | undefined
}

/** `undefined` outside Node, and on a Node without SQLite. */
export const findNodeModules = (): NodeModules | undefined => {
  const files = findFileModules()
  const sqlite = load("node:sqlite")
  if (sqlite === undefined || files === undefined) return undefined
  // Node's own modules: their shapes are documented, and the tests of the file ledger use all of what is declared above.
  return { ...files, sqlite } as NodeModules
}

/** `undefined` outside Node. */
export const findFileModules = (): FileModules | undefined => {
  const [fs, path] = [load("node:fs"), load("node:path")]
  return fs === undefined || path === undefined ? undefined : ({ fs, path } as FileModules)
}

const load = (id: string): unknown => processHere()?.getBuiltinModule?.(id)

/** Throws `LedgerUnavailable` outside Node, and on a Node without SQLite. */
export const nodeModules = (): NodeModules => {
  const found = findNodeModules()
  if (found !== undefined) return found
  const version = processHere()?.versions?.node
  throw version === undefined
    ? new RpcReason.LedgerUnavailable({
        why: "a ledger in a file needs Node, and this is not Node",
        advice: "Use CreditLedger.layerMemory here.",
        retryable: false,
      })
    : new RpcReason.LedgerUnavailable({
        why: `a ledger in a file needs Node 22.13 or newer, and this is Node ${version}`,
        advice: 'Update Node, or set "ledger" to "memory" or to the url of a Redis server.',
        retryable: false,
      })
}

const processHere = (): Process | undefined => (globalThis as { readonly process?: Process | undefined }).process

/** Creates a file that is its owner's alone, and nothing where there is anything: no link that somebody planted is followed. */
export const createPrivate = ({ fs }: FileModules, path: string): number => {
  const { O_CREAT = 0, O_EXCL = 0, O_NOFOLLOW = 0, O_RDWR = 0 } = fs.constants
  return fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
}

/** Takes out of a file what is in it. It stays the same file; no link is followed. */
export const emptyFile = ({ fs }: FileModules, path: string): void => {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR = 0, O_TRUNC = 0 } = fs.constants
  fs.closeSync(fs.openSync(path, O_RDWR | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600))
}

/** The first bytes of a file, no more than `count`. Follows no link, and never waits for the other end of a pipe. */
export const readStart = ({ fs }: FileModules, path: string, count: number): Uint8Array => {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY = 0 } = fs.constants
  const descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const bytes = new Uint8Array(count)
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, count, 0))
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Folder by folder, because `recursive` of Node's `mkdir` never comes back from where none can be made, such as `/proc`. */
export const makeFolder = (node: FileModules, folder: string): void => {
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
