/** The columns of a backfill: chosen when it begins, and filled by whichever worker has read a part. */
import { FileProblem, type Format, type Layout, type PartToWrite } from "@dotrpc/backfill"
import type { Abi, ColumnsContext, ItemColumns, Json, Method } from "@dotrpc/spec"
import { Effect } from "effect"
import { type EachLines, itemsOf } from "./BackfillSpool.ts"
import { fileProblem } from "./fileProblem.ts"
import type { NamedFile } from "./Host.ts"

/** What decides about columns. */
export interface ColumnsChoice {
  readonly method: Method
  readonly params: Json.Json
  readonly abi: Abi
  readonly projectAbi: Abi
  readonly format: Format
  /** Whether whole numbers of any length are decimals: one that has more than 38 digits stops the backfill. */
  readonly decimals: boolean
}

/** The columns of all parts. They depend on what was asked alone, because no worker sees the parts of the others. */
export const chooseColumns = Effect.fnUntraced(function* ({ decimals, ...choice }: ColumnsChoice) {
  const { columns } = yield* columnsFor(choice.method, choice)
  const { abi, format, projectAbi } = choice
  // As text a decimal is written like any whole number, so no number is too long for it.
  const hasDecimals = decimals && format === "parquet"
  return {
    abi,
    projectAbi,
    columns: columns.map((column) =>
      hasDecimals && column.type === "integer" ? { ...column, type: "decimal" as const } : column,
    ),
  } satisfies Layout
})

/** How a worker makes a row of an item. Fails where its plugins know other columns than those that were chosen. */
export const rowsOf = Effect.fnUntraced(function* (
  method: Method,
  params: Json.Json,
  { abi, columns, projectAbi }: Layout,
): Effect.fn.Return<ItemColumns["row"], FileProblem> {
  const own = yield* columnsFor(method, { params, abi, projectAbi })
  const isSame = own.columns.every(({ name, type }, index) => {
    const chosen = columns[index]
    return chosen?.name === name && (chosen.type === type || (chosen.type === "decimal" && type === "integer"))
  })
  if (isSame && own.columns.length === columns.length) return own.row
  return yield* new FileProblem({
    said: `${method.name} has other columns here than where the backfill began: use the same versions of dotrpc and of its plugins`,
  })
})

/** Writes a part with columns, some lines of its spool at a time. Nobody sees it by its name before it is whole. */
export const writeColumns = Effect.fnUntraced(function* (
  file: NamedFile,
  { format, method, params }: PartToWrite,
  layout: Layout,
  each: EachLines,
) {
  const row = yield* rowsOf(method, params, layout)
  const { ColumnFile } = yield* Effect.promise(() => import("@dotrpc/columns/node"))
  return yield* Effect.gen(function* () {
    const part = yield* ColumnFile.open(file.path, { format, columns: layout.columns })
    yield* each((lines) => part.write(itemsOf(lines).map(row)))
    return yield* part.close
  }).pipe(
    Effect.scoped,
    Effect.catchTag("ColumnFileError", ({ cause, message, reason }) => {
      const advice =
        "what is committed stays: read the blocks that _manifest.json does not list into another folder, without --decimal 38, which keeps such numbers as text"
      const said = reason === "NotWritable" ? fileProblem(cause) : `${message}; ${advice}`
      return Effect.fail(new FileProblem({ said: `${file.name}: ${said}` }))
    }),
  )
})

const columnsFor = (method: Method, context: ColumnsContext): Effect.Effect<ItemColumns> =>
  // Backfills without columns load no writer.
  Effect.map(
    Effect.promise(() => import("@dotrpc/columns")),
    ({ columnsOf }) => columnsOf(method, context),
  )
