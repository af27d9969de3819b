/**
 * The files of a scan: its items, one per line; its checkpoint; and a folder beside that for answers that came before
 * their turn.
 *
 * Invariant: a checkpoint is replaced as a whole, after the items before it were written. Whatever stops the process,
 * resuming from it gives each item once.
 */
import { RangeScan } from "@dotrpc/core"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"

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
export const readSaved = (path: string): Saved | undefined => {
  if (!existsSync(path)) return undefined
  let value: Json.Json
  try {
    value = Json.parse(readFileSync(path, "utf8"))
  } catch (error) {
    throw new Error(`${path} is no checkpoint: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  const checkpoint = RangeScan.decodeCheckpoint(value)
  if ("problem" in checkpoint) throw new Error(`${path} is no checkpoint: ${checkpoint.problem}`)
  const bytes = Json.isObject(value) ? value.outputBytes : undefined
  return { checkpoint, ahead: readAhead(path), bytes: typeof bytes === "number" ? bytes : undefined }
}

/** What is to be kept may not be: then these die with {@link CannotKeep}, and the scan can go on from its checkpoint. */
export interface Output {
  /** Writes items and then the checkpoint behind them. */
  readonly write: (part: RangeScan.Part) => Effect.Effect<void>
  /** Keeps an answer that came before its turn. */
  readonly keep: (piece: RangeScan.Piece) => Effect.Effect<void>
  readonly close: () => void
}

export interface ScanPlaces {
  /** Absent for stdout. */
  readonly file: string | undefined
  /** Absent when nothing is kept. */
  readonly checkpoint: string | undefined
  /** What there is to go on from. */
  readonly saved: Saved | undefined
}

/** Opens the output where the saved scan left it. Throws an `Error` when the output is not the one that was left. */
export const openOutput = ({ checkpoint, file, saved }: ScanPlaces): Output => {
  for (const path of [file, checkpoint])
    if (path !== undefined && !existsSync(dirname(path))) throw new Error(cannotWrite(path))
  const descriptor = file === undefined ? undefined : openFile(file, saved === undefined ? "w" : "r+")
  // What came ahead of another scan must not be taken for this one's.
  if (checkpoint !== undefined && saved === undefined) removeCheckpoint(checkpoint)
  let bytes = saved?.bytes ?? 0
  if (descriptor !== undefined && saved !== undefined) {
    const found = fstatSync(descriptor).size
    if (saved.bytes === undefined || found < saved.bytes) {
      closeSync(descriptor)
      throw new Error(
        saved.bytes === undefined
          ? `the scan wrote to stdout before; resume it with --resume ${checkpoint} alone, without --output`
          : `${file} has ${found} bytes, and the checkpoint stands at ${saved.bytes}: it is not the file that was written`,
      )
    }
    // What was written after the checkpoint is written again.
    ftruncateSync(descriptor, bytes)
  }
  const writeItems = (text: string): Effect.Effect<void> => {
    if (descriptor === undefined) return writeToStdout(text)
    return keeping(`${file}`, () => {
      const buffer = Buffer.from(text)
      for (let at = 0; at < buffer.length;) at += writeSync(descriptor, buffer, at, buffer.length - at, bytes + at)
      bytes += buffer.length
      if (checkpoint !== undefined) fdatasyncSync(descriptor)
    })
  }
  return {
    write: (part) =>
      Effect.uninterruptible(
        Effect.andThen(
          writeItems(part.items.map((item) => `${Json.stringify(item)}\n`).join("")),
          keeping(`${checkpoint}`, () => {
            if (checkpoint === undefined || part.checkpoint === undefined) return
            const encoded = RangeScan.encodeCheckpoint(part.checkpoint)
            const place = descriptor === undefined ? {} : { outputBytes: bytes }
            replaceFile(checkpoint, `${Json.stringify({ ...(encoded as Json.JsonObject), ...place })}\n`)
            forgetBefore(checkpoint, part.checkpoint.next)
          }),
        ),
      ),
    keep: (piece) =>
      keeping(`${checkpoint}`, () => {
        if (checkpoint === undefined) return
        mkdirSync(folderOf(checkpoint), { recursive: true })
        replaceFile(join(folderOf(checkpoint), nameOf(piece)), Json.stringify(RangeScan.encodePiece(piece)))
      }),
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

const keeping = (path: string, write: () => void): Effect.Effect<void> =>
  Effect.sync(() => {
    try {
      write()
    } catch (error) {
      throw new CannotKeep(cannotWrite(path, error), { cause: error })
    }
  })

const openFile = (file: string, mode: "w" | "r+"): number => {
  try {
    return openSync(file, mode)
  } catch (error) {
    throw new Error(cannotWrite(file, error), { cause: error })
  }
}

const cannotWrite = (file: string, error?: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  const why = !existsSync(dirname(file))
    ? `there is no folder ${dirname(file)}`
    : code === "ENOENT"
      ? "it is not there any more"
      : code === "EISDIR"
        ? "it is a folder"
        : error instanceof Error
          ? error.message
          : String(error)
  return `${file} cannot be written: ${why}`
}

/** Removes a checkpoint that is no longer needed. */
export const removeCheckpoint = (path: string): void => {
  rmSync(path, { force: true })
  rmSync(folderOf(path), { recursive: true, force: true })
}

const folderOf = (checkpoint: string): string => `${checkpoint}.ahead`

/** The parts of one block are told apart by the alternatives they are of. */
const nameOf = ({ from, part, to }: RangeScan.Piece): string => {
  const of =
    part === undefined ? "" : `-${createHash("sha256").update(Json.stringify(part)).digest("hex").slice(0, 16)}`
  return `${from}-${to}${of}.json`
}

const pieceName = /^(\d+)-(\d+)(-[0-9a-f]+)?\.json$/

const piecesIn = (checkpoint: string) => {
  const folder = folderOf(checkpoint)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, from, to] = pieceName.exec(name) ?? []
    return from === undefined || to === undefined
      ? []
      : [{ path: join(folder, name), from: Number(from), to: Number(to) }]
  })
}

const readAhead = (checkpoint: string): ReadonlyArray<RangeScan.Piece> =>
  piecesIn(checkpoint).flatMap(({ path }) => RangeScan.decodePiece(Json.parse(readFileSync(path, "utf8"))) ?? [])

const forgetBefore = (checkpoint: string, block: number): void => {
  for (const piece of piecesIn(checkpoint)) if (piece.to < block) rmSync(piece.path, { force: true })
}

/** A reader sees the old text or the new one, never a part of either. */
const replaceFile = (path: string, text: string): void => {
  const next = `${path}.next`
  try {
    writeFileSync(next, text)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** Done when the text has left this process. A reader that has closed the pipe wants no more: that is an interruption. */
const writeToStdout = (text: string): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const closed = () => resume(Effect.interrupt)
    process.stdout.once("error", closed)
    process.stdout.write(text, (error) => {
      if (error != null) return
      process.stdout.off("error", closed)
      resume(Effect.void)
    })
  })
