/** What a SQLite file is opened with. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteFile } from "../src/index.ts"

/** By SQLite's documentation of `PRAGMA synchronous`. */
const NORMAL = 1
const FULL = 2

const check = (name: string, options: Parameters<typeof SqliteFile.layer>[1], expected: number) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`PRAGMA synchronous`, [{ synchronous: expected }])
    }).pipe(Effect.provide(SqliteFile.layer(join(mkdtempSync(join(tmpdir(), "dotrpc-sqlite-")), "one.db"), options))),
  )
check("a durable file waits for the disk at each commit", { isDurable: true }, FULL)
check("any other one waits for it now and then", undefined, NORMAL)
