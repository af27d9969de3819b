/**
 * How the parts of a backfill are written: decided once, when it starts, and kept in the store. Plain data.
 *
 * Invariant: all parts of a backfill have the same columns, whichever worker writes them.
 */
import { type Abi, type ColumnType, Json, type TypedColumn } from "@dotrpc/spec"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

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
        version: 1,
        columns: layout.columns.map(({ name, type }) => ({ name, type })),
        abi: layout.abi,
        projectAbi: layout.projectAbi,
      })

/** What {@link encodeLayout} has written; `undefined` for items as received. */
export const decodeLayout = (text: string): Layout | { readonly problem: string } | undefined => {
  if (text === "") return undefined
  const value = parsed(text)
  if (Json.isObject(value) && value.version !== 1)
    return { problem: "the columns of this backfill were chosen by a newer version of dotrpc: use that version" }
  const damaged = { problem: "the columns of this backfill are damaged in its store: begin it again in another folder" }
  return Option.getOrElse(decode(value), () => damaged)
}

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch {
    return undefined
  }
}

const types = ["boolean", "int64", "uint64", "integer", "decimal", "text", "json", "timestamp"] as const
const Type: Schema.Codec<ColumnType> = Schema.Literals(types)
const Declarations = Schema.Array(
  Schema.declare((value): value is Json.JsonObject => Json.isObject(value as Json.Json)),
)

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    columns: Schema.Array(Schema.Struct({ name: Schema.String, type: Type })),
    abi: Declarations,
    projectAbi: Declarations,
  }),
)
