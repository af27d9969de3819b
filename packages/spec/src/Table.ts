/** A result as a person reads it: a noun and a count for the summary line, and rows for a table. Plain data; front ends draw it. */
import type { RenderContext } from "./Abi.ts"
import { groupDigits } from "./internal/groupDigits.ts"
import * as Json from "./Json.ts"

export { groupDigits, ungroupDigits } from "./internal/groupDigits.ts"

/** A result as rows. */
export interface Table {
  /** Names what is counted, `["log", "logs"]`: `1,204 logs`. Absent when the result is one value. */
  readonly noun?: readonly [one: string, many: string] | undefined
  /** How many there are in all; `rows` may hold only the first of them. */
  readonly total: number
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Web pages about what is in the cells, by row and column, where the network's explorer is known. */
  readonly links?: ReadonlyArray<ReadonlyArray<string | undefined>> | undefined
  /** What a reader should know of rows that could not be read as they were meant to. */
  readonly notes?: ReadonlyArray<string> | undefined
  /** One value in words, when the result is not a list: `status success · gas 51,234`. */
  readonly headline?: string | undefined
}

/** One column of a table. */
export interface Column {
  readonly name: string
  /** Numbers are right-aligned. */
  readonly align?: "left" | "right" | undefined
  /** What stands in it was decoded, and the item that the server sent does not spell it out: saved rows have it as well. */
  readonly decoded?: true | undefined
  /**
   * For columns that not every table of a method has, because no row has something in them: those of a lower rank stand
   * first, those of one rank in the order in which rows first have something in them. 0 by default. A front end that
   * draws a long result a few rows at a time orders its columns by this.
   */
  readonly rank?: number | undefined
}

/** The count of a table, or its one value, for a summary line. */
export const summarize = (table: Table): string => {
  if (table.headline !== undefined) return table.headline
  if (table.noun === undefined) return `${groupDigits(table.total)} values`
  return `${groupDigits(table.total)} ${table.noun[table.total === 1 ? 0 : 1]}`
}

/** The middle of a long hash left out: `0x5fbdb2…180aa3`. */
export const shorten = (text: string, head = 8, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`

/**
 * How the values of a table are written: as {@link shorten} does, with the label of an address before it, `Treasury (0x5fbdb2…180aa3)`;
 * or as they are, where they are asked for whole.
 */
export const shortening = ({ label, whole }: Pick<RenderContext, "label" | "whole">): typeof shorten =>
  whole === true
    ? (text) => text
    : (text, head, tail) => {
        const name = label?.(text)
        const short = shorten(text, head, tail)
        return name === undefined ? short : `${name} (${short})`
      }

/**
 * A table of any JSON, for a method that has nothing better: the items of an array with a column for each member of the
 * first few, the members of an object one below the other, or a single value in words. Long values are cut off, unless they
 * are asked for whole.
 */
export const tableOf = (value: Json.Json, limit: number, { whole }: RenderContext = {}): Table => {
  const cell = (value: Json.Json | undefined): string => (value === undefined ? "" : textOf(value, whole === true))
  if (Json.isArray(value)) {
    const names = firstNames(value.slice(0, 20))
    const columns = names.length === 0 ? [{ name: "value" }] : names.map((name) => ({ name }))
    const rows = value
      .slice(0, Math.max(0, limit))
      .map((item) =>
        columns.map(({ name }) =>
          cell(Json.isObject(item) ? memberOf(item, name) : name === "value" ? item : undefined),
        ),
      )
    return { noun: ["item", "items"], total: value.length, columns, rows }
  }
  if (!Json.isObject(value)) return { total: 1, columns: [], rows: [], headline: cell(value) }
  const names = Object.keys(value)
  return {
    noun: ["member", "members"],
    total: names.length,
    columns: [{ name: "member" }, { name: "value" }],
    rows: names.slice(0, Math.max(0, limit)).map((name) => [name, cell(value[name])]),
  }
}

/** A member of the object itself: every object has a `constructor`. */
const memberOf = (item: Json.JsonObject, name: string): Json.Json | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined

/** The names of members that items begin with. One item may have a million of them. */
const firstNames = (items: ReadonlyArray<Json.Json>): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const item of items) {
    if (!Json.isObject(item)) continue
    for (const name in item) {
      if (names.size >= maxColumns) return [...names]
      names.add(name)
    }
  }
  return [...names]
}

const maxColumns = 8

const textOf = (value: Json.Json, whole: boolean): string => {
  if (whole) return typeof value === "string" ? value : Json.stringify(value)
  const text = typeof value === "string" ? value : Json.stringifyStart(value, 80)
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`
}
