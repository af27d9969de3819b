/**
 * What a provider says was used, by method: the CSV or JSON of its dashboard or of its API, such as QuickNode's
 * `/v0/usage/rpc/by-method`. Columns and members are found by their names, in any order.
 */
import { readingCsv } from "@dotrpc/analysis"
import { atOnce, Json, type PriceSheet } from "@dotrpc/spec"

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

/**
 * Reads the text of a file; a string says why it cannot be used, after the name of the file. Amounts may be named after the
 * provider's `unit`.
 */
export const readUsage = (text: string, unit: PriceSheet.Unit): UsageExport | string => {
  const names: Names = { method: methodNames, calls: callNames, units: [...unitNames, ...unitNamesOf(unit)] }
  const start = text.slice(0, longestIndent).trimStart()
  if (start === "") return "is empty"
  return start.startsWith("{") || start.startsWith("[") ? usageInJson(text, names) : usageInCsv(text, names)
}

/** Only JSON and CSV are expected, and neither begins with so much white space. */
const longestIndent = 10_000

/** The names that columns or members may have. */
interface Names {
  readonly method: ReadonlyArray<string>
  readonly units: ReadonlyArray<string>
  readonly calls: ReadonlyArray<string>
}

const usageInJson = (text: string, names: Names): UsageExport | string => {
  let value: Json.Json
  try {
    value = Json.parse(text)
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const list = listIn(value, 0)
  if (list === undefined)
    return `has no list of methods: expected objects with a member ${named(names.method)}; ${found("members", [...membersIn(value, 0)])}`
  const rows = list.flatMap((row, index): ReadonlyArray<Row> => {
    if (!Json.isObject(row)) return []
    const members = Object.keys(row)
    const valueOf = (wanted: ReadonlyArray<string>) => {
      const name = members.find((each) => isNamed(each, wanted))
      return name === undefined ? undefined : row[name]
    }
    return [
      {
        place: `entry ${index + 1}`,
        method: valueOf(names.method),
        units: valueOf(names.units),
        calls: valueOf(names.calls),
      },
    ]
  })
  const methods = sumsOf(rows, names)
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

/** The names of members, where a user may look for a list. */
function* membersIn(value: Json.Json | undefined, depth: number): Generator<string> {
  if (Json.isArray(value)) return yield* membersIn(value[0], depth + 1)
  if (!Json.isObject(value) || depth > deepest) return
  for (const [name, inner] of Object.entries(value)) {
    yield name
    yield* membersIn(inner, depth + 1)
  }
}

const hasMethod = (row: Json.JsonObject): boolean => Object.keys(row).some((name) => isNamed(name, methodNames))

/** Seconds since 1970. */
const timeIn = (holder: Json.Json, name: string): string | undefined => {
  const seconds = Json.isObject(holder) ? holder[name] : undefined
  return typeof seconds === "number" && Math.abs(seconds) < 8.64e12
    ? new Date(seconds * 1_000).toISOString()
    : undefined
}

const usageInCsv = (text: string, names: Names): UsageExport | string => {
  const rows = atOnce(readingCsv(text))
  if ("problem" in rows) return `line ${rows.line} ${rows.problem}`
  const [head, ...others] = rows
  const columns = head?.cells ?? []
  if (!columns.some((name) => isNamed(name, names.method)))
    return `has no column for methods: expected ${named(names.method)} in its first line; ${found("columns", columns)}`
  const column = (wanted: ReadonlyArray<string>) => columns.findIndex((name) => isNamed(name, wanted))
  const [method, units, calls] = [column(names.method), column(names.units), column(names.calls)]
  if (units < 0 && calls < 0)
    return `has no column for amounts: expected ${named([...names.units, ...names.calls])} in its first line; ${found("columns", columns)}`
  const methods = sumsOf(
    others.map(({ cells, line }) => ({
      place: `line ${line}`,
      method: cells[method],
      units: units < 0 ? undefined : cells[units],
      calls: calls < 0 ? undefined : cells[calls],
    })),
    names,
  )
  return typeof methods === "string" ? methods : { methods }
}

/** The values of a line or an entry, absent where it has no such column or member. */
interface Row {
  /** `line 3`, `entry 2`. */
  readonly place: string
  readonly method: Json.Json | undefined
  readonly units: Json.Json | undefined
  readonly calls: Json.Json | undefined
}

const sumsOf = (rows: ReadonlyArray<Row>, names: Names): UsageExport["methods"] | string => {
  const methods = new Map<string, Usage>()
  for (const { place, method, ...amounts } of rows) {
    if (typeof method !== "string" || method.trim() === "") continue
    if (method.length > longestMethod) return `${place} has a method of ${method.length} characters`
    const units = amountOf(amounts.units)
    const calls = amountOf(amounts.calls)
    if (units === undefined && calls === undefined)
      return `${place} says neither units nor calls: expected a number, 0 or more, as ${named([...names.units, ...names.calls])}`
    const known = methods.get(method.trim())
    if (known === undefined && methods.size === mostMethods)
      return `${place} is one method too many: expected at most ${mostMethods}, as a provider has`
    methods.set(method.trim(), {
      units: sum(known?.units, units),
      calls: sum(known?.calls, calls),
    })
  }
  return methods.size === 0 ? "names no method" : methods
}

const sum = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? (left ?? right) : Number((left + right).toFixed(6))

/** `1234`, `"1234"`, `"1,234.5"`; nothing for what is not an amount. */
const amountOf = (value: Json.Json | undefined): number | undefined => {
  if (value === undefined || (typeof value === "string" && value.length > longestName)) return undefined
  const text = typeof value === "string" ? value.trim().replaceAll(/,(?=\d{3}(?:\D|$))/g, "") : String(value)
  if (!/^\d{1,16}(?:\.\d{1,6})?$/.test(text)) return undefined
  const amount = Number(text)
  return amount <= Number.MAX_SAFE_INTEGER ? amount : undefined
}

/** Several times as many as any provider has; a table of them can still be laid out. */
const mostMethods = 1_000

/** No method of a provider is longer. */
const longestMethod = 200

const methodNames = ["method", "method name", "rpc method", "rpc method name", "json rpc method", "api method"]
const unitNames = [
  "credits used",
  "credits",
  "total credits",
  "total credits used",
  "api credits",
  "api credits used",
  "credits consumed",
  "credit usage",
  "credits usage",
  "total credit usage",
  "units",
  "units used",
  "compute units",
  "compute units used",
  "total compute units",
  "cu",
  "cus",
  "cu used",
  "cus used",
  "total cus",
  "request units",
  "request units used",
  "ru",
  "rus",
  "ru used",
]
const unitNamesOf = ({ many, one }: PriceSheet.Unit): ReadonlyArray<string> =>
  [many, one].map(plain).flatMap((name) => [name, `${name} used`])
const callNames = [
  "requests",
  "calls",
  "count",
  "request count",
  "requests count",
  "call count",
  "total requests",
  "total calls",
  "number of requests",
  "number of calls",
  "request volume",
]

const isNamed = (name: string, names: ReadonlyArray<string>): boolean =>
  name.length <= longestName && names.includes(plain(name))

/** `credits_used`, `creditsUsed` and `Credits Used` are one name. */
const plain = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[\s_-]+/g, " ")
    .trim()
    .toLowerCase()

const longestName = 60

const named = (names: ReadonlyArray<string>): string => {
  const shown = [...new Set(names)].map((name) => `"${name}"`)
  return `${shown.slice(0, mostExpected).join(", ")} or the like`
}

/** Enough to see what is meant. */
const mostExpected = 3

/** What the file has instead. */
const found = (what: string, names: ReadonlyArray<string>): string => {
  const all = [...new Set(names)]
  const shown = all
    .slice(0, mostFound)
    .map((name) => `"${name.length > longestName ? `${name.slice(0, longestName)}…` : name}"`)
  if (all.length === 0) return `found no ${what}`
  return `found the ${what} ${shown.join(", ")}${all.length > mostFound ? ` and ${all.length - mostFound} more` : ""}`
}

const mostFound = 12
