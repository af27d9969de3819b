/**
 * Rows as the bytes of a file, in pieces: one interface for all formats.
 *
 * Invariant: a value that a column cannot hold exactly is refused, and never rounded or cut.
 */
import type { ColumnValue } from "@dotrpc/spec"

/** Rows become bytes in their order. */
export interface ColumnEncoder {
  /**
   * The bytes that are complete with these rows, which may be none. A row has one value for each column, in their order. Throws a
   * `ColumnMisfit`; then what was written is not a file.
   */
  readonly write: (rows: Iterable<ReadonlyArray<ColumnValue>>) => Uint8Array
  /** The rest of the bytes. Nothing is written after this. */
  readonly end: () => Uint8Array
}

/** How the bytes of a Parquet file are made. */
export interface ColumnOptions {
  /**
   * About how many bytes of values are kept until they are written, 8 MiB by default. Encoding them takes three times their room, and
   * one long step: about a second for each 64 MiB.
   */
  readonly rowGroupBytes?: number | undefined
  /** Snappy by default, which needs nothing of its surroundings. */
  readonly compression?: Compression | undefined
}

/** A compression that Parquet knows, and the function that does it. */
export interface Compression {
  readonly codec: "GZIP" | "ZSTD" | "SNAPPY"
  readonly compress: (bytes: Uint8Array) => Uint8Array
}
