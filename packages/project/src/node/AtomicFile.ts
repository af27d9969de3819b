/**
 * Writing files that others may try to redirect. A text replaces a file as a whole, or the file stays as it was.
 *
 * Invariants: what is written lands in a regular file, never in a device, a pipe or a folder. A name that the program chose
 * is never followed when it is a symbolic link; one that a user gave is, when asked for. Temporary names are random and
 * created exclusively, so nobody can prepare them.
 */
import { atOnce, type Steps } from "@dotrpc/spec"
import { randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"

/** A path that must not be written to. The message says why and what to do, without the path. */
export class NotWritable extends Error {
  override readonly name = "NotWritable"
}

/** How a file is replaced. */
export interface Options {
  /**
   * "follow" for a path that a user named: then it may be a symbolic link, and it is written in place where nothing can be
   * put beside it. Refused by default.
   */
  readonly links?: "follow" | "refuse" | undefined
  /** For the owner's eyes only. Without it a new file has the usual mode, and an existing one keeps its own. */
  readonly private?: boolean | undefined
}

/** A text in pieces. Where nothing can be put beside the file they are walked through a second time. */
export type Pieces = Iterable<string | Uint8Array>

/**
 * Replaces or creates a file. A reader sees the old text or the new one, never a part of either, and neither does anyone
 * after a crash. Throws {@link NotWritable}, or what the file system throws.
 */
export const replace = (path: string, text: string | Uint8Array, options: Options = {}): void =>
  atOnce(replacing(path, [text], options))

/**
 * As {@link replace}, with a text that may be longer than a string can be; in steps of one piece each. Work that is left
 * before its end leaves the file as it was.
 */
export function* replacing(path: string, pieces: Pieces, options: Options = {}): Steps<void> {
  const target = targetOf(path, options)
  const found = lstatSync(target, { throwIfNoEntry: false })
  refuseOthers(found)
  try {
    yield* replaceWhole(target, found, pieces, options)
  } catch (error) {
    if (options.links !== "follow" || found === undefined || !isFixed(error)) throw error
    yield* writeInPlace(target, pieces, options)
  }
}

/** A file that is being written beside the one it replaces. Nobody sees it by the name of that one before `commit`. */
export interface Draft {
  /** Adds bytes to the end. Throws what the file system throws. */
  readonly write: (bytes: Uint8Array) => void
  /** Puts it in its place, whole and on the disk. Throws what the file system throws, and then it is discarded. */
  readonly commit: () => void
  /** Removes it; does nothing after `commit`. */
  readonly discard: () => void
}

/**
 * Begins to replace or create a file, as {@link replace} does, with what is not known yet. Throws {@link NotWritable}, or what the file
 * system throws.
 */
export const draft = (path: string, options: Options = {}): Draft => {
  const target = targetOf(path, options)
  const found = lstatSync(target, { throwIfNoEntry: false })
  refuseOthers(found)
  const next = join(dirname(target), temporaryName())
  const descriptor = openSync(next, createExclusively, options.private === true ? 0o600 : 0o666)
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    closeSync(descriptor)
  }
  let isInPlace = false
  const discard = (): void => {
    if (isInPlace) return
    close()
    rmSync(next, { force: true })
  }
  return {
    write: (bytes) => writeAll(descriptor, bytes),
    commit: () => {
      try {
        if (found !== undefined && options.private !== true) fchmodSync(descriptor, found.mode & 0o777)
        fsyncSync(descriptor)
        close()
        renameSync(next, target)
        isInPlace = true
      } finally {
        discard()
      }
      syncFolder(dirname(target))
    },
    discard,
  }
}

/**
 * Throws as {@link replace} would, and leaves the path as it is. The permissions of a folder are not enough: it may be
 * one that nobody can create files in, such as `/proc`.
 */
export const rehearse = (path: string, options: Options = {}): void => {
  const target = targetOf(path, options)
  const found = lstatSync(target, { throwIfNoEntry: false })
  refuseOthers(found)
  const next = join(dirname(target), temporaryName())
  try {
    closeSync(openSync(next, createExclusively, 0o600))
    rmSync(next, { force: true })
  } catch (error) {
    if (options.links !== "follow" || found === undefined || !isFixed(error)) throw error
    closeSync(open(target, "existing", options))
  }
}

/** Creates a file where there is nothing, not even a symbolic link. Throws what the file system throws, `EEXIST` above all. */
export const create = (path: string, text: string | Uint8Array, options: Pick<Options, "private"> = {}): void => {
  const descriptor = openSync(path, createExclusively, options.private === true ? 0o600 : 0o666)
  try {
    try {
      atOnce(writingAll(descriptor, [text]))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/**
 * Opens a file to write at positions: an empty one, or what is there. Never waits for the other end of a pipe. Throws
 * {@link NotWritable}, or what the file system throws.
 */
export const open = (path: string, from: "empty" | "existing", options: Options = {}): number => {
  const problem = problemOf(path, options)
  if (problem !== undefined) throw new NotWritable(problem)
  const create = from === "empty" ? constants.O_CREAT : 0
  const link = options.links === "follow" ? 0 : noFollow
  const flags = constants.O_RDWR | create | link | noWait
  const descriptor = openSync(path, flags, options.private === true ? 0o600 : 0o666)
  try {
    // Something else may have taken its place since.
    refuseOthers(fstatSync(descriptor))
    if (from === "empty") ftruncateSync(descriptor, 0)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Why nothing may be written to a path, and what to do; `undefined` where there is a regular file or nothing. */
export const problemOf = (path: string, { links = "refuse" }: Pick<Options, "links"> = {}): string | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() !== true) return wordsOf(found)
  if (links === "refuse") return aLink
  const linked = statSync(path, { throwIfNoEntry: false })
  return linked === undefined
    ? "it is a symbolic link to nothing; remove it, or create the file it points to"
    : wordsOf(linked)
}

const aLink = "it is a symbolic link; remove it, or name the file it points to"

const wordsOf = (found: Stats | undefined): string | undefined => {
  if (found === undefined || found.isFile()) return undefined
  if (found.isDirectory()) return "it is a folder"
  const kind = found.isFIFO()
    ? "a named pipe"
    : found.isSocket()
      ? "a socket"
      : found.isSymbolicLink()
        ? "a link"
        : "a device"
  return `it is ${kind}; give the name of a regular file, or write to stdout`
}

const refuseOthers = (found: Stats | undefined): void => {
  const problem = wordsOf(found)
  if (problem !== undefined) throw new NotWritable(problem)
}

/** Where the text goes: the link itself is never replaced when it is to be followed. */
const targetOf = (path: string, options: Options): string => {
  const problem = problemOf(path, options)
  if (problem !== undefined) throw new NotWritable(problem)
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return options.links === "follow" && exists ? realpathSync(path) : path
}

function* replaceWhole(target: string, found: Stats | undefined, pieces: Pieces, options: Options): Steps<void> {
  const next = join(dirname(target), temporaryName())
  const descriptor = openSync(next, createExclusively, options.private === true ? 0o600 : 0o666)
  let isInPlace = false
  try {
    try {
      // The umask does not apply to a mode that the file had before.
      if (found !== undefined && options.private !== true) fchmodSync(descriptor, found.mode & 0o777)
      yield* writingAll(descriptor, pieces)
    } finally {
      closeSync(descriptor)
    }
    renameSync(next, target)
    isInPlace = true
  } finally {
    if (!isInPlace) rmSync(next, { force: true })
  }
  syncFolder(dirname(target))
}

function* writeInPlace(target: string, pieces: Pieces, options: Options): Steps<void> {
  const descriptor = open(target, "empty", options)
  try {
    yield* writingAll(descriptor, pieces)
  } finally {
    closeSync(descriptor)
  }
}

/** The folder is not the user's to change, or the file is mounted by itself, as containers do. */
const isFixed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["EACCES", "EPERM", "EBUSY", "EROFS"].includes(String(error.code))

// Windows has neither flag: there a symbolic link needs a privilege, and pipes lie elsewhere.
const noFollow = constants.O_NOFOLLOW ?? 0
const noWait = constants.O_NONBLOCK ?? 0
const createExclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow

/** Short, because the name of the file may be as long as a name can be. */
const temporaryName = (): string => `.dotrpc-${randomBytes(12).toString("hex")}.tmp`

function* writingAll(descriptor: number, pieces: Pieces): Steps<void> {
  for (const piece of pieces) {
    writeAll(descriptor, typeof piece === "string" ? Buffer.from(piece) : piece)
    yield
  }
  fsyncSync(descriptor)
}

const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at)
}

/** Makes a renaming survive a power cut, where the file system can. */
const syncFolder = (folder: string): void => {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Windows opens no folders; the file itself is complete and in place.
  }
}
