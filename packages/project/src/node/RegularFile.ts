/**
 * Reads files that anybody may have put into a project. A pipe, a device, a folder or a file of many gigabytes is a
 * problem at once: nothing is opened that could wait forever, and no more is read than a limit.
 */
import { aFolder, type FileText, largestText, notRegular, tooLarge, type Unreadable } from "@dotrpc/analysis"
import { textOfBytes } from "@dotrpc/spec"
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { Socket } from "node:net"
import { addAbortSignal, type Readable } from "node:stream"

/** The bytes of a file; why it cannot be used; `undefined` when there is no such file. */
export type FileBytes = Uint8Array | Unreadable | undefined

/**
 * Reads a regular file of at most `limit` bytes. `judge` is asked about the file that was opened, before any of it is read.
 */
export const readRegularFile = async (
  path: string,
  limit: number = largestText,
  judge: (opened: Stats) => Promise<Unreadable | undefined> = () => Promise.resolve(undefined),
): Promise<FileBytes> => {
  let handle: FileHandle | undefined
  try {
    const refused = refusal(await stat(path), limit)
    if (refused !== undefined) return refused
    handle = await open(path, withoutWaiting)
    // Another file may have taken its place since.
    const stats = await handle.stat()
    const refusedNow = refusal(stats, limit) ?? (await judge(stats))
    if (refusedNow !== undefined) return refusedNow
    const pieces = new Pieces(limit, stats.size)
    for (;;) {
      const { buffer, bytesRead } = await handle.read(pieces.space(), 0)
      if (bytesRead === 0) return pieces.joined()
      if (!pieces.add(buffer.subarray(0, bytesRead))) return tooLarge(limit)
    }
  } catch (error) {
    return problemOf(error)
  } finally {
    await handle?.close()
  }
}

/** As {@link readRegularFile}, at once. */
export const readRegularFileSync = (
  path: string,
  limit: number = largestText,
  judge: (opened: Stats) => Unreadable | undefined = () => undefined,
): FileBytes => {
  let descriptor: number | undefined
  try {
    const refused = refusal(statSync(path), limit)
    if (refused !== undefined) return refused
    descriptor = openSync(path, withoutWaiting)
    const stats = fstatSync(descriptor)
    return refusal(stats, limit) ?? judge(stats) ?? readDescriptor(descriptor, new Pieces(limit, stats.size))
  } catch (error) {
    return problemOf(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** How long a pipe is read. */
export interface PipeChoices {
  /** Ends the reading, which rejects then. */
  readonly signal?: AbortSignal | undefined
  readonly limit?: number | undefined
}

/** Reads a named pipe or a stream to its end: it waits for anyone who writes. Rejects with what the system says. */
export const readPipe = async (
  from: string | Readable,
  { limit = largestText, signal }: PipeChoices = {},
): Promise<Uint8Array | Unreadable> => {
  const pieces = new Pieces(limit)
  for await (const piece of pipeOf(from, signal)) if (!pieces.add(piece)) return tooLarge(limit)
  return pieces.joined()
}

/** What comes through a pipe. A socket waits in the event loop, where a signal is heard, and not in a thread. */
const pipeOf = (from: string | Readable, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> => {
  const stream =
    typeof from === "string"
      ? new Socket({ fd: openSync(from, withoutWaiting), readable: true, writable: false })
      : from
  return signal === undefined ? stream : addAbortSignal(signal, stream)
}

const readDescriptor = (descriptor: number, pieces: Pieces): Uint8Array | Unreadable => {
  for (;;) {
    const space = pieces.space()
    const length = readSync(descriptor, space)
    if (length === 0) return pieces.joined()
    if (!pieces.add(space.subarray(0, length))) return tooLarge(pieces.limit)
  }
}

/** As {@link readRegularFile}, as text. */
export const readTextFile = async (path: string, limit?: number): Promise<FileText> =>
  decoded(await readRegularFile(path, limit))

/** As {@link readTextFile}, at once. */
export const readTextFileSync = (path: string, limit?: number): FileText => decoded(readRegularFileSync(path, limit))

/** The bytes as text, where there are any. */
export const decoded = (bytes: FileBytes): FileText => (bytes instanceof Uint8Array ? textOfBytes(bytes) : bytes)

/** Opening a pipe waits for anyone who writes into it, unless a flag prevents it. Windows has no such flag and no such pipes. */
const withoutWaiting =
  constants.O_RDONLY | ((constants as { readonly O_NONBLOCK?: number | undefined }).O_NONBLOCK ?? 0)

const refusal = (stats: Stats, limit: number): Unreadable | undefined =>
  stats.isDirectory() ? aFolder : !stats.isFile() ? notRegular : stats.size > limit ? tooLarge(limit) : undefined

/** What has been read. A file says how large it is, but it may grow, and those of `/proc` say 0. */
class Pieces {
  readonly limit: number
  readonly #expected: number
  readonly #pieces: Array<Uint8Array> = []
  #length = 0

  /** @param expected how much there seems to be. */
  constructor(limit: number, expected = 0) {
    this.limit = limit
    this.#expected = Math.min(expected, limit)
  }

  /** Where to read the next piece into. */
  space(): Uint8Array {
    if (this.#length < this.#expected) return new Uint8Array(this.#expected - this.#length)
    return new Uint8Array(Math.min(1024 * 1024, Math.max(64 * 1024, this.#length)))
  }

  /** False when there is too much. */
  add(piece: Uint8Array): boolean {
    this.#pieces.push(piece)
    this.#length += piece.length
    return this.#length <= this.limit
  }

  joined(): Uint8Array {
    const [only] = this.#pieces
    if (only !== undefined && this.#pieces.length === 1) return only
    const whole = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }
}

/** Why a file cannot be used, by what the system says; `undefined` where there is none. */
export const problemOf = (error: unknown): Unreadable | undefined => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return undefined
    case "ELOOP":
      return { problem: "is a symbolic link that leads back to itself" }
    case "EACCES":
    case "EPERM":
      return { problem: "cannot be read: its permissions forbid it" }
    case "ENXIO":
    case "ENODEV":
      return notRegular
    default:
      return { problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
