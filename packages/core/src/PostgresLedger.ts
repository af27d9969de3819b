/** A ledger in a PostgreSQL database: the balance of a team that has one already. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { Destination, Options as Check, type PrivateValue, Redaction, type RpcReason } from "@dotrpc/spec"
import { sharedNames, type SharedOptions } from "./ledger/lease.ts"
import type { CreditLedger } from "./ledger/Ledger.ts"
import { layerOver, refusalOf, setSpentIn } from "./ledger/opened.ts"
import { makePostgresAccess } from "./ledger/postgresAccess.ts"
import { makePostgresCell } from "./ledger/postgresCell.ts"
import { makeSqlAccess, type SqlAccess } from "./ledger/sqlAccess.ts"
import { type LedgerCells, storeOver } from "./ledger/store.ts"
import { checkWindow, eachDay } from "./ledger/window.ts"

/** The balance of a ledger in a database, and which of the ledgers there it is. */
export interface SqlOptions extends SharedOptions {
  /** The name of the ledger in the database; `dotrpc` by default. Those who use the same share a balance. */
  readonly name?: string | undefined
}

/** The balance of a ledger on a PostgreSQL server, and where that server is. */
export interface Options extends SqlOptions {
  /** `postgres://user:password@host:5432/database`, with `?sslmode=require` for TLS. It is shown by its host only. */
  readonly url: string | Redacted.Redacted<string>
  /** What the URL has from outside the project, for the gate of the program: see `SecretGate`. */
  readonly privates?: ReadonlyArray<PrivateValue> | undefined
}

/**
 * A ledger on a PostgreSQL server, 10 or newer, that any number of machines share. Needs the package `@effect/sql-pg`, which is
 * loaded with the first call. The table `dotrpc_ledger` is created if it does not exist. A ledger is one small text in a row of it;
 * each step is one transaction that locks the row, so steps come one after another.
 *
 * Leases credits, and counts what a killed process left, as `CreditLedger.layerRedis` does. Days and leases go by the
 * server's clock.
 *
 * Errors: every operation fails with `LedgerUnavailable` while the server cannot be reached. The layer fails with
 * `InvalidOptions` on a `url` that is not a PostgreSQL server's, and on amounts that make no sense.
 *
 * @example
 * ```ts
 * const ledger = PostgresLedger.layer({ url: Redacted.make("postgres://ada:secret@db.example/team"), daily: 15_000_000 })
 * ```
 */
export const layer = (options: Options): Layer.Layer<CreditLedger, Check.InvalidOptions> =>
  layerOver(options, () => postgresOpener(options))

/**
 * As {@link layer}, over a client of Effect that the program has already. Its dialect must be PostgreSQL's. Steps
 * take a connection each and run in a transaction of their own, even where the caller is in one.
 *
 * Errors: every operation fails with `LedgerUnavailable` while the database cannot be used. The layer fails with
 * `InvalidOptions` on a client of another dialect, and on amounts that make no sense.
 *
 * @example
 * ```ts
 * const ledger = PostgresLedger.layerSql({ daily: 15_000_000 }).pipe(Layer.provide(PgClient.layer({ url })))
 * ```
 */
export const layerSql = (
  options: SqlOptions = {},
): Layer.Layer<CreditLedger, Check.InvalidOptions, SqlClient.SqlClient> => layerOver(options, () => sqlOpener(options))

/**
 * Sets what was spent today, or in the window of the ledger, instead of what the server says; calls that are in flight come on top.
 *
 * Errors: `LedgerUnavailable` while the server cannot be reached. Throws a `RangeError` on a `url` that is not a PostgreSQL
 * server's, and on amounts that make no sense.
 */
export const setSpent = (options: Options, spent: number): Effect.Effect<void, RpcReason.LedgerUnavailable> =>
  setSpentIn(() => postgresOpener(options), spent)

const sqlNames: Check.Members<SqlOptions> = { ...sharedNames, name: true }
const postgresNames: Check.Members<Options> = { ...sqlNames, url: true, privates: true }

/** Throws an `OptionError` on a URL that is not a PostgreSQL server's, which is not shown. */
const postgresOpener = (options: Options) => {
  const { privates, url } = Check.members(options, postgresNames)
  const { name, window } = checked(options)
  const text = Redacted.isRedacted(url) ? Redacted.value(url) : url
  const server = typeof text === "string" ? Destination.ofServer(text) : undefined
  if (server?.kind !== "postgres") {
    const message = "Write the URL of a PostgreSQL server as postgres://user:password@host:5432/database."
    throw new Check.OptionError({ message, path: "url", expected: "the URL of a PostgreSQL server" })
  }
  return Effect.map(refusalOf(server.destination, privates), (refusal) =>
    storeOver(cellsOf(makePostgresAccess(server, refusal, Redaction.secretsOfUrl(text)), name), window),
  )
}

const sqlOpener = (options: SqlOptions) => {
  const { name, window } = checked(Check.members(options, sqlNames))
  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    if (!isPostgres) return yield* otherDialect
    const place = { name: "the database of the ledger", advice: "Check the permissions of its user.", secrets: [] }
    return storeOver(cellsOf(makeSqlAccess(Effect.succeed(sql), place), name), window)
  })
}

const cellsOf = (access: SqlAccess, name: string): LedgerCells => ({
  ledger: makePostgresCell(access, name),
  pace: makePostgresCell(access, `${name} pace`),
})

const checked = ({ name = "dotrpc", window = eachDay }: SqlOptions) => ({
  name: Check.text("name", name),
  window: checkWindow(window),
})

const otherDialect = Effect.fail(
  new Check.InvalidOptions({
    message:
      "A ledger needs the SqlClient of a PostgreSQL database: it locks rows. On SQLite use CreditLedger.layerFile.",
  }),
)
