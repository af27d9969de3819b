/** A result as the text of a file, in pieces: a long text is never written in one go. */
import type { RequestReport } from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"

import { renderOf } from "./cameBack.ts"
import { chunksOf } from "./chunks.ts"
import { delimited } from "./delimited.ts"
import { itemsOf } from "./items.ts"
import { jsonPieces } from "./jsonPieces.ts"

export type SaveFormat = "json" | "ndjson" | "csv"

export function* savedText(format: SaveFormat, report: RequestReport, result: Json.Json): Generator<string> {
  if (format === "json") {
    for (const piece of jsonPieces(result)) yield Visible.json(piece)
    return yield "\n"
  }
  const total = renderOf(report)?.(0).total ?? 1
  const items = itemsOf(report.request.method, result, total) ?? [result]
  if (format === "csv") return yield* csv(items)
  for (const chunk of chunksOf(items)) yield chunk.map((item) => `${Visible.json(Json.stringify(item))}\n`).join("")
}

/** A column for every member that any item has; members of members are named `log.address`, lists stay JSON. */
function* csv(items: ReadonlyArray<Json.Json>): Generator<string> {
  const rows: Array<ReadonlyMap<string, string>> = []
  const columns = new Set<string>()
  for (const chunk of chunksOf(items)) {
    for (const item of chunk) {
      const row = new Map(cellsOf("", item))
      rows.push(row)
      for (const name of row.keys()) columns.add(name)
    }
    // Nothing can be written before every column is known, but others may have their turn.
    yield ""
  }
  const names = [...columns]
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
