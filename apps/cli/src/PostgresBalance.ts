/** What only a project with a ledger on a PostgreSQL server needs: a part of its own in the bundle. */
export { PostgresLedger } from "@dotrpc/core"
