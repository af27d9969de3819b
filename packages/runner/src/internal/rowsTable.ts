/** The results of a request with `# @each` as one table: a line for each row, with the columns of the row first. */
import type { Row } from "@dotrpc/analysis"
import { Json, Table } from "@dotrpc/spec"
import type { Render, RequestReport } from "../RunEvent.ts"

/** A row as it is drawn. */
export interface DrawnRow {
  readonly row: Row
  readonly report: Pick<RequestReport, "decoded" | "error" | "render" | "result" | "status">
}

/** What stands for one row where a result is taken apart: in the details of a line, and in a file that it is saved to. */
const itemOf = ({ report: { decoded, error, result }, row }: DrawnRow): Json.JsonObject => ({
  row: row.value,
  result: result ?? null,
  ...(decoded === undefined ? {} : { decoded: Json.withDigits(decoded) }),
  ...(error === undefined ? {} : { error: error.message }),
})

/** A table and what its lines were made from. */
interface DrawnTable {
  readonly render: Render
  readonly items: ReadonlyArray<Json.JsonObject>
}

/** Draws the rows, or those whose items are given. */
export const drawRows = (drawn: ReadonlyArray<DrawnRow>): DrawnTable => {
  const items = drawn.map(itemOf)
  const names = columnsOf(drawn)
  const rowOf = new Map<Json.Json, DrawnRow>(items.map((item, index) => [item, drawn[index]] as const).flatMap(known))
  const render: Render = (limit, part, options = {}) => {
    const chosen = part === undefined ? drawn : Json.isArray(part) ? part.flatMap((item) => rowOf.get(item) ?? []) : []
    return {
      noun: ["row", "rows"],
      total: chosen.length,
      columns: [...names.map((name) => ({ name })), { name: resultColumn }],
      rows: chosen
        .slice(0, Math.max(0, limit))
        .map((one) => [...cellsOf(one.row.value, names), outcomeOf(one.report, options)]),
    }
  }
  return { render, items }
}

const known = ([item, row]: readonly [Json.JsonObject, DrawnRow | undefined]): ReadonlyArray<[Json.Json, DrawnRow]> =>
  row === undefined ? [] : [[item, row]]

const resultColumn = "result"

/** The names of the first rows: those of a result may be many. */
const columnsOf = (drawn: ReadonlyArray<DrawnRow>): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const { row } of drawn.slice(0, 20))
    for (const name of Json.isObject(row.value) ? Object.keys(row.value) : ["row"]) {
      if (names.size === mostColumns) return [...names]
      names.add(name)
    }
  return [...names]
}

const mostColumns = 8

const cellsOf = (value: Json.Json, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => {
    if (!Json.isObject(value)) return name === "row" ? shown(value) : ""
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    return member === undefined ? "" : shown(member)
  })

const shown = (value: Json.Json): string => (typeof value === "string" ? value : Json.stringifyStart(value, 80))

/** One value in words, or how many items a result has; what went wrong instead. */
const outcomeOf = (
  { error, render, status }: DrawnRow["report"],
  options: NonNullable<Parameters<Render>[2]>,
): string => (render === undefined ? (error?.message ?? status) : Table.summarize(render(0, undefined, options)))
