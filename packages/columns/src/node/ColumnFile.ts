/**
 * A file of columns, written in pieces.
 *
 * Invariant: a reader sees the whole file or none. It appears under its name when it is closed, and never when the scope ends before.
 */
import { AtomicFile } from "@dotrpc/project/node"
import type { ColumnValue, TypedColumn } from "@dotrpc/spec"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { gzipSync } from "node:zlib"
import type { ColumnEncoder, Compression } from "../ColumnEncoder.ts"
import { columnEncoder } from "../encoderOf.ts"
import type { ColumnFormat } from "../format.ts"
import { ColumnMisfit } from "../internal/columnMisfit.ts"

/** What a file holds. */
export interface Options {
  readonly format: ColumnFormat
  readonly columns: ReadonlyArray<TypedColumn>
  /** "follow" for a path that a user named, which may be a symbolic link. Refused by default. */
  readonly links?: "follow" | "refuse" | undefined
  /** About how many bytes of values a row group of a Parquet file holds, and with it the memory: 8 MiB by default. */
  readonly rowGroupBytes?: number | undefined
}

/** A file that is open for writing. */
export interface ColumnFile {
  /**
   * Adds rows, each with one value for each column. Fails with the reason `Misfit` for a value that its column cannot hold, or
   * `NotWritable`; after an error the file is not written any more, and never appears.
   */
  readonly write: (rows: Iterable<ReadonlyArray<ColumnValue>>) => Effect.Effect<void, ColumnFileError>
  /** Puts the file in its place, whole and on the disk. It is not written to after this. Fails with the reason `NotWritable`. */
  readonly close: Effect.Effect<Written, ColumnFileError>
}

/** What was written. */
export interface Written {
  readonly rows: number
  /** Of the file. */
  readonly bytes: number
}

/** The file could not be written: `reason` says whether by the disk or by a value that a column cannot hold. */
export class ColumnFileError extends Data.TaggedError("ColumnFileError")<{
  readonly reason: "NotWritable" | "Misfit"
  readonly message: string
  readonly cause: unknown
}> {
  /** Stable. */
  get code(): "COL-1001" | "COL-1002" {
    return this.reason === "NotWritable" ? "COL-1001" : "COL-1002"
  }

  /** What to do. */
  get advice(): string {
    return this.reason === "NotWritable"
      ? "Free disk space, or name a file that can be written."
      : "Choose a wider type for the column, such as integer or text."
  }
}

/**
 * Opens a file of columns; a file that is there is replaced when this one is closed.
 *
 * Errors: a `ColumnFileError` with the reason `NotWritable` where the folder does not exist or may not be written to.
 *
 * @example
 * ```ts
 * const part = Effect.scoped(
 *   Effect.gen(function* () {
 *     const file = yield* ColumnFile.open(partName(0, 99, "parquet"), { format: "parquet", columns })
 *     yield* file.write(items.map(row))
 *     return yield* file.close // { rows, bytes }
 *   }),
 * )
 * ```
 */
export const open = (path: string, options: Options): Effect.Effect<ColumnFile, ColumnFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const { columns, format, links, rowGroupBytes } = options
    const draft = yield* Effect.acquireRelease(
      attempt(() => AtomicFile.draft(path, { links })),
      (opened) => Effect.sync(opened.discard),
    )
    const encoder = fileEncoder(format, columns, rowGroupBytes)
    let rows = 0
    let bytes = 0
    const add = (piece: Uint8Array): void => {
      draft.write(piece)
      bytes += piece.length
    }
    return {
      write: (more) =>
        attempt(() => {
          add(encoder.write(counted(more, () => rows++)))
        }),
      close: attempt(() => {
        add(encoder.end())
        draft.commit()
        return { rows, bytes }
      }),
    }
  })

/**
 * An encoder whose bytes are those of a file that {@link open} writes, for a file that is written by other means.
 *
 * @example
 * ```ts
 * const encoder = ColumnFile.fileEncoder("parquet", columns)
 * const bytes = [encoder.write(items.map(row)), encoder.end()]
 * ```
 */
export const fileEncoder = (
  format: ColumnFormat,
  columns: ReadonlyArray<TypedColumn>,
  rowGroupBytes?: number | undefined,
): ColumnEncoder => columnEncoder(format, columns, { compression: gzip, rowGroupBytes })

function* counted<A>(items: Iterable<A>, count: () => void): Generator<A, void> {
  for (const item of items) {
    count()
    yield item
  }
}

const attempt = <A>(body: () => A): Effect.Effect<A, ColumnFileError> =>
  Effect.try({
    try: body,
    catch: (cause) => {
      const message = cause instanceof Error ? cause.message : String(cause)
      return new ColumnFileError({ reason: cause instanceof ColumnMisfit ? "Misfit" : "NotWritable", message, cause })
    },
  })

/** Of the hashes and addresses, which are hex, half is left at any level; the first is as fast as Snappy, and every reader knows it. */
const gzip: Compression = { codec: "GZIP", compress: (bytes) => gzipSync(bytes, { level: 1 }) }
