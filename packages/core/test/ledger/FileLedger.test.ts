/** The file of a ledger: its lock, what else lies beside it, and a machine that cannot keep one. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, afterEach, vi } from "vitest"
import { CreditLedger } from "../../src/index.ts"
import { makeFileCell } from "../../src/ledger/fileCell.ts"
import { charge } from "./laws.ts"

const root = mkdtempSync(join(tmpdir(), "dotrpc-ledger-"))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0
const newPath = () => join(root, `${folders++}`, "credits.json")

/** Uses the file as one process would. */
const visit = <A, E>(path: string, use: (ledger: CreditLedger.CreditLedger["Service"]) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(CreditLedger.CreditLedger, use), CreditLedger.layerFile(path, { daily: 1_000 }))
const spend = (ledger: CreditLedger.CreditLedger["Service"]) =>
  Effect.flatMap(ledger.reserve(255), (reservation) => ledger.settle(reservation, 255, charge))
const read = (ledger: CreditLedger.CreditLedger["Service"]) => ledger.balance

describe("the lock", () => {
  const cellAt = (path: string) => makeFileCell(path, { kind: "day" })
  const append = (path: string, letter: string) =>
    cellAt(path).update(({ text = "" }) => ({ text: `${text}${letter}`, answer: undefined }))
  /** What the owner of a lock that is held would see: the folder, and its draft in it. */
  const leaveLock = (path: string, pid: number, ageMillis: number) => {
    const draft = join(`${path}.lock`, `${pid}-${crypto.randomUUID()}`)
    mkdirSync(dirname(draft), { recursive: true })
    writeFileSync(draft, "half of a te")
    const since = (Date.now() - ageMillis) / 1_000
    utimesSync(draft, since, since)
  }
  // No process has it: the kernel gives smaller ids.
  const dead = 2 ** 30

  it.effect("is empty after each change", () =>
    Effect.gen(function* () {
      const path = newPath()
      for (const letter of "abc") yield* append(path, letter)
      assert.deepStrictEqual([readFileSync(path, "utf8"), readdirSync(`${path}.lock`)], ["abc", []])
    }),
  )

  it.effect("of a process that is dead is taken over, and so is one that is old, whatever the clock says", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* append(path, "a")
      for (const [pid, age] of [
        [dead, 1_000],
        [process.pid, 60_000],
        [process.pid, -60_000],
      ] as const) {
        leaveLock(path, pid, age)
        yield* append(path, "b")
      }
      assert.strictEqual(readFileSync(path, "utf8"), "abbb")
    }),
  )

  it.effect("that was taken over lets its owner change nothing that it has not seen", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* append(path, "a")
      const seen: Array<string | undefined> = []
      yield* cellAt(path).update(({ text }) => {
        seen.push(text)
        // Others come between its look and its lock, and then take over that lock, as if it had been stopped there.
        if (seen.length === 1) Effect.runSync(append(path, "b"))
        if (seen.length === 2) {
          rmSync(`${path}.lock`, { recursive: true })
          Effect.runSync(append(path, "c"))
        }
        return { text: `${text ?? ""}d`, answer: undefined }
      })
      assert.deepStrictEqual(seen, ["a", "ab", "abc"])
      assert.strictEqual(readFileSync(path, "utf8"), "abcd")
    }),
  )

  it.effect("of a process that is at work is waited for, and one that keeps it is reported", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* append(path, "a")
      const holds = setInterval(() => leaveLock(path, process.pid, 0), 500)
      leaveLock(path, process.pid, 0)
      const error = yield* Effect.flip(append(path, "b"))
      clearInterval(holds)
      assert.include(error.message, "another process has locked")
      assert.propertyVal(error, "retryable", true)
      rmSync(`${path}.lock`, { recursive: true })
      yield* append(path, "c")
      assert.strictEqual(readFileSync(path, "utf8"), "ac")
    }),
  )

  it.effect("needs nobody who only looks", () =>
    Effect.gen(function* () {
      const path = newPath()
      assert.strictEqual((yield* visit(path, read)).spent, 0)
      assert.isFalse(existsSync(dirname(path)))
      yield* visit(path, spend)
      leaveLock(path, process.pid, 0)
      assert.strictEqual((yield* Effect.scoped(visit(path, read))).spent, 255)
    }),
  )
})

describe("the file", () => {
  it.effect("and its folder are for their owner alone", () =>
    Effect.gen(function* () {
      const path = join(root, "private", "dotrpc", "credits.json")
      yield* visit(path, spend)
      const modeOf = (place: string) => statSync(place).mode & 0o777
      assert.deepStrictEqual([modeOf(path), modeOf(dirname(path)), modeOf(`${path}.lock`)], [0o600, 0o700, 0o700])
    }),
  )

  it.effect("that is deleted begins a new balance", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* visit(path, spend)
      rmSync(path)
      assert.strictEqual((yield* visit(path, read)).spent, 0)
    }),
  )

  it.effect("of today that an earlier version has left beside it is not forgotten, and one of another day is", () =>
    Effect.gen(function* () {
      const path = newPath()
      const earlier = path.replace(".json", ".sqlite")
      mkdirSync(dirname(path))
      writeFileSync(earlier, "SQLite format 3")
      assert.match((yield* Effect.flip(visit(path, spend))).message, /of an earlier version, so nobody knows/)
      utimesSync(earlier, Date.now() / 1_000 - 86_400, Date.now() / 1_000 - 86_400)
      assert.strictEqual((yield* visit(path, read)).spent, 0)
      utimesSync(earlier, Date.now() / 1_000, Date.now() / 1_000)
      yield* CreditLedger.setSpentInFile(path, 300)
      assert.strictEqual((yield* visit(path, read)).spent, 300)
    }),
  )
})

it.effect("a balance that is set by hand keeps who spent before", () =>
  Effect.gen(function* () {
    const path = newPath()
    const ledger = CreditLedger.layerFile(path, { by: "dotrpc run" })
    const spends = (ledger: CreditLedger.CreditLedger["Service"]) =>
      Effect.flatMap(ledger.reserve(80), (reserved) =>
        ledger.settle(reserved, 80, { method: "a", network: "b", file: "a.rpc" }),
      )
    yield* Effect.flatMap(CreditLedger.CreditLedger, spends).pipe(Effect.provide(ledger))
    yield* CreditLedger.setSpentInFile(path, 300)
    const { spent, uses = [] } = yield* visit(path, read)
    assert.deepStrictEqual(
      [spent, uses.map(({ by, credits, file }) => [by, file, credits])],
      [300, [["dotrpc run", "a.rpc", 80]]],
    )
  }),
)

const checkUnavailable = (name: string, prepare: () => string, said: RegExp, advice: RegExp) =>
  it.effect(`a ledger cannot be used ${name}`, () =>
    Effect.gen(function* () {
      const path = prepare()
      const error = yield* Effect.flip(visit(path, (ledger) => ledger.reserve(80)))
      assert.strictEqual(error._tag, "LedgerUnavailable")
      assert.match(error.message, said)
      assert.match("advice" in error ? error.advice : "", advice)
    }),
  )

describe("a clear error", () => {
  afterEach(() => void vi.unstubAllGlobals())

  checkUnavailable(
    "where a folder is in its place",
    () => {
      const path = newPath()
      mkdirSync(path, { recursive: true })
      return path
    },
    /credits\.json is not a file/,
    /the path of a file/,
  )
  checkUnavailable(
    "where no folder can be made",
    () => join("/proc", "dotrpc", "nested", "credits.json"),
    /no such file or directory|read-only file system/i,
    /folder/,
  )
  checkUnavailable(
    "under a file",
    () => {
      const path = newPath()
      mkdirSync(dirname(path))
      writeFileSync(path, "a file")
      return join(path, "credits.json")
    },
    /cannot be used/,
    /Check that the folder exists/,
  )
  checkUnavailable(
    "in a browser",
    () => {
      vi.stubGlobal("process", undefined)
      return newPath()
    },
    /needs Node, and this is not Node/,
    /layerMemory/,
  )
})

const checkPlace = (machine: CreditLedger.Machine, expected: string) =>
  it(`a user of ${machine.platform} with ${JSON.stringify(machine.env)} has it at ${expected}`, () => {
    assert.strictEqual(CreditLedger.defaultFile(machine), expected)
  })

describe("the place of a user's ledger", () => {
  const linux = { platform: "linux", home: "/home/ada", env: {} }
  const windows = { platform: "win32", home: "C:\\Users\\ada", env: {} }
  checkPlace(linux, "/home/ada/.local/share/dotrpc/credits.json")
  checkPlace({ ...linux, env: { XDG_DATA_HOME: "/data" } }, "/data/dotrpc/credits.json")
  checkPlace({ ...linux, env: { XDG_DATA_HOME: "not/absolute" } }, "/home/ada/.local/share/dotrpc/credits.json")
  checkPlace({ ...linux, env: { XDG_DATA_HOME: "" } }, "/home/ada/.local/share/dotrpc/credits.json")
  checkPlace(
    { platform: "darwin", home: "/Users/ada", env: {} },
    "/Users/ada/Library/Application Support/dotrpc/credits.json",
  )
  checkPlace(windows, "C:\\Users\\ada\\AppData\\Local\\dotrpc\\credits.json")
  checkPlace({ ...windows, env: { LOCALAPPDATA: "D:\\Local" } }, "D:\\Local\\dotrpc\\credits.json")
  checkPlace({ ...windows, env: { XDG_DATA_HOME: "E:\\xdg" } }, "E:\\xdg\\dotrpc\\credits.json")
})
