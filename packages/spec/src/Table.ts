/** A result as a person reads it: a noun and a count for the summary line, and rows for a table. Plain data; front ends draw it. */

export interface Table {
  /** Names what is counted, `["log", "logs"]`: `1,204 logs`. Absent when the result is one value. */
  readonly noun?: readonly [one: string, many: string]
  /** How many there are in all; `rows` may hold only the first of them. */
  readonly total: number
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** One value in words, when the result is not a list: `status success · gas 51,234`. */
  readonly headline?: string
}

export interface Column {
  readonly name: string
  /** Numbers are right-aligned. */
  readonly align?: "left" | "right"
}

/** `1204` as `1,204`, whatever the machine's locale. */
export const groupDigits = (value: number | bigint): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",")

/** The count of a table, or its one value, for a summary line. */
export const summarize = (table: Table): string => {
  if (table.headline !== undefined) return table.headline
  if (table.noun === undefined) return `${groupDigits(table.total)} values`
  return `${groupDigits(table.total)} ${table.noun[table.total === 1 ? 0 : 1]}`
}

/** The middle of a long hash left out: `0x5fbdb2…180aa3`. */
export const shorten = (text: string, head = 8, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
