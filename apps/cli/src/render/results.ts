/**
 * Results without their report: each on a line for a shell, or the rows of one as CSV or Parquet.
 *
 * Invariant: no digit is lost and only `--rows` leaves rows out.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import type { inferColumns } from "@dotrpc/columns"
import type { ColumnFile } from "@dotrpc/columns/node"
import { type RequestReport, resultColumns } from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"
import { Effect } from "effect"

/** Results as pieces of text, or of bytes. */
export type ShowResults = (reports: ReadonlyArray<RequestReport>) => Iterable<string | Uint8Array>

export interface ResultChoices {
  readonly format: string
  /** The most rows of columns. */
  readonly rows: number
  /** The params that a request was sent with, where they are known without the results of others: columns depend on them, as those of a scan do. */
  readonly paramsOf: (request: BoundRequest) => Json.Json | undefined
  /** Gets what a reader of the columns should know, once they are written. */
  readonly say: (words: string) => void
}

/** How results are written in a format that has nothing else, or `undefined` for the format of a report. */
export const resultsIn = ({ format, ...choices }: ResultChoices): Effect.Effect<ShowResults | undefined> => {
  if (format === "value") return Effect.succeed(valueLines)
  if (format !== "csv" && format !== "parquet") return Effect.succeed(undefined)
  // Other formats load no writer of columns.
  return Effect.promise(async () => {
    const { inferColumns } = await import("@dotrpc/columns")
    const { fileEncoder } = (await import("@dotrpc/columns/node")).ColumnFile
    return (reports) => columnPieces({ inferColumns, fileEncoder }, format, reports, choices)
  })
}

/** Whether there is something to write of a request: it was answered, in part at least. */
export const hasResult = ({ partial, result, rows }: RequestReport): boolean =>
  rows !== undefined || (result ?? partial?.result) !== undefined

/** A line for each result, and for each of `# @each`: what it says by the ABI, or else the result. A text stands without quotes. */
function* valueLines(reports: ReadonlyArray<RequestReport>): Generator<string, void> {
  for (const { decoded, partial, result, rows } of reports)
    if (rows !== undefined) for (const row of rows) yield textOf(row.decoded, row.result)
    else if (result !== undefined || partial !== undefined) yield textOf(decoded, result ?? partial?.result)
}

const textOf = (decoded: Json.Json | undefined, result: Json.Json = null): string => {
  const value = decoded === undefined ? result : Json.withDigits(decoded)
  return `${typeof value === "string" ? Visible.line(value) : Visible.json(Json.stringify(value))}\n`
}

interface Columns {
  readonly fileEncoder: typeof ColumnFile.fileEncoder
  readonly inferColumns: typeof inferColumns
}

function* columnPieces(
  { fileEncoder, inferColumns }: Columns,
  format: "csv" | "parquet",
  reports: ReadonlyArray<RequestReport>,
  { paramsOf, rows, say }: Omit<ResultChoices, "format">,
): Generator<string | Uint8Array, void> {
  const decoder = new TextDecoder()
  const piece = (bytes: Uint8Array) => (format === "csv" ? decoder.decode(bytes) : bytes)
  for (const report of reports) {
    if (!hasResult(report)) continue
    const { columns, items, row, undecoded } = resultColumns(report, report.result ?? report.partial?.result ?? null, {
      infer: inferColumns,
      params: paramsOf(report.request),
    })
    const encoder = fileEncoder(format, columns)
    for (let at = 0; at < Math.min(rows, items.length); at += together)
      yield piece(encoder.write(items.slice(at, Math.min(rows, at + together)).map(row)))
    yield piece(encoder.end())
    const words = undecoded()
    if (words !== undefined) say(words)
  }
}

/** Rows that become one piece. */
const together = 500
