/**
 * The folder that recordings are in.
 *
 * Invariants: a file is replaced as a whole; no link in the folder is followed, and no more is read than a limit.
 */
import { textOfBytes } from "@dotrpc/spec"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type FileHandle, type FileSystem, nodeModules } from "./node.ts"

export interface Folder {
  /** As the user named it. */
  readonly path: string
  /** Makes the folder where its parent is there, and finds out whether a file can be created in it. */
  readonly expectWritable: Effect.Effect<void, FolderProblem>
  /** The text of a file of at most this many bytes, {@link longestFile} by default; `undefined` where there is none. */
  readonly read: (name: string, longest?: number) => Effect.Effect<string | undefined, FolderProblem>
  /** Replaces a file; the pieces are its text. */
  readonly write: (name: string, pieces: Iterable<string>) => Effect.Effect<void, FolderProblem>
  /** Removes a file; whether there was one. */
  readonly remove: (name: string) => Effect.Effect<boolean, FolderProblem>
  /** The first names, in their order, of those that begin with this. */
  readonly namesWith: (start: string, limit: number) => Effect.Effect<ReadonlyArray<string>, FolderProblem>
}

/** Why a file or the folder cannot be used, and what to do. */
export class FolderProblem extends Data.TaggedError("FolderProblem")<{
  readonly why: string
  readonly advice: string
}> {}

export const folderAt = (path: string): Folder => {
  const using = <A>(body: (fs: FileSystem, pathOf: (name: string) => string) => Promise<A>) =>
    Effect.tryPromise({
      try: () => {
        const node = nodeModules()
        if (node === undefined)
          throw new FolderProblem({ why: "this is not Node 20.16 or newer", advice: "Update Node." })
        return body(node.fs, (name) => node.path.join(path, name))
      },
      catch: problemOf(path),
    })
  return {
    path,
    expectWritable: using(async (fs, pathOf) => {
      await fs.mkdir(path, { mode: 0o777 }).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") throw noParent
        if (codeOf(error) !== "EEXIST") throw error
      })
      const probe = pathOf(draftName())
      await create(fs, probe, [])
      await fs.rm(probe, { force: true })
    }),
    read: (name, longest = longestFile) =>
      using(async (fs, pathOf) => {
        const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY = 0 } = fs.constants
        let handle: FileHandle | undefined
        try {
          handle = await fs.open(pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
          const stats = await handle.stat()
          if (!stats.isFile()) throw notRegular
          if (stats.size > longest) throw tooLong
          const text = textOfBytes(await handle.readFile())
          if (typeof text !== "string")
            throw new FolderProblem({ why: `it ${text.problem}`, advice: "Record the calls again." })
          return text
        } catch (error) {
          if (codeOf(error) === "ENOENT") return undefined
          throw error
        } finally {
          await handle?.close()
        }
      }),
    write: (name, pieces) =>
      using(async (fs, pathOf) => {
        const draft = pathOf(draftName())
        try {
          await create(fs, draft, pieces)
          await fs.rename(draft, pathOf(name))
        } catch (error) {
          await fs.rm(draft, { force: true })
          throw error
        }
      }),
    remove: (name) =>
      using(async (fs, pathOf) => {
        try {
          await fs.rm(pathOf(name))
          return true
        } catch (error) {
          if (codeOf(error) === "ENOENT") return false
          throw error
        }
      }),
    namesWith: (start, limit) =>
      using(async (fs) => {
        const names: Array<string> = []
        let seen = 0
        for await (const { name } of await fs.opendir(path)) {
          if (name.startsWith(start)) names.push(name)
          if (++seen === mostNames) break
        }
        return names.toSorted().slice(0, limit)
      }),
  }
}

/** Writes a file where there is nothing. */
const create = async (fs: FileSystem, file: string, pieces: Iterable<string>): Promise<void> => {
  const { O_CREAT = 0, O_EXCL = 0, O_NOFOLLOW = 0, O_WRONLY = 0 } = fs.constants
  const handle = await fs.open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
  try {
    let length = 0
    for (const piece of pieces) {
      length += piece.length
      if (length > longestFile) throw tooLong
      await handle.writeFile(piece)
    }
  } finally {
    await handle.close()
  }
}

/** In bytes, and in characters while it is written: more than the longest reply that is usually read takes, with its line breaks. */
const longestFile = 256 * 1_048_576

/** Names that are looked at: more than a folder of recordings has. */
const mostNames = 100_000

/** Random, so that nobody can prepare it. */
const draftName = (): string => `.${crypto.randomUUID()}.tmp`

const tooLong = new FolderProblem({
  why: "it is longer than a recording may be, which is 256 MiB",
  advice: "Narrow the query, or do not record it.",
})

const noParent = new FolderProblem({
  why: "there is no folder to create it in",
  advice: "Check the path, or create the folder that it lies in.",
})

const notRegular = new FolderProblem({
  why: "it is not a regular file",
  advice: "Remove it, or name another folder.",
})

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

/** In words without paths but the folder's, as the user named it. */
const problemOf =
  (path: string) =>
  (error: unknown): FolderProblem => {
    if (error instanceof FolderProblem) return error
    const elsewhere = "Name another folder."
    switch (codeOf(error)) {
      case "EACCES":
      case "EPERM":
        return new FolderProblem({ why: "access is denied", advice: elsewhere })
      case "EISDIR":
      case "ERR_FS_EISDIR":
      case "ELOOP":
      case "EMLINK":
        return new FolderProblem({ why: "there is a folder or a link of that name", advice: notRegular.advice })
      case "ENOENT":
        return new FolderProblem({
          why: `there is no folder ${path}`,
          advice: "Check the path, or record the calls there first.",
        })
      case "ENOSPC":
        return new FolderProblem({ why: "the disk is full", advice: "Make room, or name a folder on another disk." })
      case "ENOTDIR":
      case "EEXIST":
        return new FolderProblem({ why: `${path} is not a folder`, advice: elsewhere })
      case "EROFS":
        return new FolderProblem({ why: "this disk cannot be written to", advice: elsewhere })
      default:
        return new FolderProblem({
          why: `the file system reports ${String(codeOf(error))}`,
          advice: elsewhere,
        })
    }
  }
