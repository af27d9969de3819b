/** A result as the bytes of a Parquet file, in pieces: a long one is never encoded in one go. */
import { columnEncoder, columnsOf, inferColumns } from "@dotrpc/columns"
import { itemListOf, type RequestReport } from "@dotrpc/runner"
import type { ItemColumns, Json } from "@dotrpc/spec"

import { renderOf } from "./cameBack.ts"
import { chunksOf } from "./chunks.ts"

/** Of one value, a file with one row. */
export function* savedColumns(report: RequestReport, result: Json.Json): Generator<Uint8Array> {
  const list = itemListOf(report, result, renderOf(report)?.(0).total ?? 1)
  const items = list?.items ?? [result]
  const { columns, row } = columnsIn(report, items)
  const encoder = columnEncoder("parquet", columns, { rowGroupBytes: shortStep })
  for (const chunk of chunksOf(items)) yield encoder.write(chunk.map(row))
  yield encoder.end()
}

/**
 * A method's own columns are for its own items: not for the lines of a request with rows, nor for what a server sent instead of a result,
 * of which they would show nothing.
 */
const columnsIn = (report: RequestReport, items: ReadonlyArray<Json.Json>): ItemColumns => {
  const { method, ...request } = report.request
  const isOwn = report.items === undefined && (report.result ?? report.partial?.result) !== undefined
  return method?.columns === undefined || !isOwn
    ? inferColumns(items)
    : columnsOf(method, { params: null, items, projectAbi: request.abi })
}

/** Encoding so many bytes of values takes some 20 ms. */
const shortStep = 512 * 1_024
