/**
 * How the parts of a backfill are written: decided once, when it starts, and kept in the store. Plain data.
 *
 * Invariant: all parts of a backfill have the same columns, whichever worker writes them.
 */
import { type Abi, type ColumnType, Json, type TypedColumn } from "@dotrpc/spec"

/** Columns, and what a worker elsewhere needs to fill them. */
export interface Layout {
  /** Those of every part, in their order. */
  readonly columns: ReadonlyArray<TypedColumn>
  /** Declarations that were named for these items. */
  readonly abi: Abi
  /** Those of the project that the backfill was started in. */
  readonly projectAbi: Abi
}

/** As the store has it; empty where parts have the items as received. */
export const encodeLayout = (layout: Layout | undefined): string =>
  layout === undefined
    ? ""
    : Json.stringify({
        version,
        columns: layout.columns.map(({ name, type }) => ({ name, type })),
        abi: layout.abi,
        projectAbi: layout.projectAbi,
      })

/** What {@link encodeLayout} has written; `undefined` for items as received. */
export const decodeLayout = (text: string): Layout | { readonly problem: string } | undefined => {
  if (text === "") return undefined
  const value = parsed(text)
  if (value === undefined)
    return { problem: "the columns of this backfill are damaged in its store: begin it again in another folder" }
  if (!Json.isObject(value) || value.version !== version)
    return { problem: "the columns of this backfill were chosen by a newer version of dotrpc: use that version" }
  return {
    columns: listOf(value.columns, columnIn),
    abi: objectsIn(value.abi),
    projectAbi: objectsIn(value.projectAbi),
  }
}

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch {
    return undefined
  }
}

const version = 1

const columnIn = (value: Json.Json): ReadonlyArray<TypedColumn> =>
  Json.isObject(value) && typeof value.name === "string" && isType(value.type)
    ? [{ name: value.name, type: value.type }]
    : []

const objectsIn = (value: Json.Json | undefined): Abi => listOf(value, (item) => (Json.isObject(item) ? [item] : []))

const listOf = <A>(value: Json.Json | undefined, read: (item: Json.Json) => ReadonlyArray<A>): ReadonlyArray<A> =>
  Json.isArray(value) ? value.flatMap(read) : []

const isType = (value: Json.Json | undefined): value is ColumnType =>
  typeof value === "string" && Object.hasOwn(types, value)

const types: Readonly<Record<ColumnType, true>> = {
  boolean: true,
  int64: true,
  uint64: true,
  integer: true,
  decimal: true,
  text: true,
  json: true,
  timestamp: true,
}
