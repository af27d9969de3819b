/** A result as the text of a file, in pieces: a long text is never written in one go. */
import { itemListOf, type RequestReport } from "@dotrpc/runner"
import { Json, Table, Visible } from "@dotrpc/spec"

import { renderOf } from "./cameBack.ts"
import { chunksOf } from "./chunks.ts"
import { delimited } from "@dotrpc/columns/delimited"
import { jsonPieces } from "./jsonPieces.ts"

export type SaveFormat = "json" | "ndjson" | "csv"

export function* savedText(format: SaveFormat, report: RequestReport, result: Json.Json): Generator<string> {
  if (format === "json") {
    for (const piece of jsonPieces(result)) yield Visible.json(piece)
    return yield "\n"
  }
  const render = renderOf(report)
  const list = itemListOf(report, result, render?.(0).total ?? 1)
  const items = list?.items ?? [result]
  const decodedOf = (chunk: ReadonlyArray<Json.Json>): ReadonlyArray<Json.JsonObject> =>
    render === undefined || list === undefined ? [] : decodedIn(render(chunk.length, list.withItems(chunk), whole))
  if (format === "csv") return yield* csv(items, decodedOf)
  for (const chunk of chunksOf(items)) {
    const decoded = decodedOf(chunk)
    yield chunk.map((item, index) => `${Visible.json(Json.stringify(withDecoded(item, decoded[index])))}\n`).join("")
  }
}

/** Of some items, what was decoded of each. */
type Decode = (items: ReadonlyArray<Json.Json>) => ReadonlyArray<Json.JsonObject>

/** Every digit, without formatting for readers. */
const whole = { whole: true, plain: true }

/** The decoded columns of a table by their names, as text; numbers without the marks between their digits. */
const decodedIn = ({ columns, rows }: Table.Table): ReadonlyArray<Json.JsonObject> => {
  const decoded = columns.flatMap((column, index) => (column.decoded === true ? [{ index, name: column.name }] : []))
  return rows.map((row) =>
    Object.fromEntries(
      decoded.flatMap(({ index, name }) => {
        const text = row[index] ?? ""
        return text === "" ? [] : [[name, Table.ungroupDigits(text)]]
      }),
    ),
  )
}

/** An item as the server sent it, and behind that what was decoded of it. */
const withDecoded = (item: Json.Json, decoded: Json.JsonObject | undefined): Json.Json =>
  !Json.isObject(item) || decoded === undefined || Object.keys(decoded).length === 0 || "decoded" in item
    ? item
    : { ...item, decoded }

/** A column for every member that any item has; members of members are named `log.address`, lists stay JSON. */
function* csv(items: ReadonlyArray<Json.Json>, decodedOf: Decode): Generator<string> {
  const rows: Array<ReadonlyMap<string, string>> = []
  const columns = new Set<string>()
  const decodedColumns = new Set<string>()
  for (const chunk of chunksOf(items)) {
    const decoded = decodedOf(chunk)
    chunk.forEach((item, index) => {
      const own = cellsOf("", item)
      const added = cellsOf("decoded", decoded[index] ?? {})
      for (const [name] of own) columns.add(name)
      for (const [name] of added) decodedColumns.add(name)
      rows.push(new Map([...added, ...own]))
    })
    // Nothing can be written before every column is known, but others may have their turn.
    yield ""
  }
  const names = [...new Set([...columns, ...decodedColumns])]
  yield delimited(",", [names.map((name) => (name === "" ? "value" : name))])
  for (const chunk of chunksOf(rows)) {
    yield delimited(
      ",",
      chunk.map((row) => names.map((name) => row.get(name) ?? "")),
    )
  }
}

const cellsOf = (path: string, value: Json.Json): ReadonlyArray<readonly [string, string]> => {
  if (!Json.isObject(value))
    return [[path, typeof value === "string" ? value : value === null ? "" : Json.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) => cellsOf(path === "" ? name : `${path}.${name}`, member))
}
