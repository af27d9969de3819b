/** `dotrpc query SQL [FILE…]`: asks DuckDB about files of columns. Sends nothing, and reads only these files. */
import { delimited } from "@dotrpc/columns/delimited"
import { ExitCode } from "@dotrpc/runner"
import { Json, Table, Visible } from "@dotrpc/spec"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"
import { type DuckDb, notOneStatement, openDuckDb } from "../query/DuckDb.ts"
import { type QueryResult, readResult } from "../query/readResult.ts"
import { queryProblem } from "../query/queryProblem.ts"
import { type Source, sourcesOf } from "../query/sources.ts"
import { makeViews } from "../query/views.ts"
import { textTable } from "../render/textTable.ts"
import { fileArgument } from "./paths.ts"

export const queryCommand = Command.make(
  "query",
  {
    sql: Argument.String("sql").pipe(
      Argument.withDescription(
        "One select from views: each file by its name, a folder of parts by its own, and the only one also as data",
      ),
    ),
    files: fileArgument("file").pipe(
      Argument.withDescription("A .parquet, .csv or .ndjson file, or a folder of them (default: this folder)"),
      Argument.variadic(),
    ),
    format: Flag.Literals("format", ["pretty", "json", "csv"]).pipe(
      Flag.withDescription("What to write to stdout (default: pretty)"),
      Flag.withDefault("pretty"),
    ),
    trust: Flag.Boolean("trust").pipe(
      Flag.withDescription("Run DuckDB as this folder has it in node_modules, even if a project brought it"),
      Flag.withDefault(false),
    ),
  },
  Effect.fnUntraced(function* ({ files, format, sql, trust }) {
    const host = yield* Host
    const { stderr, stdout, writeJson, writeSource } = yield* Output
    const sources = sourcesOf(host, files.length === 0 ? ["."] : files)
    if ("problem" in sources) return yield* invalid(sources.problem)
    if (sql.trim() === "") return yield* notOneStatement
    for (const { paths, unfinished } of sources)
      if (unfinished !== undefined)
        stderr.line(
          `the backfill in ${unfinished} is not finished: ${paths.length === 1 ? "its first part is" : `its ${paths.length} parts so far are`} read`,
        )
    const database = yield* openDuckDb(host.cwd, trust)
    const result = yield* asking(database, sources, async (isStopped) => {
      await makeViews(database.connection, sources)
      await database.allowOnly(sources.flatMap(({ paths }) => paths))
      const prepared = await database.prepare(sql)
      return readResult(database, await prepared.stream(), format === "pretty" ? mostShown : mostRows, isStopped)
    })
    if (result.isCut && format !== "pretty")
      return yield* invalid(
        `the result has more than ${Table.groupDigits(mostRows)} rows: add a limit, or aggregate the rows in the query`,
      )
    if (format === "json") writeJson(`${Json.stringify(jsonOf(result), 2)}\n`)
    else if (format === "csv") writeSource(delimited(",", [result.columns.map(({ name }) => name), ...result.texts]))
    else {
      const cells = result.texts.map((row) => row.map(Visible.line))
      stdout.write(`${textTable(result.columns, cells, stdout.colors)}\n`)
      const count = Table.groupDigits(result.texts.length)
      const rows = result.texts.length === 1 ? "row" : "rows"
      stderr.line(result.isCut ? `the first ${count} rows; there are more: add --format csv` : `${count} ${rows}`)
    }
  }, Effect.scoped),
).pipe(
  Command.withDescription("Ask DuckDB about files of columns with exact numbers, where it is installed; sends nothing"),
  Command.withExamples([
    {
      command: 'dotrpc query "select sum(value) from data" transfers.parquet',
      description: "Every digit of a sum",
    },
    {
      command: `dotrpc query 'select "to", count(*) from transfers group by all order by 2 desc limit 10'`,
      description: "Of transfers.parquet in this folder",
    },
  ]),
)

/** Runs work of DuckDB, which is stopped where the command is. What it refuses is about the query or the files. */
const asking = <A>(
  { connection }: DuckDb,
  sources: ReadonlyArray<Source>,
  work: (isStopped: () => boolean) => Promise<A>,
): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: (signal) => {
      signal.addEventListener("abort", () => connection.interrupt())
      return work(() => signal.aborted)
    },
    catch: (error) =>
      error instanceof CommandFailed
        ? error
        : new CommandFailed({
            lines: queryProblem(error instanceof Error ? error.message : String(error), sources),
            exitCode: ExitCode.invalid,
          }),
  })

const jsonOf = ({ columns, rows }: QueryResult): Json.Json => ({
  columns: columns.map(({ name, type }) => ({ name, type })),
  rows: rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))),
})

const mostShown = 1_000

/** All of them are in memory until they are written. */
const mostRows = 100_000

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
