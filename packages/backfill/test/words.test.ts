/** What a user reads of a store that does not answer, and how often. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteFile } from "@dotrpc/core"
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { isLasting, makeNews, storeWords } from "../src/words.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-store-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Of a file that has room for three pages. */
const saidOf = (statement: string): Promise<string> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE IF NOT EXISTS some (x)`
    yield* sql`PRAGMA max_page_count = 3`
    return storeWords(yield* Effect.flip(sql.unsafe(statement)))
  }).pipe(Effect.provide(SqliteFile.layer(join(folder, "store.sqlite"))), Effect.mapError(String), Effect.runPromise)

describe("a store that does not answer", () => {
  const check = (what: string, statement: string, expected: string) =>
    it(what, async () => expect(await saidOf(statement)).toBe(expected))
  check(
    "says that the disk is full",
    "INSERT INTO some VALUES (zeroblob(1000000))",
    "the store cannot be written (database or disk is full): make room on its disk, then resume",
  )
  check("does not quote what it was given", "SELECT secret FROM nowhere", "the store does not answer (SQL logic error)")

  it("answers again after its disk was full in a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE IF NOT EXISTS some (x)`
      yield* sql`PRAGMA max_page_count = 3`
      const fill = sql`INSERT INTO some VALUES (zeroblob(1000000))`
      expect(isLasting(yield* Effect.flip(sql.withTransaction(fill)))).toBe(true)
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    }).pipe(Effect.provide(SqliteFile.layer(join(folder, "transactions.sqlite"))), Effect.runPromise))

  const ofPostgres = (code: string) =>
    new SqlError.SqlError({
      reason: SqlError.classifySqliteError(
        Object.assign(new Error('could not extend file "/var/lib/secret"'), { code }),
        { message: "secret", operation: "execute" },
      ),
    })
  it("says so of PostgreSQL, without the path", () => {
    expect(storeWords(ofPostgres("53100"))).toBe(
      "the store cannot be written (its disk is full): make room on its disk, then resume",
    )
    expect(storeWords(ofPostgres("57P01"))).toBe("the store does not answer (UnknownError)")
  })
})

describe("what a worker says while its store is away", () => {
  const check = (
    what: string,
    troubles: ReadonlyArray<string | undefined>,
    expected: ReadonlyArray<string | undefined>,
  ) => it(what, () => expect(troubles.map(makeNews("it is back"))).toEqual(expected))

  check("is nothing where nothing is wrong", [undefined, undefined], [undefined, undefined])
  check("is said once", ["away", "away", "away"], ["away", undefined, undefined])
  check("is said again where it is another trouble", ["away", "full", "away"], ["away", "full", "away"])
  check(
    "says that it is over, and begins again",
    ["away", "away", undefined, undefined, "away"],
    ["away", undefined, "it is back", undefined, "away"],
  )
})
