/**
 * DuckDB, where it is installed beside dotrpc: dotrpc does not contain it, as it takes 70 MB for each platform.
 *
 * Invariants: nothing of a project is imported that its user has not agreed to run: a repository may bring its own `node_modules`. A query reads the files that were named, and nothing else. It cannot write, reach the network or load an extension.
 */
import { importFrom, isMissingPackage } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect, type Scope } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

/** The parts of `@duckdb/node-api` that are used here. */
export interface Connection {
  readonly run: (sql: string) => Promise<unknown>
  readonly runAndReadAll: (
    sql: string,
  ) => Promise<{ readonly getRowsJson: () => ReadonlyArray<ReadonlyArray<unknown>> }>
  readonly extractStatements: (sql: string) => Promise<{
    readonly count: number
    readonly prepare: (index: number) => Promise<Prepared>
  }>
  readonly interrupt: () => void
  readonly closeSync: () => void
}

interface Prepared {
  readonly statementType: number
  readonly stream: () => Promise<Result>
}

/** The result of a query, some rows at a time. */
export interface Result {
  readonly deduplicatedColumnNames: () => ReadonlyArray<string>
  readonly columnTypes: () => ReadonlyArray<{ readonly toString: () => string }>
  /** Without rows after the last. */
  readonly fetchChunk: () => Promise<Chunk | null>
}

interface Chunk {
  readonly rowCount: number
  readonly convertRows: (converter: unknown) => ReadonlyArray<ReadonlyArray<unknown>>
}

/** DuckDB with a database in memory that has no access to anything until files are given to it. */
export interface DuckDb {
  readonly connection: Connection
  /** A chunk's values as JSON has them; whole numbers of 64 bits and more, and decimals, as text. */
  readonly rowsOf: (chunk: Chunk) => ReadonlyArray<ReadonlyArray<unknown>>
  /** Allows these files alone to be read, from now on and for good. */
  readonly allowOnly: (paths: ReadonlyArray<string>) => Promise<void>
  /** The only statement of the text, which may only read. Rejects with a {@link CommandFailed} otherwise. */
  readonly prepare: (sql: string) => Promise<Prepared>
}

/** Opens DuckDB as it is beside dotrpc, or as the folder has it where that is trusted. Fails with how to install it. */
export const openDuckDb = Effect.fnUntraced(function* (
  folder: string,
  isTrusted: boolean,
): Effect.fn.Return<DuckDb, CommandFailed, Scope.Scope> {
  const found = yield* Effect.promise(() => findModule(folder, isTrusted))
  if ("problem" in found) return yield* new CommandFailed({ lines: found.problem, exitCode: ExitCode.invalid })
  const { DuckDBInstance, JsonDuckDBValueConverter, StatementType } = found.module
  const instance = yield* Effect.promise(() => DuckDBInstance.create(":memory:", options))
  const connection = yield* Effect.acquireRelease(
    Effect.promise(() => instance.connect()),
    (opened) => Effect.sync(opened.closeSync.bind(opened)),
  )
  yield* Effect.promise(() => connection.run("SET temp_directory = ''; SET TimeZone = 'UTC'"))
  return {
    connection,
    rowsOf: (chunk) => chunk.convertRows(JsonDuckDBValueConverter),
    allowOnly: async (paths) => {
      await connection.run(`SET allowed_paths = [${paths.map(literal).join(", ")}]`)
      await connection.run("SET enable_external_access = false")
      await connection.run("SET lock_configuration = true")
    },
    prepare: async (sql) => {
      const statements = await connection.extractStatements(sql)
      const prepared = statements.count === 1 ? await statements.prepare(0) : undefined
      if (prepared?.statementType === StatementType.SELECT) return prepared
      throw notOneStatement
    },
  }
})

/** What is said of SQL that is more than one statement, none, or one that writes. */
export const notOneStatement = new CommandFailed({
  lines: ["a query is one statement that reads, such as: select count(*) from data"],
  exitCode: ExitCode.invalid,
})

/** A text as SQL writes it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A name as SQL writes it. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const options = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_persistent_secrets: "false",
}

interface Module {
  readonly DuckDBInstance: {
    readonly create: (
      path: string,
      options: Readonly<Record<string, string>>,
    ) => Promise<{ readonly connect: () => Promise<Connection> }>
  }
  readonly JsonDuckDBValueConverter: unknown
  readonly StatementType: { readonly SELECT: number }
}

const name = "@duckdb/node-api"

/** The one that is tested. npm takes no shorter one: all versions are marked as releases of a driver, such as `-r.1`. */
const version = "1.5.6-r.1"

const findModule = async (
  folder: string,
  isTrusted: boolean,
): Promise<{ readonly module: Module } | { readonly problem: ReadonlyArray<string> }> => {
  const problems: Array<string> = []
  for (const from of [...(isTrusted ? [folder] : []), import.meta.dirname]) {
    const imported = await importFrom(from)(name)
    if (!("exports" in imported)) problems.push("problem" in imported ? imported.problem : imported.withheld)
    else if (isModule(imported.exports)) return { module: imported.exports }
    else problems.push("is too old")
  }
  const broken = problems.find((problem) => !problem.startsWith("was not found"))
  const isWithheld = !isTrusted && !isMissingPackage(name, folder)
  return {
    problem: [
      broken === undefined ? `queries need DuckDB, and ${name} is not installed beside dotrpc` : `${name} ${broken}`,
      ...(isWithheld ? ["that of this folder is code of a project, which runs only with --trust"] : []),
      `install it where dotrpc is installed, with --global if that is for all folders: npm install ${name}@${version}`,
    ],
  }
}

const isModule = (exports: object): exports is Module =>
  "DuckDBInstance" in exports && "JsonDuckDBValueConverter" in exports && "StatementType" in exports
