/**
 * The views of sources, in which every whole number is exact.
 *
 * By itself DuckDB reads long whole numbers of CSV and JSON as doubles, and those of Parquet as text. Here they are `BIGNUM`, which it adds
 * exactly (docs/decisions/037).
 */
import { ExitCode } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { CommandFailed } from "../CommandFailed.ts"
import { type Connection, identifier, literal } from "./DuckDb.ts"
import type { Source } from "./sources.ts"

/** Makes a view for each source: by its name, by the name of its file as it was typed, and as `data` if it is the only one. */
export const makeViews = async (connection: Connection, sources: ReadonlyArray<Source>): Promise<void> => {
  for (const source of sources) {
    const select = await selectOf(connection, source).catch((error: unknown) => {
      throw unreadable(source, error)
    })
    const names = new Set([
      source.name,
      ...(source.typed === undefined ? [] : [source.typed]),
      ...(sources.length === 1 ? ["data"] : []),
    ])
    for (const name of names) await connection.run(`CREATE OR REPLACE VIEW ${identifier(name)} AS ${select}`)
  }
}

/** What DuckDB says of a file, without its own SQL: nobody has typed that. */
const unreadable = ({ name, typed }: Source, error: unknown): CommandFailed => {
  const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\n")
  return new CommandFailed({ lines: [`${typed ?? name} cannot be read: ${said.trim()}`], exitCode: ExitCode.invalid })
}

const selectOf = async (connection: Connection, source: Source): Promise<string> => {
  const files = `[${source.paths.map(literal).join(", ")}]`
  switch (source.format) {
    case "parquet":
      return exactly(`read_parquet(${files}, union_by_name = true)`, await longOfParquet(connection, files))
    case "csv":
      return ofCsv(connection, files)
    case "ndjson":
      return ofNdjson(connection, files)
  }
}

/** The columns that the metadata of any of the files names as whole numbers of any length. */
const longOfParquet = async (connection: Connection, files: string): Promise<ReadonlyArray<string>> => {
  const values = await rowsOf(
    connection,
    `SELECT DISTINCT decode(value) FROM parquet_kv_metadata(${files}) WHERE decode(key) = 'dotrpc.columns'`,
  )
  const long = new Set<string>()
  for (const [text] of values) {
    const types = Json.parse(String(text))
    if (Json.isObject(types)) for (const [name, type] of Object.entries(types)) if (type === "integer") long.add(name)
  }
  return [...long]
}

const ofCsv = async (connection: Connection, files: string): Promise<string> => {
  // The types are those of all rows, not of the first ones.
  const reader = (types: string) => `read_csv(${files}, header = true, sample_size = -1, union_by_name = true${types})`
  const found = await columnsOf(connection, reader(""))
  const doubtful = found.filter(({ type }) => rounded.has(type)).map(({ name }) => name)
  const long = await wholeAmong(connection, reader(", all_varchar = true"), doubtful)
  return exactly(reader(typesOf(long)), long)
}

const typesOf = (long: ReadonlyArray<string>): string =>
  long.length === 0 ? "" : `, types = {${long.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ")}}`

const ofNdjson = async (connection: Connection, files: string): Promise<string> => {
  const reader = (more: string) => `read_json(${files}, format = 'newline_delimited'${more})`
  const found = await columnsOf(connection, reader(", sample_size = -1, union_by_name = true"))
  const doubtful = new Set(found.filter(({ type }) => rounded.has(type) || type === "VARCHAR").map(({ name }) => name))
  const withTexts = (isText: (name: string) => boolean) => {
    const columns = found.map(({ name, type }) => `${literal(name)}: ${literal(isText(name) ? "VARCHAR" : type)}`)
    return reader(`, columns = {${columns.join(", ")}}`)
  }
  const long = await wholeAmong(
    connection,
    withTexts((name) => doubtful.has(name)),
    [...doubtful],
  )
  return exactly(
    withTexts((name) => long.includes(name)),
    long,
  )
}

/** What DuckDB takes whole numbers for that are too long for 64 bits. */
const rounded: ReadonlySet<string> = new Set(["DOUBLE", "HUGEINT", "UHUGEINT"])

/** Of the columns, read as text, those with whole numbers alone. */
const wholeAmong = async (
  connection: Connection,
  reader: string,
  names: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  if (names.length === 0) return []
  const tests = names.map((name) => `bool_and(regexp_full_match(${identifier(name)}, '-?(0|[1-9][0-9]*)'))`)
  const [row = []] = await rowsOf(connection, `SELECT ${tests.join(", ")} FROM ${reader}`)
  return names.filter((_, index) => row[index] === true)
}

const exactly = (reader: string, long: ReadonlyArray<string>): string => {
  const casts = long.map((name) => `CAST(${identifier(name)} AS BIGNUM) AS ${identifier(name)}`)
  return `SELECT *${casts.length === 0 ? "" : ` REPLACE (${casts.join(", ")})`} FROM ${reader}`
}

const columnsOf = async (connection: Connection, reader: string) => {
  const rows = await rowsOf(connection, `DESCRIBE SELECT * FROM ${reader}`)
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }))
}

const rowsOf = async (connection: Connection, sql: string): Promise<ReadonlyArray<ReadonlyArray<unknown>>> =>
  (await connection.runAndReadAll(sql)).getRowsJson()
