/** A file that an earlier version wrote, or that was made for another window: it is taken over, and nothing is lost. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll } from "vitest"
import { CreditLedger } from "../../src/index.ts"
import { charge, noon } from "./laws.ts"

const root = mkdtempSync(join(tmpdir(), "dotrpc-ledger-"))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0
const newPath = () => join(root, `${folders++}`, "credits.sqlite")

const dayMillis = 86_400_000
const today = Math.floor(noon / dayMillis)

/** Days ago, and what was charged then. */
const charged: ReadonlyArray<readonly [ago: number, credits: number]> = [
  [0, 100.5],
  [1, 20],
  [19, 7],
  [40, 5],
  [390, 3],
]

/** What a process had reserved yesterday that never came back. */
const left = 40

const tables = {
  1: "",
  2: "CREATE TABLE steps (taken INTEGER NOT NULL) STRICT; INSERT INTO steps VALUES (9);",
  3: `CREATE TABLE steps (taken INTEGER NOT NULL) STRICT; INSERT INTO steps VALUES (9);
    CREATE TABLE clock (
      only INTEGER NOT NULL PRIMARY KEY, time REAL NOT NULL, wall REAL NOT NULL, uptime REAL NOT NULL, boot TEXT NOT NULL,
      ahead REAL, since REAL
    ) STRICT;`,
}

/** The file as that version made it, without the second copy, which the first had not. */
const writeFile = (version: keyof typeof tables): string => {
  const path = newPath()
  mkdirSync(dirname(path))
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE charges (
      day INTEGER NOT NULL, network TEXT NOT NULL, method TEXT NOT NULL, credits REAL NOT NULL,
      PRIMARY KEY (day, network, method)
    ) WITHOUT ROWID, STRICT;
    CREATE TABLE leases (
      owner TEXT NOT NULL PRIMARY KEY, credits REAL NOT NULL, until INTEGER NOT NULL, number INTEGER NOT NULL
    ) WITHOUT ROWID, STRICT;
    ${tables[version]}
    PRAGMA application_id = ${0x64525043};
    PRAGMA user_version = ${version};
    PRAGMA journal_mode = WAL;
  `)
  const add = database.prepare("INSERT INTO charges VALUES (?, 'local', 'test_get', ?)")
  for (const [ago, credits] of charged) add.run(today - ago, credits)
  database.prepare("INSERT INTO leases VALUES ('gone', ?, ?, 1)").run(left, today * dayMillis - 3_600_000)
  database.close()
  return path
}

const spent = (path: string, window: CreditLedger.Window, spend = 0) =>
  Effect.gen(function* () {
    const ledger = yield* CreditLedger.CreditLedger
    if (spend > 0) yield* ledger.settle(yield* ledger.reserve(spend), spend, charge)
    return (yield* ledger.balance).spent
  }).pipe(Effect.provide(CreditLedger.layerFile(path, { daily: 20_000, window })))

const day = 100.5
const days = day + 20 + left + 7
const all = days + 5 + 3

const windows: ReadonlyArray<readonly [window: CreditLedger.Window, expected: number]> = [
  [{ kind: "day" }, day],
  [{ kind: "days", days: 30 }, days],
  [{ kind: "month" }, days],
  [{ kind: "none" }, all],
]

for (const version of [1, 2, 3] as const)
  for (const [window, expected] of windows)
    it.effect(`a file of version ${version} is counted by the ${window.kind} window`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = writeFile(version)
        assert.strictEqual(yield* spent(path, window, 1), expected + 1)
        assert.strictEqual(yield* spent(path, window), expected + 1)
      }),
    )

it.effect("a file that was made for a window counts by any other, and loses nothing on the way", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(noon)
    const path = writeFile(3)
    for (const [window, expected] of [...windows, ...windows.toReversed()])
      assert.strictEqual(yield* spent(path, window), expected)
  }),
)
