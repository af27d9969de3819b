/**
 * A file of rows that an `# @each` leads to: CSV with the names of its columns in the first line, NDJSON, or a JSON array.
 * Numbers keep their digits. In CSV, a cell that is written as JSON writes a number is one, unless it stands in quotes.
 *
 * Limits: {@link mostRows} rows, {@link largestRows} characters, {@link mostColumns} columns.
 */
import { Json } from "@dotrpc/spec"
import { type CsvRecord, readingCsv } from "./Csv.ts"
import { placeIn } from "./internal/textPlace.ts"
import { fileName } from "./Imports.ts"
import { atOnce, type Steps } from "./Steps.ts"

/** The text of such a file. */
export interface RowsDocument {
  readonly uri: string
  readonly text: string
  /** Why the file that is there is not used, after its name; then it has no text. */
  readonly problem?: string | undefined
}

/** One row: what `row` is in the params of its call, and in its checks. */
export interface Row {
  /** From 0. */
  readonly index: number
  readonly value: Json.Json
  /** `holders.csv:4` for a line of a file, `row 3` of a result. */
  readonly place: string
}

/** The rows of a file, or what is wrong with it, with its name and line. */
export type RowsReading = { readonly rows: ReadonlyArray<Row> } | { readonly problem: string }

/** The most rows of one request. */
export const mostRows = 10_000

/** The most characters of a file of rows: 4 MB. */
const largestRows = 4 * 1024 * 1024

const mostColumns = 1_000

/** What was read of a file; one that stays the same object is read once. */
export const rowsIn = (document: RowsDocument): RowsReading => atOnce(readingRowsIn(document))

/** As {@link rowsIn}, in steps. */
export function* readingRowsIn(document: RowsDocument): Steps<RowsReading> {
  const reading = known.get(document) ?? (yield* readingText(document))
  known.set(document, reading)
  return reading
}

/** The rows of a JSON value; a string says why there are none. `placeOf` names the row at a position, from 0. */
export const rowsOfValue = (value: Json.Json, placeOf: (index: number) => string): ReadonlyArray<Row> | string => {
  if (!Json.isArray(value)) return "is not an array: each of its items would be a row"
  if (value.length > mostRows) return tooManyRows
  return value.map((item, index) => ({ index, value: item, place: placeOf(index) }))
}

const known = new WeakMap<RowsDocument, RowsReading>()

const tooManyRows = `has more than ${mostRows.toLocaleString("en")} rows, the most that one request is sent for: divide it`

function* readingText({ problem, text, uri }: RowsDocument): Steps<RowsReading> {
  const name = fileName(uri)
  if (problem !== undefined) return { problem: `${name} ${problem}` }
  if (text.length > largestRows)
    return { problem: `${name} is longer than ${largestRows / (1024 * 1024)} MB, the most that is read: divide it` }
  const rows = /\.json$/i.test(name)
    ? yield* rowsInJson(name, text)
    : /\.(?:ndjson|jsonl)$/i.test(name)
      ? yield* rowsInLines(name, text)
      : yield* rowsInCsv(name, text)
  if (typeof rows === "string") return { problem: rows }
  return rows.length === 0 ? { problem: `${name} has no rows: expected at least one` } : { rows }
}

function* rowsInCsv(name: string, text: string): Steps<ReadonlyArray<Row> | string> {
  const records = yield* readingCsv(text, mostRows + 1)
  if ("problem" in records) return `${name}:${records.line} ${records.problem}`
  const [head, ...others] = records
  if (head === undefined) return `${name} is empty: expected a first line with the names of the columns`
  if (others.length > mostRows) return `${name} ${tooManyRows}`
  const wrong = wrongHead(head)
  if (wrong !== undefined) return `${name}:${head.line} ${wrong}`
  const rows: Array<Row> = []
  for (const [index, record] of others.entries()) {
    if (index % 256 === 255) yield
    if (record.cells.length !== head.cells.length)
      return `${name}:${record.line} has ${counted(record.cells.length, "cell")}, and the first line names ${counted(head.cells.length, "column")}: add or remove cells, or put a cell with a separator in quotes`
    rows.push({ index, value: rowOf(head, record), place: `${name}:${record.line}` })
  }
  return rows
}

const wrongHead = ({ cells }: CsvRecord): string | undefined => {
  if (cells.length > mostColumns) return `has more than ${mostColumns.toLocaleString("en")} columns`
  const unnamed = cells.findIndex((cell) => cell.trim() === "")
  if (unnamed >= 0) return `has no name for column ${unnamed + 1}: expected a name for each column in the first line`
  const names = cells.map((cell) => cell.trim())
  const twice = names.find((cell, index) => names.indexOf(cell) !== index)
  return twice === undefined ? undefined : `names the column "${twice}" twice: rename one of them`
}

const rowOf = (head: CsvRecord, { cells, quoted }: CsvRecord): Json.JsonObject =>
  Object.fromEntries(
    cells.map((cell, column) => [(head.cells[column] ?? "").trim(), quoted.has(column) ? cell : valueOf(cell)]),
  )

/** `007` and `1e3` are text: as numbers they would not be what is written. */
const valueOf = (cell: string): Json.Json => {
  if (!/^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?$/.test(cell)) return cell
  const number = Json.numberFromText(cell)
  return Json.stringify(number) === cell ? number : cell
}

function* rowsInLines(name: string, text: string): Steps<ReadonlyArray<Row> | string> {
  const rows: Array<Row> = []
  let line = 0
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start)
    const end = found < 0 ? text.length : found
    const written = text.slice(start, end)
    line++
    start = end + 1
    if (line % 64 === 0) yield
    if (written.trim() === "") continue
    if (rows.length === mostRows) return `${name} ${tooManyRows}`
    try {
      rows.push({ index: rows.length, value: yield* Json.parsing(written), place: `${name}:${line}` })
    } catch (error) {
      if (!(error instanceof Json.JsonSyntaxError)) throw error
      return `${name}:${line}:${error.offset + 1} is not JSON: expected one JSON value on each line; ${plain(error)}`
    }
  }
  return rows
}

function* rowsInJson(name: string, text: string): Steps<ReadonlyArray<Row> | string> {
  try {
    const value = yield* Json.parsing(text)
    const lines = yield* linesOfItems(text)
    const placeOf = (index: number) => {
      const line = lines[index] ?? 1
      const isAlone = lines[index - 1] !== line && lines[index + 1] !== line
      return `${name}:${line}${isAlone ? "" : ` [${index}]`}`
    }
    const rows = rowsOfValue(value, placeOf)
    return typeof rows === "string" ? `${name} ${rows}` : rows
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    const { character, line } = yield* placeIn(text, error.offset)
    return `${name}:${line + 1}:${character + 1} is not JSON: ${plain(error)}`
  }
}

/** The lines on which the items of an array begin, from 1, of text that is JSON. */
function* linesOfItems(text: string): Steps<ReadonlyArray<number>> {
  const lines: Array<number> = []
  let [line, depth] = [1, 0]
  let isInString = false
  let isExpected = false
  for (let at = 0; at < text.length; at++) {
    if (at % 8_192 === 8_191) yield
    const char = text.charAt(at)
    if (char === "\n") line++
    if (isInString) {
      if (char === "\\") at++
      else if (char === '"') isInString = false
      continue
    }
    if (char === " " || char === "\n" || char === "\r" || char === "\t") continue
    if (isExpected && char !== "]") lines.push(line)
    isExpected = (depth === 0 && char === "[") || (depth === 1 && char === ",")
    if (char === '"') isInString = true
    else if (char === "[" || char === "{") depth++
    else if (char === "]" || char === "}") depth--
  }
  return lines
}

/** The place already says where. */
const plain = ({ message }: Error): string =>
  message.replace(/ at offset \d+\.?$/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase())

const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`
