/** The connections of a ledger to its PostgreSQL server, which are made with the first step. */
import * as Redacted from "effect/Redacted"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql"
import { type Destination, Redaction, RpcReason } from "@dotrpc/spec"
import { makeSqlAccess, patienceMillis, type SqlAccess } from "./sqlAccess.ts"

/** `refusal` is asked before the server is reached. The secrets are kept out of every message. */
export const makePostgresAccess = (
  { host, port, rest }: Destination.Server,
  refusal: () => RpcReason.LedgerUnavailable | undefined,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): SqlAccess => {
  const scope = Scope.makeUnsafe()
  let connected: SqlClient.SqlClient | undefined
  const connect = Effect.gen(function* () {
    if (connected !== undefined) return connected
    const refused = refusal()
    if (refused !== undefined) return yield* refused
    const client = yield* loadClient
    // One of them may still wait for a server that has stopped to answer.
    const limits = { maxConnections: 2, connectTimeout: patienceMillis, applicationName: "dotrpc", prepare: false }
    // The server is the one that was asked about, whatever the client makes of the rest.
    const url = Redacted.make(rest.href)
    connected = yield* client
      .make({ url, host, port, ...limits })
      .pipe(Scope.provide(scope), Effect.provide(Reactivity.layer))
    return connected
  })
  // A provider may have put the key into the host as well.
  const place = {
    name: `the PostgreSQL server at ${Redaction.scrub(rest.host, secrets)}`,
    advice: "Check the user, password, database and permissions in the ledger's URL.",
    secrets,
  }
  return makeSqlAccess(connect, place, Scope.close(scope, Exit.void))
}

const loadClient = Effect.tryPromise({
  // A bundle for browsers has an empty module in its place.
  try: async () => {
    const { make } = await import("@effect/sql-pg/PgClient")
    if (make === undefined) throw new TypeError("an empty module")
    return { make }
  },
  catch: () =>
    new RpcReason.LedgerUnavailable({
      why: "a ledger on a PostgreSQL server needs Node and the package @effect/sql-pg",
      advice: "Install it with `npm install @effect/sql-pg`; in a browser use CreditLedger.layerMemory.",
      retryable: false,
    }),
})
