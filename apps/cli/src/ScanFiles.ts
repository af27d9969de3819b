/**
 * The files of a scan: its items, one per line; its checkpoint; and a folder beside that for answers that came before
 * their turn.
 *
 * Invariant: a checkpoint is replaced as a whole, after the items before it were written. Whatever stops the process,
 * resuming from it gives each item once.
 */
import { RangeScan } from "@dotrpc/core"
import { AtomicFile, readTextFileSync, makeFolders, writesAway } from "@dotrpc/project/node"
import { Json, Table } from "@dotrpc/spec"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  fstatSync,
  lstatSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { fileProblem } from "./fileProblem.ts"
import type { NamedFile } from "./Host.ts"
import { nextStep } from "./nextStep.ts"
import { Output } from "./Output.ts"
import { escapedJson } from "./render/border.ts"
import type { Lock } from "./ScanLock.ts"

/** What was read cannot be kept: the disk is full, or the file is gone. */
export class CannotKeep extends Error {
  override readonly name = "CannotKeep"
}

/** What an earlier run of the scan left. */
export interface Saved {
  readonly checkpoint: RangeScan.Checkpoint
  readonly ahead: ReadonlyArray<RangeScan.Piece>
  /** Bytes of the output that belong to the checkpoint; absent when it went to stdout. */
  readonly bytes: number | undefined
}

/** Reads a checkpoint and what lies beside it; `undefined` when there is none. Throws an `Error` that says what is wrong with it. */
export const readSaved = (file: NamedFile): Saved | undefined => {
  const { name, path } = file
  expectOwn(file)
  if (!existsSync(path)) return undefined
  const text = readTextFileSync(path)
  if (typeof text !== "string") throw new Error(`${name} ${text?.problem ?? "no longer exists"}`)
  let value: Json.Json
  try {
    value = Json.parse(text)
  } catch (error) {
    throw new Error(`${name} is not a checkpoint: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  const checkpoint = RangeScan.decodeCheckpoint(value)
  if ("problem" in checkpoint) throw new Error(`${name} cannot be used as a checkpoint: ${checkpoint.problem}`)
  const bytes = Json.isObject(value) ? value.outputBytes : undefined
  return { checkpoint, ahead: readAhead(file), bytes: typeof bytes === "number" ? bytes : undefined }
}

/** What is to be kept may not be: then these die with {@link CannotKeep}, and the scan can resume from its checkpoint. */
export interface ScanOutput {
  /** Writes items and then the checkpoint after them. `onWritten` is called for items that have left, a few at a time. */
  readonly write: (part: RangeScan.Part, onWritten: (items: number) => void) => Effect.Effect<void, never, Output>
  /** Keeps an answer that came before its turn. */
  readonly keep: (piece: RangeScan.Piece) => Effect.Effect<void>
  /** Of a scan that kept nothing, no empty file stays that it created. */
  readonly close: (isFinished: boolean) => void
}

export interface ScanPlaces {
  /** Where the items go, one per line. Absent for stdout. */
  readonly file: NamedFile | undefined
  /** The file of columns that the items become in the end. */
  readonly columns?: NamedFile | undefined
  /** Absent when nothing is kept. */
  readonly checkpoint: NamedFile | undefined
  /** What there is to resume from. */
  readonly saved: Saved | undefined
  /** Keeps other scans from the checkpoint. */
  readonly lock?: Lock | undefined
}

/** Opens the output where the saved scan left it. Throws an `Error` when the output is not the one that was left. */
export const openOutput = ({ checkpoint, file, saved }: ScanPlaces): ScanOutput => {
  for (const named of [file, checkpoint]) {
    if (named === undefined) continue
    if (!existsSync(dirname(named.path))) throw new Error(cannotWrite(named))
    const away = writesAway(named.path)
    if (away !== undefined) throw new Error(`${named.name} cannot be written: ${away.problem}`)
  }
  if (checkpoint !== undefined) {
    expectOwn(checkpoint)
    expectWritable(checkpoint)
  }
  const isNew = file !== undefined && !existsSync(file.path)
  const descriptor = file === undefined ? undefined : openFile(file, saved === undefined ? "empty" : "existing")
  // What came ahead of another scan must not be taken for this one's.
  if (checkpoint !== undefined && saved === undefined) removeCheckpoint(checkpoint)
  let bytes = saved?.bytes ?? 0
  if (file !== undefined && descriptor !== undefined && saved !== undefined) {
    try {
      bytes = bytesBefore(file, descriptor, saved)
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
    // What was written after the checkpoint is written again.
    ftruncateSync(descriptor, bytes)
  }
  const writeItems: ScanOutput["write"] = ({ items }, onWritten) => {
    if (file === undefined || descriptor === undefined) return writeToStdout(items, onWritten)
    const writeLines = ({ text }: Lines) => {
      const buffer = Buffer.from(escapedJson(text))
      for (let at = 0; at < buffer.length;) at += writeSync(descriptor, buffer, at, buffer.length - at, bytes + at)
      bytes += buffer.length
    }
    return Effect.gen(function* () {
      for (const lines of linesOf(items, stepLength)) {
        yield* keeping(file, () => writeLines(lines))
        yield* nextStep
      }
      yield* keeping(file, () => {
        if (checkpoint !== undefined) fdatasyncSync(descriptor)
        onWritten(items.length)
      })
    })
  }
  const keepingCheckpoint = (write: (checkpoint: NamedFile) => void): Effect.Effect<void> =>
    checkpoint === undefined ? Effect.void : keeping(checkpoint, () => write(checkpoint))
  return {
    write: (part, onWritten) =>
      Effect.uninterruptible(
        Effect.andThen(
          writeItems(part, onWritten),
          keepingCheckpoint((checkpoint) => {
            if (part.checkpoint === undefined) return
            const encoded = RangeScan.encodeCheckpoint(part.checkpoint)
            const place = descriptor === undefined ? {} : { outputBytes: bytes }
            AtomicFile.replace(checkpoint.path, `${Json.stringify({ ...(encoded as Json.JsonObject), ...place })}\n`)
            forgetBefore(checkpoint, part.checkpoint.next)
          }),
        ),
      ),
    keep: (piece) =>
      keepingCheckpoint((checkpoint) => {
        expectOwn(checkpoint)
        const folder = folderOf(checkpoint.path)
        makeFolders(folder)
        AtomicFile.replace(join(folder, nameOf(piece)), Json.stringify(RangeScan.encodePiece(piece)))
      }),
    close: (isFinished) => {
      if (descriptor !== undefined) closeSync(descriptor)
      const hasKept = bytes > 0 || (checkpoint !== undefined && existsSync(checkpoint.path))
      if (isNew && !isFinished && !hasKept) rmSync(file.path, { force: true })
    },
  }
}

/** Bytes of the output that lie before the checkpoint. Throws an `Error` when they are not there. */
const bytesBefore = ({ name }: NamedFile, descriptor: number, { bytes, checkpoint }: Saved): number => {
  if (bytes !== undefined) {
    const found = fstatSync(descriptor).size
    if (found >= bytes) return bytes
    throw new Error(
      `${name} has ${found} bytes, but the checkpoint expects ${bytes}: it is not the file that this scan wrote`,
    )
  }
  // It wrote to stdout, and this is where that went: an item is a line.
  const { bytes: length, lines } = lengthOfLines(descriptor, checkpoint.items)
  if (lines === checkpoint.items) return length
  throw new Error(
    `${name} has ${countOfLines(lines)}, but the scan wrote ${countOfLines(checkpoint.items)} to stdout before the checkpoint: name the file that they went to`,
  )
}

/** As "1 line", "1,200 lines". */
export const countOfLines = (count: number): string => `${Table.groupDigits(count)} ${count === 1 ? "line" : "lines"}`

/** How long the first lines of a file are, and how many of them there are. */
const lengthOfLines = (descriptor: number, wanted: number): { readonly bytes: number; readonly lines: number } => {
  const buffer = Buffer.alloc(1 << 20)
  let [bytes, lines, at] = [0, 0, 0]
  while (lines < wanted) {
    const read = readSync(descriptor, buffer, 0, buffer.length, at)
    if (read === 0) break
    for (let end = buffer.indexOf(newline); end !== -1 && end < read && lines < wanted;) {
      lines++
      bytes = at + end + 1
      end = buffer.indexOf(newline, end + 1)
    }
    at += read
  }
  return { bytes, lines }
}

const newline = 0x0a

/**
 * Throws an `Error` when the checkpoint or the folder beside it is not what a scan left there. Their names follow from the
 * output's, so in a shared folder somebody else may have prepared them: links are never followed.
 */
const expectOwn = ({ name, path }: NamedFile): void => {
  const problem = problemAt(path)
  if (problem !== undefined) throw new Error(`${name} cannot be a checkpoint: ${problem}`)
  if (lstatSync(folderOf(path), { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Error(
      `${folderOf(name)} is not a folder; remove it: the scan stores answers there that arrive out of order`,
    )
}

const keeping = (file: NamedFile, write: () => void): Effect.Effect<void> =>
  Effect.sync(() => {
    try {
      write()
    } catch (error) {
      throw new CannotKeep(cannotWrite(file, error), { cause: error })
    }
  })

const problemAt = (path: string): string | undefined => {
  try {
    return AtomicFile.problemOf(path)
  } catch (error) {
    return fileProblem(error)
  }
}

/** Found out before anything is sent, as what was sent is paid for. */
const expectWritable = (file: NamedFile): void => {
  try {
    AtomicFile.rehearse(file.path)
  } catch (error) {
    throw new Error(cannotWrite(file, error), { cause: error })
  }
}

/** The output is named by the user, who may have made it a link. */
const openFile = (file: NamedFile, from: "empty" | "existing"): number => {
  try {
    return AtomicFile.open(file.path, from, { links: "follow" })
  } catch (error) {
    throw new Error(cannotWrite(file, error), { cause: error })
  }
}

const cannotWrite = ({ name, path }: NamedFile, error?: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  const why = !existsSync(dirname(path))
    ? `there is no folder ${dirname(name)}`
    : code === "ENOENT"
      ? "it no longer exists, or no file can be created there"
      : fileProblem(error)
  return `${name} cannot be written: ${why}`
}

/** Removes a checkpoint that is no longer needed. */
export const removeCheckpoint = ({ path }: NamedFile): void => {
  rmSync(path, { force: true })
  rmSync(folderOf(path), { recursive: true, force: true })
}

const folderOf = (checkpoint: string): string => `${checkpoint}.ahead`

/** The parts of one block are distinguished by the alternatives they are of. */
const nameOf = ({ from, part, to }: RangeScan.Piece): string => {
  const of =
    part === undefined ? "" : `-${createHash("sha256").update(Json.stringify(part)).digest("hex").slice(0, 16)}`
  return `${from}-${to}${of}.json`
}

const pieceName = /^(\d+)-(\d+)(-[0-9a-f]+)?\.json$/

const piecesIn = (checkpoint: NamedFile) => {
  const folder = folderOf(checkpoint.path)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, from, to] = pieceName.exec(name) ?? []
    return from === undefined || to === undefined
      ? []
      : [{ path: join(folder, name), from: Number(from), to: Number(to) }]
  })
}

const readAhead = (checkpoint: NamedFile): ReadonlyArray<RangeScan.Piece> =>
  piecesIn(checkpoint).flatMap(({ path }) => {
    try {
      const text = readTextFileSync(path, largestPiece)
      return typeof text === "string" ? (RangeScan.decodePiece(Json.parse(text)) ?? []) : []
    } catch {
      // What cannot be read is asked for again.
      return []
    }
  })

/** An answer may be as large as a reply, and takes more room when it is written out. */
const largestPiece = 256 * 1024 * 1024

const forgetBefore = (checkpoint: NamedFile, block: number): void => {
  for (const piece of piecesIn(checkpoint)) if (piece.to < block) rmSync(piece.path, { force: true })
}

const lineOf = (item: Json.Json): string => `${Json.stringify(item)}\n`

/**
 * Done when the items have left this process. A reader that has closed the pipe wants no more: that is an interruption. Each
 * piece leaves before the next is written, so that the items that left are counted one by one.
 */
const writeToStdout = (
  items: ReadonlyArray<Json.Json>,
  onWritten: (items: number) => void,
): Effect.Effect<void, never, Output> =>
  Effect.gen(function* () {
    const { sendJson } = yield* Output
    for (const { count, text } of linesOf(items, atomicWrite))
      yield* Effect.callback<void>((resume) => {
        sendJson(
          text,
          () => {
            onWritten(count)
            resume(Effect.void)
          },
          () => resume(Effect.interrupt),
        )
      })
  })

/** Lines of whole items. */
interface Lines {
  readonly text: string
  readonly count: number
}

/** Lines that are together no longer than that; those of a longer item are alone. */
function* linesOf(items: ReadonlyArray<Json.Json>, longest: number): Generator<Lines, void> {
  let text = ""
  let count = 0
  for (const item of items) {
    const line = lineOf(item)
    if (count > 0 && text.length + line.length > longest) {
      yield { text, count }
      text = ""
      count = 0
    }
    text += line
    count++
  }
  if (count > 0) yield { text, count }
}

/** How much of a file is written in one step. */
const stepLength = 256 << 10

/** What a pipe takes as a whole or not at all, in bytes: POSIX allows less, and Linux and macOS have at least this. */
const atomicWrite = 4_096
