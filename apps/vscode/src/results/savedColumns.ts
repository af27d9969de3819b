/** A result as the bytes of a file of columns, in pieces: a long one is never encoded in one go. */
import { columnEncoder, type ColumnFormat, inferColumns } from "@dotrpc/columns"
import { type RequestReport, resultColumns } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"

import { chunksOf } from "../run/chunks.ts"

/** Of one value, a file with one row. Ends with how many items were not decoded, in words. */
export function* savedColumns(
  format: ColumnFormat,
  report: RequestReport,
  result: Json.Json,
): Generator<Uint8Array, string | undefined> {
  const { columns, items, row, undecoded } = resultColumns(report, result, { infer: inferColumns })
  const encoder = columnEncoder(format, columns, { rowGroupBytes: shortStep })
  for (const chunk of chunksOf(items)) yield encoder.write(chunk.map(row))
  yield encoder.end()
  return undecoded()
}

/** Encoding so many bytes of values takes some 20 ms. */
const shortStep = 512 * 1_024
