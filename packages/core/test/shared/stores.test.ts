/** SQLite files: as stores, and as a client of Effect. */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { afterAll } from "vitest"
import type { Options } from "@dotrpc/spec"
import { SharedSql, SqliteFile } from "../../src/index.ts"
import { storeLaws } from "./stores.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-shared-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, `${files++}`, "shared.sqlite")

storeLaws("a SQLite file", () => Layer.provide(SharedSql.layer(), SqliteFile.layer(newFile())))

describe("a SQLite file as a client of Effect", () => {
  it.effect("undoes a transaction that fails, and keeps every kind of value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE seen (id INTEGER PRIMARY KEY, value)`
      const values = ["a", 1.5, null, new Uint8Array([1, 2])]
      for (const [id, value] of values.entries()) yield* sql`INSERT INTO seen VALUES (${id}, ${value})`
      const insert = sql`INSERT INTO seen VALUES (9, ${true})`
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(insert, Effect.fail("no"))))
      const rows = yield* sql<{ readonly value: unknown }>`SELECT value FROM seen ORDER BY id`
      assert.deepStrictEqual(
        rows.map(({ value }) => value),
        values,
      )
      yield* sql.withTransaction(insert)
      assert.deepStrictEqual(yield* sql`SELECT value FROM seen WHERE id = 9`.values, [[1]])
      const twice = yield* Effect.flip(insert)
      assert.strictEqual(twice.reason._tag, "ConstraintError")
    }).pipe(Effect.provide(SqliteFile.layer(newFile()))),
  )

  it.effect("is its owner's alone, in a folder that is made", () =>
    Effect.gen(function* () {
      const file = newFile()
      yield* Layer.build(SqliteFile.layer(file))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    }).pipe(Effect.scoped),
  )

  const check = (name: string, path: string, expected: string) =>
    it.effect(`fails with ${expected} ${name}`, () =>
      Effect.gen(function* () {
        const error: SqlError.SqlError | Options.InvalidOptions = yield* Effect.flip(
          Layer.build(SqliteFile.layer(path)),
        )
        assert.strictEqual(error._tag, expected)
      }).pipe(Effect.scoped),
    )
  check("without a path", "", "InvalidOptions")
  check("where a folder is", folder, "SqlError")
})
