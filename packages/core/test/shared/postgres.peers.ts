/** A PostgreSQL server keeps what a SQLite file keeps, for real processes as well. */
import { PgClient } from "@effect/sql-pg"
import { Layer, Redacted } from "effect"
import { Persistence } from "effect/persistence"
import { afterAll } from "vitest"
import { startPostgres } from "@dotrpc/postgres"
import { SharedSql } from "../../src/index.ts"
import { memoryLaws } from "../scan/persistedMemory.ts"
import { processLaws } from "./processes.ts"
import { storeLaws } from "./stores.ts"

const server = await startPostgres()
afterAll(() => server.stop())

// One connection answers in turn, so what a test clock starts ends before much later steps of the test.
const client = PgClient.layer({ url: Redacted.make(server.url), maxConnections: 1 })
let tables = 0
storeLaws("PostgreSQL", () => Layer.provide(SharedSql.layer({ table: `shared_${tables++}` }), client))
processLaws("a PostgreSQL server", (name) => `${server.url}#of_${name}`)
memoryLaws("on a PostgreSQL server", () => Layer.orDie(Layer.provide(Persistence.layerBackingSql, client)))
