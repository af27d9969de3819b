/**
 * The tables of ledgers in a SQL database: one row for each ledger, which a step locks; the charges of each day; and a lease for
 * each process.
 */
import * as Effect from "effect/Effect"
import type { SqlClient, SqlError } from "effect/sql"

/** The format of the rows. A ledger of a later one is refused. */
export const format = 1

/** Creates the tables if they do not exist. A user who may not create any can still use those of another. */
export const createTables = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  probe(sql).pipe(
    Effect.catch(() =>
      sql.withTransaction(create(sql)).pipe(Effect.catch((error) => Effect.mapError(probe(sql), () => error))),
    ),
  )

const create = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    // When processes start at the same time, one creates them and the others wait.
    yield* sql`SELECT pg_advisory_xact_lock(${lockOfCreation})`
    yield* sql`CREATE TABLE IF NOT EXISTS dotrpc_ledgers (
      name TEXT PRIMARY KEY, format INTEGER NOT NULL, latest DOUBLE PRECISION, doubt DOUBLE PRECISION)`
    yield* sql`CREATE TABLE IF NOT EXISTS dotrpc_ledger_charges (
      ledger TEXT NOT NULL, day INTEGER NOT NULL, network TEXT NOT NULL, method TEXT NOT NULL,
      credits DOUBLE PRECISION NOT NULL, PRIMARY KEY (ledger, day, network, method))`
    yield* sql`CREATE TABLE IF NOT EXISTS dotrpc_ledger_leases (
      ledger TEXT NOT NULL, owner TEXT NOT NULL, credits DOUBLE PRECISION NOT NULL, ends DOUBLE PRECISION NOT NULL,
      lease DOUBLE PRECISION NOT NULL, number DOUBLE PRECISION NOT NULL, PRIMARY KEY (ledger, owner))`
  })

const probe = (sql: SqlClient.SqlClient) =>
  Effect.asVoid(sql`SELECT 1 FROM dotrpc_ledgers, dotrpc_ledger_charges, dotrpc_ledger_leases LIMIT 0`)

/** "dRPC" */
const lockOfCreation = 0x64525043
