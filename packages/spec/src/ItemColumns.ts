/** The items of a method as rows of typed columns, for files that other programs compute with. Nothing is rounded, and nothing is lost. */
import type { Abi } from "./Abi.ts"
import type { Json } from "./Json.ts"

/**
 * What the values of a column are:
 *
 * - `"boolean"`
 * - `"int64"`, `"uint64"`: whole numbers of 64 bits
 * - `"integer"`: whole numbers of any length
 * - `"decimal"`: whole numbers of at most 38 digits
 * - `"text"`: characters; also hashes, addresses and bytes, as hex with `0x` in lower case
 * - `"json"`: a list or an object, as JSON text
 * - `"timestamp"`: a moment in UTC before the year 10000, as milliseconds since 1970
 */
export type ColumnType = "boolean" | "int64" | "uint64" | "integer" | "decimal" | "text" | "json" | "timestamp"

/** A column by its name, which is unique among the columns of a file in any spelling. */
export interface TypedColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A `bigint` in columns of whole numbers and timestamps, a boolean or a text in the others; `null` where there is nothing. */
export type ColumnValue = bigint | string | boolean | null

/** The columns of a method's items. They depend on what was asked, and never on what was answered. */
export interface ItemColumns {
  readonly columns: ReadonlyArray<TypedColumn>
  /** The values of an item that the method's `range` emits, one for each column. Takes any JSON, and never throws. */
  readonly row: (item: Json) => ReadonlyArray<ColumnValue>
  /** The column that is `null` in rows of items that could not be decoded; absent where nothing is. */
  readonly decodedAs?: string | undefined
  /** Why none of these items can be decoded by the declarations that name them, as a sentence; absent or `undefined` where nothing is wrong. */
  readonly misfit?: ((items: ReadonlyArray<Json>) => string | undefined) | undefined
}

/** What is known before the first item. */
export interface ColumnsContext {
  /** The params that are sent: a filter may say which events there will be. */
  readonly params: Json
  /** Declarations that were named for these items. They come first, and all their events have columns. */
  readonly abi?: Abi | undefined
  /** The items, where all of them are known: then they say which events there are, instead of the params. */
  readonly items?: Iterable<Json> | undefined
  /** Declarations of the whole project: they have columns where the params ask for their events. */
  readonly projectAbi?: Abi | undefined
}
