/**
 * What files of columns have of a result.
 *
 * Invariant: columns are decided once, from all of the result, and are the same in every format. No item is left out.
 */
import { type ItemColumns, Json, Table } from "@dotrpc/spec"
import { itemListOf } from "./ItemList.ts"
import type { RequestReport, RowReport } from "./RunEvent.ts"

/** The items of a result, and their columns. */
export interface ResultColumns extends Pick<ItemColumns, "columns" | "row"> {
  readonly items: ReadonlyArray<Json.Json>
  /** How many of the items whose rows were made were not decoded, in words; absent where all were. */
  readonly undecoded: () => string | undefined
}

/** How items become columns. */
export interface ColumnsOptions {
  /** The columns of items whose method declares none: `inferColumns` of `@dotrpc/columns`. */
  readonly infer: (items: Iterable<Json.Json>) => ItemColumns
  /** The params that were sent, where they are known without other results: columns depend on them, as those of a scan do. */
  readonly params?: Json.Json | undefined
}

/**
 * A line for each item of a list, or for each row of `# @each`, whose own columns come first; one line for any other result. What a
 * contract returned is there as it was decoded.
 *
 * @param result what the server sent, which may be the data of an error
 * @example
 * ```ts
 * const { columns, items, row } = resultColumns(report, report.result ?? null, { infer: inferColumns })
 * const encoder = columnEncoder("csv", columns)
 * const bytes = encoder.write(items.map(row))
 * ```
 */
export const resultColumns = (
  report: RequestReport,
  result: Json.Json,
  { infer, params }: ColumnsOptions,
): ResultColumns => {
  const { decoded, rows } = report
  if (rows !== undefined) {
    const isDecoded = rows.some((row) => row.decoded !== undefined)
    const missing = rows.filter((row) => isDecoded && row.result !== undefined && row.decoded === undefined).length
    const own = ownColumns(rows)
    const items = rows.map((row) => rowItem(row, own))
    return { items, ...infer(items), undecoded: () => undecodedWords(missing, rows.length) }
  }
  if (decoded !== undefined) {
    const value = Json.withDigits(decoded)
    const items = Json.isArray(value) && value.some((item) => Json.isObject(item)) ? value : [value]
    return { items, ...infer(items), undecoded: () => undefined }
  }
  const items = itemsOf(report, result)
  const { columns, decodedAs, row } = columnsIn(report, items, params) ?? infer(items)
  const named = columns.findIndex(({ name }) => name === decodedAs)
  let made = 0
  let missing = 0
  return {
    items,
    columns,
    row: (item) => {
      const values = row(item)
      made++
      if (values[named] === null) missing++
      return values
    },
    undecoded: () => undecodedWords(missing, made),
  }
}

const undecodedWords = (missing: number, all: number): string | undefined =>
  missing === 0
    ? undefined
    : `${Table.groupDigits(missing)} of ${Table.groupDigits(all)} ${all === 1 ? "item" : "items"} ${all === 1 ? "was" : "were"} not decoded: the columns have what the server sent`

/** The columns of all rows, of which this one may lack some, and its outcome: the members of a result that is an object are named `result.number`. */
const rowItem = ({ decoded, error, result = null, row, status }: RowReport, columns: OwnColumns): Json.Json => {
  const values = Json.isObject(row.value) ? row.value : { row: row.value }
  const own = Object.fromEntries(
    [...columns].map(([name, isText]) => {
      const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
      return [name, isText && typeof value !== "string" && value !== null ? Json.stringify(value) : value]
    }),
  )
  const outcome = [
    ["status", status] as const,
    ...membersOf("result", result),
    ...(decoded === undefined ? [] : membersOf("decoded", Json.withDigits(decoded))),
    ...(error === undefined ? [] : [["error", error.message] as const]),
  ]
  const free = (name: string): string => (Object.hasOwn(own, name) ? free(`${name}_`) : name)
  return { ...own, ...Object.fromEntries(outcome.map(([name, value]) => [free(name), value])) }
}

/** The columns of rows, and whether all their cells are text, as they stand there: where some look like numbers and some do not, as `001` and `100`. */
type OwnColumns = ReadonlyMap<string, boolean>

const ownColumns = (rows: ReadonlyArray<RowReport>): OwnColumns => {
  const types = new Map<string, Set<string>>()
  for (const { row } of rows)
    for (const [name, value] of Json.isObject(row.value) ? Object.entries(row.value) : [["row", null] as const]) {
      const found = types.get(name) ?? new Set()
      types.set(name, value === null ? found : found.add(typeof value))
    }
  const isText = (found: ReadonlySet<string>) => found.size > 1 && found.has("string") && !found.has("object")
  return new Map([...types].map(([name, found]) => [name, isText(found)]))
}

const membersOf = (name: string, value: Json.Json): ReadonlyArray<readonly [string, Json.Json]> =>
  Json.isObject(value)
    ? Object.entries(value).map(([member, entry]) => [`${name}.${member}`, entry] as const)
    : [[name, value]]

const itemsOf = (report: RequestReport, result: Json.Json): ReadonlyArray<Json.Json> => {
  const render = report.render ?? report.partial?.render
  return itemListOf(report, result, render?.(0).total ?? 1)?.items ?? [result]
}

/** A method's own columns are for its own items, and not for what a server sent instead of a result. */
const columnsIn = (
  { items: lines, partial, request, result }: RequestReport,
  items: ReadonlyArray<Json.Json>,
  params: Json.Json | undefined,
): ItemColumns | undefined => {
  const { abi = [], method, workspace } = request
  const isOwn = lines === undefined && (result ?? partial?.result) !== undefined
  if (method?.columns === undefined || !isOwn) return undefined
  const projectAbi = workspace.abi.get(method.plugin) ?? []
  const named = abi.filter((item) => !projectAbi.includes(item))
  return method.columns({ ...(params === undefined ? { params: null, items } : { params }), abi: named, projectAbi })
}
