/** A result as the text of a file. */
import type { RequestReport } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"

import { delimited } from "./delimited.ts"
import { itemsOf } from "./items.ts"

export type SaveFormat = "json" | "ndjson" | "csv"

export const savedText = (format: SaveFormat, report: RequestReport, result: Json.Json): string => {
  if (format === "json") return `${Json.stringify(result, 2)}\n`
  const total = report.render?.(0).total ?? 1
  const items = itemsOf(report.request.method, result, total) ?? [result]
  return format === "ndjson" ? items.map((item) => `${Json.stringify(item)}\n`).join("") : csv(items)
}

/** A column for every member that any item has; members of members are named `log.address`, lists stay JSON. */
const csv = (items: ReadonlyArray<Json.Json>): string => {
  const rows = items.map((item) => new Map(cellsOf("", item)))
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  return delimited(",", [
    columns.map((name) => (name === "" ? "value" : name)),
    ...rows.map((row) => columns.map((name) => row.get(name) ?? "")),
  ])
}

const cellsOf = (path: string, value: Json.Json): ReadonlyArray<readonly [string, string]> => {
  if (!Json.isObject(value))
    return [[path, typeof value === "string" ? value : value === null ? "" : Json.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) => cellsOf(path === "" ? name : `${path}.${name}`, member))
}
