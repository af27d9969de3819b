/** Where a backfill keeps its state: a SQLite file, in its folder or elsewhere, or a PostgreSQL server whose URL is a secret. */
import { type FileProblem, Store, storeWords } from "@dotrpc/backfill"
import { SqliteFile } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Destination, type Options, Redaction, Visible } from "@dotrpc/spec"
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

/** How a store is opened. */
export interface StoreUse {
  /** Those of `--allow-host`. */
  readonly allowHosts: ReadonlyArray<string>
  /** Whether it may be new. */
  readonly isNew: boolean
  /** Whether it is only read: what an earlier version began is left as it is. */
  readonly isRead?: boolean | undefined
}

/** The store that `--store` names; without it, the one in the folder. */
export const openStore = Effect.fnUntraced(function* (
  folder: NamedFile | undefined,
  url: string | undefined,
  project: Project,
  use: StoreUse,
): Effect.fn.Return<OpenStore, CommandFailed, Host | Output> {
  const host = yield* Host
  const written = fileIn(url)
  if (written !== undefined && /\{\{\s*\$/.test(written))
    return yield* invalid(
      `--store: a file name cannot contain {{…}}: put all of sqlite:FILE into a variable and name the variable, such as '$env.STORE'`,
    )
  const secret =
    url === undefined || written !== undefined ? undefined : yield* urlOfFlag("--store", url, project, use.allowHosts)
  const file = written ?? fileIn(secret && Redacted.value(secret))
  if (secret !== undefined && file === undefined) return yield* openServer(secret, use)
  // What a variable has may be a secret.
  const named = file === undefined ? undefined : { name: written ?? "the file of --store", path: pathOf(host, file) }
  const shown = secret === undefined ? undefined : "the store of --store"
  if (named !== undefined) return yield* openFile(named, undefined, shown, use)
  if (folder === undefined) return yield* invalid("name the folder with --output, or the database with --store")
  return yield* openFile(ownStore(folder), folder, shown, use)
})

/** @param folder the one that the database is in by itself */
const openFile = Effect.fnUntraced(function* (
  database: NamedFile,
  folder: NamedFile | undefined,
  shown: string | undefined,
  use: StoreUse,
) {
  const host = yield* Host
  if (!use.isNew && !existsSync(database.path))
    return yield* invalid(
      folder === undefined
        ? `${database.name} does not exist: name a file that dotrpc backfill start --store has created`
        : `${folder.name} has no backfill: name a folder that dotrpc backfill start has written`,
    )
  if (!hasSqlite())
    return yield* invalid(
      `a backfill without a database keeps its state in SQLite, which needs Node 22.13 or newer, and this is ${process.version}: update Node, or add --store postgres://…`,
    )
  // SQLite would follow a link in a folder that others have made, and add its tables to what is there.
  if (folder !== undefined)
    yield* Effect.try({
      try: () => [ownFolder(folder), database, ...besides(database)].forEach(refuseLink),
      catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
    })
  const name = shown ?? `the store ${folder === undefined ? database.name : shownPath(host, database.path)}`
  const unreadable = (error: unknown) => invalid(`${name} cannot be opened: ${fileProblem(causeOf(error))}`)
  return {
    layer: opened(SqliteFile.layer(database.path, { isDurable: true }), use, unreadable),
    expiration: 6_000,
    url: undefined,
    file: { name, path: database.path },
    isInFolder: folder !== undefined,
  }
})

const openServer = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>, use: StoreUse) {
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
  const { host, port, rest } = server
  // The server is the one that the secrets may go to, whatever the client makes of the rest.
  const database = PgClient.layer({ url: Redacted.make(rest.href), host, port, maxConnections: 8 })
  return {
    layer: opened(database, use, unreached),
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
  { isRead = false }: StoreUse,
  failure: (error: unknown) => CommandFailed,
): OpenStore["layer"] =>
  (isRead ? Store.readerLayer : Store.layer).pipe(
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

/** Of a store or of a folder that cannot be used. */
export const storeFailure = (error: SqlError.SqlError | FileProblem): CommandFailed =>
  new CommandFailed({
    lines: [Visible.line(error._tag === "SqlError" ? storeWords(error) : error.said)],
    exitCode: ExitCode.failed,
  })

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

/** Node has SQLite without a flag from 22.13 on; `dotrpc` itself runs on 20. */
export const hasSqlite = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}
