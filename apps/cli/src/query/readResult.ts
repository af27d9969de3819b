/** The rows of a result, with every digit. */
import { Json, type Table } from "@dotrpc/spec"
import type { DuckDb, Result } from "./DuckDb.ts"

/** Rows as values and as texts. */
export interface QueryResult {
  readonly columns: ReadonlyArray<Table.Column & { readonly type: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<Json.Json>>
  /** Nothing is an empty text. */
  readonly texts: ReadonlyArray<ReadonlyArray<string>>
  /** Whether there are more. */
  readonly isCut: boolean
}

/** Reads at most so many rows. */
export const readResult = async (
  { rowsOf }: DuckDb,
  result: Result,
  most: number,
  isStopped: () => boolean,
): Promise<QueryResult> => {
  const types = result.columnTypes().map(String)
  const columns = result.deduplicatedColumnNames().map((name, index) => {
    const type = types[index] ?? ""
    return { name, type, align: isNumber(type) ? ("right" as const) : ("left" as const) }
  })
  const rows: Array<ReadonlyArray<Json.Json>> = []
  let isCut = false
  while (!isCut && !isStopped()) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    for (const row of rowsOf(chunk)) {
      isCut = rows.length === most
      if (isCut) break
      rows.push(row.map((value, index) => valueOf(types[index] ?? "", value)))
    }
  }
  return { columns, rows, texts: rows.map((row) => row.map(textOf)), isCut }
}

const isNumber = (type: string): boolean =>
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BIGNUM|FLOAT|DOUBLE|DECIMAL)\b/.test(type)

/** Long numbers are texts there, and infinities as well, which JSON has no number for. */
const valueOf = (type: string, value: unknown): Json.Json =>
  typeof value === "string" && isNumber(type) && /^-?\d+(\.\d+)?$/.test(value)
    ? Json.numberFromText(value)
    : jsonOf(value)

const jsonOf = (value: unknown): Json.Json => {
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]))
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null
}

const textOf = (value: Json.Json): string =>
  value === null ? "" : typeof value === "string" ? value : Json.stringify(value)
