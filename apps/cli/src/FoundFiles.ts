/**
 * The files that a glob matches. A tree may be without end, as `/` nearly is: after so many entries it is reported as too
 * large, and a signal ends the search between two folders.
 */
import { type Dirent, opendirSync, readdir } from "node:fs"
import { callbackify } from "node:util"

/** What was found, in order. `problem` says why there may be more, as words after the pattern. */
export interface FoundFiles {
  readonly files: ReadonlyArray<string>
  readonly problem?: string | undefined
}

export interface SearchLimits {
  /** The most files and folders that are looked at. */
  readonly entries: number
  /** The most files that match. */
  readonly matches: number
}

export const searchLimits: SearchLimits = { entries: 250_000, matches: 20_000 }

export interface SearchChoices {
  /** The folder that the pattern begins at. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
  readonly limits?: SearchLimits | undefined
}

/** Absolute paths of the files that match. Nothing below a folder of dependencies is the user's, and a link may lead anywhere. */
export const findFiles = async (
  pattern: string,
  { folder, limits = searchLimits, signal }: SearchChoices,
): Promise<FoundFiles> => {
  const tooMany = new AbortController()
  let looked = 0
  const entriesOf = (path: string): ReadonlyArray<Dirent> => {
    const entries: Array<Dirent> = []
    const opened = opendirSync(path, { bufferSize: 1_024 })
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        if (looked === limits.entries) {
          tooMany.abort()
          break
        }
        looked++
        entries.push(entry)
      }
    } finally {
      opened.closeSync()
    }
    return entries
  }
  let turn = Promise.resolve()
  /** Folders are read one after the other, a turn of the event loop each, so that a signal is heard. */
  const readInTurn = async (path: string): Promise<ReadonlyArray<Dirent>> => {
    turn = turn.then(nextTurn)
    await turn
    return tooMany.signal.aborted || signal?.aborted === true ? [] : entriesOf(path)
  }
  // A file that is named needs no search, which takes a while to load.
  const { glob } = await import("tinyglobby")
  const files = await glob(pattern, {
    cwd: folder,
    absolute: true,
    ignore: ["**/node_modules/**"],
    followSymbolicLinks: false,
    signal: signal === undefined ? tooMany.signal : AbortSignal.any([signal, tooMany.signal]),
    fs: {
      readdir: new Proxy(readdir, {
        apply: (_, _self, [path, , answer]: ReaddirCall) => callbackify(readInTurn)(path, answer),
      }),
    },
  })
  const problem = tooMany.signal.aborted
    ? `covers more than ${limits.entries.toLocaleString("en")} files and folders`
    : files.length > limits.matches
      ? `matches more than ${limits.matches.toLocaleString("en")} files`
      : undefined
  return { files: files.toSorted().slice(0, limits.matches), problem }
}

type Answer = (error: NodeJS.ErrnoException | null, entries: ReadonlyArray<Dirent>) => void
type ReaddirCall = [path: string, options: unknown, answer: Answer]

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
