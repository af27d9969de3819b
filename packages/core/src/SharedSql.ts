/** Effect's stores for a rate and a breaker that processes share, in a SQL database such as one SQLite file. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { SqlClient, SqlError } from "effect/sql"
import { Options as Check } from "@dotrpc/spec"
import { makeCells } from "./shared/cells.ts"
import { makeCircuitStore } from "./shared/circuitStore.ts"
import { makeRateStore } from "./shared/rateStore.ts"

/** Where in the database the state is kept. */
export interface Options {
  /** The table, which is created if it does not exist; `dotrpc_shared` by default. */
  readonly table?: string | undefined
}

/**
 * The stores that `RateLimit.layerShared` and `Breaker.layerShared` need, in a table of the SQL database that is provided.
 * All processes with the same database and table keep one rate, and stop together.
 *
 * Works on SQLite and on PostgreSQL 9.5 or newer, and is tested on both. It goes by the clocks of the processes, so on several
 * machines these must agree to much less than a second. The table has a row for each rate and two for each endpoint, and
 * contains no secret. Adaptive limits of Effect's `RateLimiter` are not kept: they fail.
 *
 * The layer fails with `SqlError` when the table cannot be created.
 *
 * @example
 * ```ts
 * const stores = SharedSql.layer().pipe(Layer.provide(SqliteFile.layer("/var/lib/indexer/shared.sqlite")))
 *
 * const shared = Layer.mergeAll(
 *   RateLimit.layerShared({ requestsPerSecond: 300 }).pipe(Layer.provide(RateLimiter.layer)),
 *   Breaker.layerShared(),
 * ).pipe(Layer.provide(stores))
 * ```
 */
export const layer = (
  options: Options = {},
): Layer.Layer<
  RateLimiter.RateLimiterStore | CircuitBreaker.CircuitBreakerStore,
  SqlError.SqlError | Check.InvalidOptions,
  SqlClient.SqlClient
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const table = yield* Check.inLayer(() =>
        Check.text("table", Check.members(options, { table: true }).table ?? "dotrpc_shared"),
      )
      const cells = yield* makeCells(table)
      return Context.make(RateLimiter.RateLimiterStore, makeRateStore(cells)).pipe(
        Context.add(CircuitBreaker.CircuitBreakerStore, makeCircuitStore(cells)),
      )
    }),
  )
