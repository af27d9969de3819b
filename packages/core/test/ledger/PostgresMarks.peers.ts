import { afterAll, beforeAll } from "vitest"
import { type PostgresServer, startPostgres } from "@dotrpc/postgres"
import { Destination } from "@dotrpc/spec"
import { type CreditLedger, PostgresLedger } from "../../src/index.ts"
import { makePostgresAccess } from "../../src/ledger/postgresAccess.ts"
import { makeSqlStore } from "../../src/ledger/sqlStore.ts"
import { eachDay } from "../../src/ledger/window.ts"
import { makePlaces, markLaws, type MarkedServer } from "./markLaws.ts"
import { sharedLedgerLaws } from "./sharedLaws.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
const marked: MarkedServer = {
  name: "a PostgreSQL server",
  port: () => server.port,
  place: () => `127.0.0.1:${server.port}/postgres`,
  layerAt: (place, options) => PostgresLedger.layer({ url: urlAt(server.port), ...place, ...options }),
  storeAt: (port, name, marks) =>
    makeSqlStore(
      makePostgresAccess(Destination.ofServer(urlAt(port))!, () => undefined, []),
      { name, window: eachDay, marks },
    ),
}
const places = makePlaces()

sharedLedgerLaws("on a PostgreSQL server, with marks", () => {
  const at = places.next()
  return (options: CreditLedger.SharedOptions) => marked.layerAt(at, options)
})
markLaws(marked, places)
