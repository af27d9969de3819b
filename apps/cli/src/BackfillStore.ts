/** Where a backfill keeps its state: a SQLite file, in its folder or elsewhere, or a PostgreSQL server whose URL is a secret. */
import { Store, storeWords } from "@dotrpc/backfill"
import { SqliteFile } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Destination, type Options, Redaction } from "@dotrpc/spec"
import { Effect, Layer, Redacted } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { ownFolder, refuseLink } from "./BackfillFiles.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { fileProblem } from "./fileProblem.ts"
import { Host, type NamedFile, pathOf, shownPath } from "./Host.ts"
import type { Output } from "./Output.ts"
import { urlOfFlag } from "./UrlFlag.ts"

/** The database, and how soon a worker that says nothing is taken for dead. */
export interface OpenStore {
  readonly layer: Layer.Layer<Store.Store | SqlClient.SqlClient, CommandFailed>
  readonly expiration: number
  /** Of a database on a server; `undefined` for a file. */
  readonly url: Redacted.Redacted<string> | undefined
  /** The SQLite file, by what it is called in messages; `undefined` for a database on a server. */
  readonly file: NamedFile | undefined
  /** Whether it is the SQLite file in the folder of the backfill. */
  readonly isInFolder: boolean
}

/** The store that `--store` names; without it, the one in the folder. */
export const openStore = (
  folder: NamedFile | undefined,
  url: string | undefined,
  project: Project,
  /** Those of `--allow-host`. */
  allowHosts: ReadonlyArray<string>,
  /** Whether it may be new. */
  isNew: boolean,
): Effect.Effect<OpenStore, CommandFailed, Host | Output> =>
  Effect.gen(function* () {
    const host = yield* Host
    const written = fileIn(url)
    if (written !== undefined && /\{\{\s*\$/.test(written))
      return yield* invalid(
        `--store: a file name cannot contain {{…}}: put all of sqlite:FILE into a variable and name the variable, such as '$env.STORE'`,
      )
    const secret =
      url === undefined || written !== undefined ? undefined : yield* urlOfFlag("--store", url, project, allowHosts)
    const file = written ?? fileIn(secret && Redacted.value(secret))
    if (secret === undefined || file !== undefined) {
      const own = folder && ownStore(folder)
      // What a variable has may be a secret.
      const name = written ?? "the file of --store"
      const database = file === undefined ? own : { name, path: pathOf(host, file) }
      if (database === undefined) return yield* invalid("name the folder with --output, or the database with --store")
      if (!isNew && !existsSync(database.path))
        return yield* invalid(
          file === undefined && folder !== undefined
            ? `${folder.name} has no backfill: name a folder that dotrpc backfill start has written`
            : `${database.name} does not exist: name a file that dotrpc backfill start --store has created`,
        )
      if (!hasSqlite())
        return yield* invalid(
          `a backfill without a database keeps its state in SQLite, which needs Node 22.13 or newer, and this is ${process.version}: update Node, or add --store postgres://…`,
        )
      // SQLite would follow a link in a folder that others have made, and add its tables to what is there.
      if (file === undefined && folder !== undefined)
        yield* Effect.try({
          try: () => [ownFolder(folder), database, ...besides(database)].forEach(refuseLink),
          catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
        })
      const shown = file === undefined ? shownPath(host, database.path) : database.name
      const what = secret === undefined ? `the store ${shown}` : "the store of --store"
      const unreadable = (error: unknown) => invalid(`${what} cannot be opened: ${fileProblem(causeOf(error))}`)
      return {
        layer: opened(SqliteFile.layer(database.path, { isDurable: true }), unreadable),
        expiration: 6_000,
        url: undefined,
        file: { name: what, path: database.path },
        isInFolder: file === undefined,
      }
    }
    const server = Destination.ofServer(secret)
    if (server?.kind !== "postgres")
      return yield* invalid("--store: expected the URL of a PostgreSQL database, postgres://…, or sqlite:FILE")
    const { PgClient } = yield* Effect.promise(() => import("@effect/sql-pg"))
    const secrets = [secret, ...Redaction.secretsOfUrl(Redacted.value(secret))]
    const unreached = (error: unknown) =>
      new CommandFailed({
        lines: [
          `the store cannot be opened: ${Redaction.scrub(wordsOf(error), secrets).slice(0, longestSaid)}`,
          "check that the PostgreSQL server is running, and that the URL of --store is right",
        ],
        exitCode: ExitCode.failed,
      })
    return {
      // The server is the one that the secrets may go to, whatever the client makes of the rest.
      layer: opened(
        PgClient.layer({
          url: Redacted.make(server.rest.href),
          host: server.host,
          port: server.port,
          maxConnections: 8,
        }),
        unreached,
      ),
      expiration: 15_000,
      url: secret,
      file: undefined,
      isInFolder: false,
    }
  })

const fileIn = (url: string | undefined): string | undefined => /^sqlite:(.+)$/s.exec(url ?? "")?.[1]

/** The database of a folder that has its own. */
export const ownStore = (folder: NamedFile): NamedFile => {
  const { name, path } = ownFolder(folder)
  return { name: `${name}/store.sqlite`, path: join(path, "store.sqlite") }
}

/** What SQLite writes beside its file. */
const besides = ({ name, path }: NamedFile): ReadonlyArray<NamedFile> =>
  ["-wal", "-shm", "-journal"].map((end) => ({ name: name + end, path: path + end }))

const opened = (
  database: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError | Options.InvalidOptions>,
  failure: (error: unknown) => CommandFailed,
): OpenStore["layer"] =>
  Store.layer.pipe(
    Layer.provideMerge(database),
    Layer.catch((error) => Layer.effectContext(Effect.fail(failure(error)))),
  )

/** What the server, the socket or the disk said, without the words that a client puts before it. */
const wordsOf = (error: unknown): string => {
  const said = causeOf(error)
  return said instanceof Error ? said.message : String(said)
}

const causeOf = (error: unknown): unknown => {
  const cause = SqlError.isSqlError(error) ? error.reason.cause : undefined
  return cause instanceof Error && cause.message !== "" ? cause : error
}

/** Of what a server says. */
const longestSaid = 500

export const storeFailure = (error: SqlError.SqlError): CommandFailed =>
  new CommandFailed({ lines: [storeWords(error)], exitCode: ExitCode.failed })

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

/** Node has SQLite without a flag from 22.13 on; `dotrpc` itself runs on 20. */
export const hasSqlite = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}
