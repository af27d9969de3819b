/**
 * Results without their report: each on a line for a shell, or the rows of one as CSV.
 *
 * Invariant: no digit is lost and only `--rows` leaves rows out.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import type { columnEncoder, columnsOf, inferColumns } from "@dotrpc/columns"
import { itemListOf, type RequestReport, type RowReport } from "@dotrpc/runner"
import { type ItemColumns, Json, Visible } from "@dotrpc/spec"
import { Effect } from "effect"

/** Results as pieces of text. */
export type ShowResults = (reports: ReadonlyArray<RequestReport>) => Iterable<string>

export interface ResultChoices {
  readonly format: string
  /** The most rows that CSV has. */
  readonly rows: number
  /** The params that a request was sent with, where they are known without the results of others: columns depend on them, as those of a scan do. */
  readonly paramsOf: (request: BoundRequest) => Json.Json | undefined
}

/** How results are written in a format that has nothing else, or `undefined` for the format of a report. */
export const resultsIn = ({ format, paramsOf, rows }: ResultChoices): Effect.Effect<ShowResults | undefined> => {
  if (format === "value") return Effect.succeed(valueLines)
  if (format !== "csv") return Effect.succeed(undefined)
  // Other formats load no writer of columns.
  return Effect.promise(async () => {
    const columns = await import("@dotrpc/columns")
    return (reports) => csvPieces(columns, reports, rows, paramsOf)
  })
}

/** A line for each result, and for each of `# @each`: what it says by the ABI, or else the result. A text stands without quotes. */
function* valueLines(reports: ReadonlyArray<RequestReport>): Generator<string, void> {
  for (const { decoded, partial, result, rows } of reports)
    if (rows !== undefined) for (const row of rows) yield `${textOf(row.result ?? null)}\n`
    else if (result !== undefined || partial !== undefined) yield `${textOf(decoded ?? result ?? partial?.result)}\n`
}

const textOf = (value: Json.Json | undefined): string =>
  typeof value === "string" ? Visible.line(value) : Visible.json(Json.stringify(value ?? null))

interface Columns {
  readonly columnEncoder: typeof columnEncoder
  readonly columnsOf: typeof columnsOf
  readonly inferColumns: typeof inferColumns
}

function* csvPieces(
  making: Columns,
  reports: ReadonlyArray<RequestReport>,
  rows: number,
  paramsOf: ResultChoices["paramsOf"],
): Generator<string, void> {
  const decoder = new TextDecoder()
  for (const report of reports) {
    const result = report.result ?? report.partial?.result
    if (result === undefined && report.rows === undefined) continue
    const items = report.rows?.map(rowItem) ?? itemsOf(report, result ?? null)
    const { columns, row } = columnsIn(making, report, items, paramsOf(report.request))
    const encoder = making.columnEncoder("csv", columns)
    for (let at = 0; at < Math.min(rows, items.length); at += together)
      yield decoder.decode(encoder.write(items.slice(at, Math.min(rows, at + together)).map(row)))
    yield decoder.decode(encoder.end())
  }
}

/** Rows that become one piece. */
const together = 500

/** The row's own columns, and what it led to: the members of a result that is an object are named `result.number`. */
const rowItem = ({ error, result = null, row, status }: RowReport): Json.Json => {
  const own = Json.isObject(row.value) ? row.value : { row: row.value }
  const members = Json.isObject(result)
    ? Object.entries(result).map(([name, value]) => [`result.${name}`, value] as const)
    : [["result", result] as const]
  const outcome = [
    ["status", status] as const,
    ...members,
    ...(error === undefined ? [] : [["error", error.message] as const]),
  ]
  const free = (name: string): string => (Object.hasOwn(own, name) ? free(`${name}_`) : name)
  return { ...own, ...Object.fromEntries(outcome.map(([name, value]) => [free(name), value])) }
}

const itemsOf = (report: RequestReport, result: Json.Json): ReadonlyArray<Json.Json> => {
  const render = report.render ?? report.partial?.render
  return itemListOf(report, result, render?.(0).total ?? 1)?.items ?? [result]
}

/** A method's own columns are for its own items, not for the lines of a request with rows, nor for what does not fit the method. */
const columnsIn = (
  making: Columns,
  { items: lines, request, rows }: RequestReport,
  items: ReadonlyArray<Json.Json>,
  params: Json.Json | undefined,
): ItemColumns => {
  const { abi = [], method, workspace } = request
  if (method?.columns === undefined || method.range === undefined || rows !== undefined || lines !== undefined)
    return making.inferColumns(items)
  const projectAbi = workspace.abi.get(method.plugin) ?? []
  const named = abi.filter((item) => !projectAbi.includes(item))
  const known = params === undefined ? { params: null, items } : { params }
  return making.columnsOf(method, { ...known, abi: named, projectAbi })
}
