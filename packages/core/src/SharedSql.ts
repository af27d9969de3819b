/** Effect's store for a rate that processes share, in a SQL database such as one SQLite file. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { SqlClient, SqlError } from "effect/sql"
import { Options as Check } from "@dotrpc/spec"
import { makeCells } from "./shared/cells.ts"
import { makeRateStore } from "./shared/rateStore.ts"

/** Where in the database the state is kept. */
export interface Options {
  /** The table, which is created if it does not exist; `dotrpc_shared` by default. */
  readonly table?: string | undefined
}

/**
 * The store that `RateLimit.layerShared` and `CreditRate.layerShared` need, in a table of the SQL database that is provided.
 * All processes with the same database and table keep one rate.
 *
 * Works on SQLite and on PostgreSQL 9.5 or newer, and is tested on both. It goes by the clocks of the processes, so on several
 * machines these must agree to much less than a second. The table has a row for each rate, and
 * contains no secret. Adaptive limits of Effect's `RateLimiter` are not kept: they fail.
 *
 * The layer fails with `SqlError` when the table cannot be created.
 *
 * @example
 * ```ts
 * const store = SharedSql.layer().pipe(Layer.provide(SqliteFile.layer("/var/lib/indexer/shared.sqlite")))
 *
 * const shared = RateLimit.layerShared({ requestsPerSecond: 300 }).pipe(
 *   Layer.provide(RateLimiter.layer),
 *   Layer.provide(store),
 * )
 * ```
 */
export const layer = (
  options: Options = {},
): Layer.Layer<RateLimiter.RateLimiterStore, SqlError.SqlError | Check.InvalidOptions, SqlClient.SqlClient> =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const table = yield* Check.inLayer(() =>
        Check.text("table", Check.members(options, { table: true }).table ?? "dotrpc_shared"),
      )
      return makeRateStore(yield* makeCells(table))
    }),
  )
