/**
 * The parts of Node that files need, those of ledgers and SQLite's. They are looked up while the program runs, so that a bundle for
 * browsers does not contain them.
 */
export interface NodeModules extends FileModules {
  readonly sqlite: { readonly DatabaseSync: new (path: string) => Database }
}

/** What is there on a Node without SQLite, too. */
export interface FileModules {
  readonly fs: FileSystem
  readonly path: {
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
  readonly mkdirSync: (path: string, options: { readonly mode: number }) => unknown
  readonly readdirSync: (path: string) => ReadonlyArray<string>
  readonly openSync: (path: string, flags: number, mode: number) => number
  readonly writeSync: (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number
  readonly readFileSync: (path: string, encoding: "utf8") => string
  readonly fsyncSync: (file: number) => void
  readonly closeSync: (file: number) => void
  readonly renameSync: (from: string, to: string) => void
  readonly rmSync: (path: string, options: { readonly force: true }) => void
}

interface Stats {
  readonly size: number
  readonly mtimeMs: number
  readonly isFile: () => boolean
}

interface Process {
  readonly pid?: number | undefined
  readonly platform?: string | undefined
  readonly kill?: ((pid: number, signal: 0) => unknown) | undefined
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

const processHere = (): Process | undefined => (globalThis as { readonly process?: Process | undefined }).process

export const pidHere = (): number => processHere()?.pid ?? 0

/** Whether no process of this machine has the id. One of another user has it, too. */
export const isDead = (pid: number): boolean => {
  try {
    processHere()?.kill?.(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

export const isWindows = (): boolean => processHere()?.platform === "win32"

/** Creates a file that is its owner's alone, and nothing where there is anything: no link that somebody planted is followed. */
export const createPrivate = ({ fs }: FileModules, path: string): number => {
  const { O_CREAT = 0, O_EXCL = 0, O_NOFOLLOW = 0, O_RDWR = 0 } = fs.constants
  return fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
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
