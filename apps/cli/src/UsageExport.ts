/**
 * What a provider says was used, by method: the CSV or JSON of its dashboard or of its API, such as QuickNode's
 * `/v0/usage/rpc/by-method`. Columns and members are found by their names, in any order.
 */
import { Json } from "@dotrpc/spec"

export interface UsageExport {
  /** By method, each once. */
  readonly methods: ReadonlyMap<string, Usage>
  /** From and to when, as the file says it: ISO 8601. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Either is absent where the file does not say it. */
export interface Usage {
  /** In the provider's unit. */
  readonly units: number | undefined
  readonly calls: number | undefined
}

/** Reads the text of a file; a string says why it cannot be used, after the name of the file. */
export const readUsage = (text: string): UsageExport | string => {
  const start = text.trimStart()
  if (start === "") return "is empty"
  return start.startsWith("{") || start.startsWith("[") ? usageInJson(text) : usageInCsv(text)
}

const usageInJson = (text: string): UsageExport | string => {
  let value: Json.Json
  try {
    value = Json.parse(text)
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const list = listIn(value, 0)
  if (list === undefined)
    return `has no list of methods: expected objects with one of the members ${named(methodNames)}`
  const rows = list.flatMap((row) => (Json.isObject(row) ? [Object.entries(row)] : []))
  const methods = sumsOf(rows.map((row) => ({ cells: row.map(([name, cell]): Cell => [name, cell]) })))
  if (typeof methods === "string") return methods
  const holder = Json.isObject(value) && Json.isObject(value["data"]) ? value["data"] : value
  return { methods, from: timeIn(holder, "start_time"), to: timeIn(holder, "end_time") }
}

/** The first list of objects that name a method, not deeper than an export has one. */
const listIn = (value: Json.Json | undefined, depth: number): ReadonlyArray<Json.Json> | undefined => {
  if (Json.isArray(value)) return value.some((row) => Json.isObject(row) && hasMethod(row)) ? value : undefined
  if (!Json.isObject(value) || depth === deepest) return undefined
  for (const inner of Object.values(value)) {
    const found = listIn(inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const deepest = 4

const hasMethod = (row: Json.JsonObject): boolean => Object.keys(row).some((name) => isNamed(name, methodNames))

/** Seconds since 1970. */
const timeIn = (holder: Json.Json, name: string): string | undefined => {
  const seconds = Json.isObject(holder) ? holder[name] : undefined
  return typeof seconds === "number" && Math.abs(seconds) < 8.64e12
    ? new Date(seconds * 1_000).toISOString()
    : undefined
}

const usageInCsv = (text: string): UsageExport | string => {
  const [head = [], ...rows] = cellsOf(text)
  if (!head.some((name) => isNamed(name, methodNames)))
    return `has no column for methods: expected one of ${named(methodNames)} in its first line`
  const methods = sumsOf(
    rows.map((row, index) => ({ line: index + 2, cells: head.map((name, column): Cell => [name, row[column] ?? ""]) })),
  )
  return typeof methods === "string" ? methods : { methods }
}

/** A name and a value. */
type Cell = readonly [name: string, value: Json.Json]

interface Row {
  readonly line?: number | undefined
  readonly cells: ReadonlyArray<Cell>
}

const sumsOf = (rows: ReadonlyArray<Row>): UsageExport["methods"] | string => {
  const methods = new Map<string, Usage>()
  for (const [index, { cells, line }] of rows.entries()) {
    const find = (names: ReadonlyArray<string>) => cells.find(([name]) => isNamed(name, names))
    const method = find(methodNames)?.[1]
    if (typeof method !== "string" || method.trim() === "") continue
    const place = line === undefined ? `entry ${index + 1}` : `line ${line}`
    const amounts = [find(unitNames), find(callNames)].map((cell) =>
      cell === undefined ? undefined : amountOf(cell[1]),
    )
    if (amounts.every((amount) => amount === undefined))
      return `${place} says neither units nor calls: expected a number as one of ${named([...unitNames, ...callNames])}`
    const known = methods.get(method.trim())
    methods.set(method.trim(), {
      units: sum(known?.units, amounts[0]),
      calls: sum(known?.calls, amounts[1]),
    })
  }
  return methods.size === 0 ? "names no method" : methods
}

const sum = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? (left ?? right) : Number((left + right).toFixed(6))

/** `1234`, `"1234"`, `"1,234.5"`; nothing for what is not an amount. */
const amountOf = (value: Json.Json): number | undefined => {
  const text = typeof value === "string" ? value.trim().replaceAll(/,(?=\d{3}(?:\D|$))/g, "") : String(value)
  if (!/^\d{1,16}(?:\.\d{1,6})?$/.test(text)) return undefined
  const amount = Number(text)
  return amount <= Number.MAX_SAFE_INTEGER ? amount : undefined
}

const methodNames = ["method", "method_name", "rpc_method", "method name", "rpc method"]
const unitNames = [
  "credits_used",
  "credits",
  "credits used",
  "total credits",
  "api credits",
  "units",
  "units_used",
  "compute units",
  "compute_units",
  "cu",
  "cus",
  "request units",
  "request_units",
  "ru",
]
const callNames = ["requests", "calls", "count", "request_count", "total requests", "number of requests"]

const isNamed = (name: string, names: ReadonlyArray<string>): boolean => names.includes(name.trim().toLowerCase())

const named = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")

/** The cells of a text by RFC 4180: commas, quoted cells, doubled quotes. One pass. */
const cellsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<ReadonlyArray<string>> = []
  let row: Array<string> = []
  let cell: Array<string> = []
  let isQuoted = false
  const endCell = () => {
    row.push(cell.join(""))
    cell = []
  }
  const endRow = () => {
    endCell()
    if (row.some((each) => each !== "")) rows.push(row)
    row = []
  }
  const from = text.startsWith("\uFEFF") ? 1 : 0
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (isQuoted && char === '"' && text.charAt(at + 1) === '"') {
      cell.push(char)
      at++
    } else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === ",") endCell()
    else if (!isQuoted && char === "\n") endRow()
    else if (isQuoted || char !== "\r") cell.push(char)
  }
  endRow()
  return rows
}
