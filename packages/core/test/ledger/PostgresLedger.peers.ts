import { rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import { type PostgresServer, startPostgres } from "@dotrpc/postgres"
import { CreditLedger, PostgresLedger, SqliteFile } from "../../src/index.ts"
import { charge, type Ledger } from "./laws.ts"
import { enter } from "./sharedLaws.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const urlOf = ({ port }: PostgresServer, user = "postgres") => `postgres://${user}@127.0.0.1:${port}/postgres`

/** A client of Effect for the same database. */
const client = () => PgClient.layer({ url: Redacted.make(server.url) })

describe("a ledger over a client that a program has", () => {
  const test = <E>(name: string, body: (sql: SqlClient.SqlClient, ledger: Ledger) => Effect.Effect<void, E>) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const layer = Layer.provideMerge(PostgresLedger.layerSql({ name: `over ${name}`, daily: 10_000 }), client())
        yield* Effect.provide(
          Effect.gen(function* () {
            yield* body(yield* SqlClient.SqlClient, yield* CreditLedger.CreditLedger)
          }),
          layer,
        )
      }),
    )

  test("counts what was charged in a transaction that is rolled back", (sql, ledger) =>
    Effect.gen(function* () {
      const call = Effect.flatMap(ledger.reserve(80), (reservation) => ledger.settle(reservation, 80, charge))
      const undone = sql.withTransaction(Effect.andThen(call, Effect.fail("undone")))
      assert.strictEqual(yield* Effect.flip(undone), "undone")
      const { reserved, spent } = yield* ledger.balance
      assert.deepStrictEqual([spent, reserved > 80], [80, false])
    }))

  test("writes charges down for good where the server need not", (sql, ledger) =>
    Effect.gen(function* () {
      yield* ledger.release(yield* ledger.reserve(80))
      yield* sql`ALTER ROLE postgres SET synchronous_commit = off`
      yield* sql`CREATE TABLE seen (value TEXT)`
      yield* sql`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO seen VALUES (current_setting(''synchronous_commit'')); RETURN NEW; END'`
      yield* sql`CREATE TRIGGER note BEFORE UPDATE ON dotrpc_ledger FOR EACH ROW EXECUTE FUNCTION note()`
      yield* Effect.scoped(
        Effect.flatMap(enter(PostgresLedger.layer({ url: server.url, name: "for good" })), (other) =>
          other.reserve(80),
        ),
      )
      yield* sql`DROP TRIGGER note ON dotrpc_ledger`
      yield* sql`ALTER ROLE postgres RESET synchronous_commit`
      const rows = yield* sql<{ readonly value: string }>`SELECT DISTINCT value FROM seen`
      assert.deepStrictEqual(rows, [{ value: "on" }])
    }))
})

it.effect("a ledger is not offered over a client of SQLite", () =>
  Effect.gen(function* () {
    const sqlite = SqliteFile.layer(join(tmpdir(), `dotrpc-${process.pid}.sqlite`))
    const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.provide(PostgresLedger.layerSql(), sqlite))))
    rmSync(join(tmpdir(), `dotrpc-${process.pid}.sqlite`), { force: true })
    assert.include(error.message, "On SQLite use CreditLedger.layerFile")
  }),
)

/** Runs one reservation and tells what was said. */
const refusal = (url: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const ledger = yield* enter(PostgresLedger.layer({ url: Redacted.make(url) }))
      const error = yield* Effect.flip(ledger.reserve(80))
      return error._tag === "LedgerUnavailable" ? error : assert.fail(error._tag)
    }),
  )

describe("a server that cannot be used", () => {
  it.live("is named by its host, without the password", () =>
    Effect.gen(function* () {
      const error = yield* refusal("postgres://ada:c4n4ry-0f-th1s@127.0.0.1:9/team")
      assert.strictEqual(
        error.message,
        "the credit ledger cannot be used: the PostgreSQL server at 127.0.0.1:9 cannot be reached (connect ECONNREFUSED 127.0.0.1:9). Nothing was sent.",
      )
      assert.propertyVal(error, "retryable", true)
    }),
  )

  it.live("because it does not know the user is not asked again and again", () =>
    Effect.gen(function* () {
      const error = yield* refusal(urlOf(server, "ada"))
      assert.include(error.message, 'refused (role "ada" does not exist)')
      assert.propertyVal(error, "retryable", false)
    }),
  )

  it.live("because it says nothing keeps nobody waiting for those before him in line", () =>
    Effect.gen(function* () {
      const silent = createServer((socket) => void socket.on("error", () => socket.destroy()))
      yield* Effect.callback<void>((resume) => void silent.listen(0, "127.0.0.1", () => resume(Effect.void)))
      yield* Effect.addFinalizer(() => Effect.sync(() => void silent.close()))
      const { port } = silent.address() as AddressInfo
      const ledger = yield* enter(PostgresLedger.layer({ url: `postgres://127.0.0.1:${port}` }))
      const errors = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.flip(ledger.reserve(80))),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual([...new Set(errors.map(({ _tag }) => _tag))], ["LedgerUnavailable"])
      assert.match(String(errors[0]?.message), /the PostgreSQL server at 127\.0\.0\.1:\d+ cannot be reached/)
    }).pipe(Effect.scoped),
  )

  it.live("for a while fails calls for that while, and no charge is lost or counted twice", () =>
    Effect.gen(function* () {
      const own = yield* Effect.acquireRelease(
        Effect.promise(() => startPostgres()),
        ({ stop }) => Effect.promise(stop),
      )
      const layer = PostgresLedger.layer({ url: urlOf(own), daily: 1_000_000, ahead: 0 })
      const ledger = yield* enter(layer)
      const again = Schedule.spaced("20 millis")
      const call = Effect.gen(function* () {
        const reservation = yield* Effect.retry(ledger.reserve(80), again)
        yield* ledger.settle(reservation, 80, charge)
      })
      for (let outage = 0; outage < 3; outage++) {
        const calls = Effect.forEach(Array.from({ length: 300 }), () => call, { concurrency: 4, discard: true })
        const working = yield* Effect.forkScoped(calls)
        yield* Effect.sleep(`${5 + 40 * outage} millis`)
        yield* Effect.promise(own.crash)
        assert.strictEqual((yield* Effect.flip(ledger.balance))._tag, "LedgerUnavailable")
        yield* Effect.promise(own.start)
        yield* Fiber.join(working)
      }
      yield* Effect.retry(ledger.balance, again)
      const { reserved, spent } = yield* ledger.balance
      assert.deepStrictEqual([spent, reserved > 80], [3 * 300 * 80, false])
      const other = yield* (yield* enter(layer)).balance
      assert.isAtLeast(other.spent + other.reserved, 3 * 300 * 80)
    }).pipe(Effect.scoped),
  )
})
