/**
 * A text in a row of a PostgreSQL database, which every machine of a team shares. Each change is one transaction that locks the
 * row: changes come one after another. The server's clock says what time it is.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql"
import type { SqlAccess } from "./sqlAccess.ts"
import type { Cell } from "./cell.ts"

/** Connects, and creates the table, with the first change. */
export const makePostgresCell = (access: SqlAccess, name: string): Cell => {
  let hasTable = false
  return {
    name: `the credit ledger "${name}" in the database`,
    update: (change) =>
      access.ask((client) =>
        Effect.gen(function* () {
          const sql = client.withoutTransforms()
          if (!hasTable) yield* createTable(sql)
          hasTable = true
          const lock = lockRow(sql, name)
          const updated = Effect.gen(function* () {
            let [row] = yield* lock
            if (row === undefined) {
              yield* sql`INSERT INTO dotrpc_ledger (name, state) VALUES (${name}, '') ON CONFLICT DO NOTHING`
              row = (yield* lock)[0]
            }
            const { answer, text } = change({ text: row?.state || undefined, now: Number(row?.clock) })
            if (text !== undefined) yield* sql`UPDATE dotrpc_ledger SET state = ${text} WHERE name = ${name}`
            return answer
          })
          return yield* sql.withTransaction(updated)
        }),
      ),
    close: access.close,
  }
}

interface Row {
  readonly state: string
  readonly clock: number
}

/**
 * What is committed reaches the disk, whatever the server's default is. A process that stops in the middle is disconnected, so that
 * others need not wait for it.
 */
const lockRow = (sql: SqlClient.SqlClient, name: string) =>
  sql<Row>`SELECT state, extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock,
      set_config('idle_in_transaction_session_timeout', '5s', true),
      set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)
    FROM dotrpc_ledger WHERE name = ${name} FOR UPDATE`

/** Creates the table if it does not exist. A user who may not create any can still use that of another. */
const createTable = (sql: SqlClient.SqlClient) => {
  const probe = Effect.asVoid(sql`SELECT 1 FROM dotrpc_ledger LIMIT 0`)
  const create = Effect.gen(function* () {
    // When processes start at the same time, one creates it and the others wait.
    yield* sql`SELECT pg_advisory_xact_lock(${lockOfCreation})`
    yield* sql`CREATE TABLE IF NOT EXISTS dotrpc_ledger (name TEXT PRIMARY KEY, state TEXT NOT NULL)`
  })
  return probe.pipe(
    Effect.catch(() => sql.withTransaction(create).pipe(Effect.catch((error) => Effect.mapError(probe, () => error)))),
  )
}

/** "dRPC" */
const lockOfCreation = 0x64525043
