/** The formats of files of columns. */

/** The formats, by the extension of their files. */
export const columnFormats = ["parquet", "csv", "ndjson"] as const

/** A format, by the extension of its files. */
export type ColumnFormat = (typeof columnFormats)[number]

/** The format of a file by its extension, in any case; `undefined` for any other. */
export const formatOf = (path: string): ColumnFormat | undefined =>
  columnFormats.find((format) => path.toLowerCase().endsWith(`.${format}`))
