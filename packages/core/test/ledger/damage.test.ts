/** What becomes of a file that is not a whole ledger, and of a machine that cannot keep one. */
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, afterEach, vi } from "vitest"
import { CreditLedger } from "../../src/index.ts"
import { charge, noon } from "./laws.ts"

const root = mkdtempSync(join(tmpdir(), "dotrpc-ledger-"))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0
const newPath = () => join(root, `${folders++}`, "credits.sqlite")

/** Uses the file as one process would, and returns its warnings. */
const visit = <A, E>(
  path: string,
  use: (ledger: CreditLedger.CreditLedger["Service"]) => Effect.Effect<A, E>,
  window?: CreditLedger.Window,
) =>
  Effect.gen(function* () {
    const notices: Array<CreditLedger.SetAside> = []
    const onSetAside = (notice: CreditLedger.SetAside) => Effect.sync(() => void notices.push(notice))
    const value = yield* Effect.provide(
      Effect.flatMap(CreditLedger.CreditLedger, use),
      CreditLedger.layerFile(path, { daily: window === undefined ? 1_000 : 20_000, window, onSetAside }),
    )
    return { notices, value }
  })

const spend = (ledger: CreditLedger.CreditLedger["Service"]) =>
  Effect.flatMap(ledger.reserve(255), (reservation) => ledger.settle(reservation, 255, charge))
const read = (ledger: CreditLedger.CreditLedger["Service"]) => ledger.balance

const overwrite = (path: string, position: number, length: number) => {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, position, Math.min(bytes.length, position + length))
  writeFileSync(path, bytes)
}

const checkRestored = (name: string, damage: (path: string) => void, why: string) =>
  it.effect(`a file that ${name} is set aside and restored, and its owner is notified`, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const path = newPath()
      yield* visit(path, spend)
      damage(path)
      const bytes = existsSync(path) ? readFileSync(path) : undefined
      const { notices, value } = yield* visit(path, read)
      const asideAs = bytes === undefined ? undefined : `${path}.damaged-2026-11-21T12-00-00.000Z`
      const aside = asideAs === undefined ? "" : ` The damaged file was set aside as ${asideAs}.`
      const message = `The credit ledger ${path} cannot be read: ${why}. It was restored from its second copy, so all spent credits are still counted.${aside}`
      assert.deepStrictEqual(notices, [{ path, asideAs, why, message }])
      if (asideAs !== undefined) assert.deepStrictEqual(readFileSync(asideAs), bytes)
      assert.deepStrictEqual([value.spent, value.byMethod], [255, { test_get: 255 }])
      assert.deepStrictEqual((yield* visit(path, spend)).notices, [])
      assert.strictEqual((yield* visit(path, read)).value.spent, 510)
    }),
  )

for (const window of [{ kind: "month" }, { kind: "days", days: 30 }, { kind: "none" }] as const)
  it.effect(`a file is restored with all days of its window (${window.kind})`, () =>
    Effect.gen(function* () {
      const path = newPath()
      for (let day = 1; day <= 20; day++) {
        yield* TestClock.setTime(Date.UTC(2026, 10, day, 12))
        yield* visit(path, spend, window)
      }
      rmSync(path)
      const { notices, value } = yield* visit(path, read, window)
      assert.deepStrictEqual([notices.length, value.spent], [1, 20 * 255])
      // A copy that was written just before a process was killed changes what differs only.
      assert.deepStrictEqual((yield* visit(path, read, window)).notices, [])
    }),
  )

const damages: Readonly<Record<string, (file: string) => void>> = {
  "is empty": (file) => truncateSync(file, 0),
  "has no header": (file) => overwrite(file, 0, 100),
  "is a text": (file) => writeFileSync(file, "spent: 255\n".repeat(20)),
}

const noise = (file: string) =>
  writeFileSync(
    file,
    Uint8Array.from({ length: 2000 }, (_, index) => (index * 7919 + 13) % 251),
  )

/** Everything that is at the path, one file over another. */
const putBack = (path: string, files: ReadonlyMap<string, Uint8Array>) => {
  for (const [name, bytes] of files) writeFileSync(join(dirname(path), name), bytes)
}
const filesAt = (path: string): ReadonlyMap<string, Uint8Array> =>
  new Map(
    readdirSync(dirname(path), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(dirname(path), name))]),
  )

describe("damage", () => {
  checkRestored("is empty", (path) => truncateSync(path, 0), "it is empty")
  checkRestored("breaks off", (path) => truncateSync(path, 5_000), "its content is damaged")
  checkRestored("has no header", (path) => overwrite(path, 0, 100), "it is not a database")
  checkRestored("has lost a page", (path) => overwrite(path, 4_096, 4_096), "its content is damaged")
  checkRestored("is a text", (path) => writeFileSync(path, "spent: 255\n".repeat(20)), "it is not a database")
  checkRestored("is gone", (path) => rmSync(path), "it was deleted")
  checkRestored(
    "belongs to another program",
    (path) => {
      rmSync(path)
      const other = new DatabaseSync(path)
      other.exec("CREATE TABLE places (url TEXT)")
      other.close()
    },
    "it belongs to another program",
  )

  for (const [name, damage] of Object.entries(damages)) {
    it.effect(`of the second copy, when it ${name}, is mended from the file`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = newPath()
        yield* visit(path, spend)
        damage(`${path}.copy`)
        assert.strictEqual((yield* visit(path, read)).value.spent, 255)
        rmSync(path)
        assert.strictEqual((yield* visit(path, read)).value.spent, 255)
      }),
    )
    it.effect(`of both, when each ${name}, counts nothing until the user says what was spent`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = newPath()
        yield* visit(path, spend)
        damage(path)
        damage(`${path}.copy`)
        for (const attempt of [Effect.asVoid(visit(path, read)), Effect.asVoid(visit(path, spend))]) {
          const error = yield* Effect.flip(attempt)
          assert.strictEqual(error._tag, "LedgerUnavailable")
          assert.match(error.message, /cannot be read \(.*\), and its second copy .* is damaged too/)
          assert.match("advice" in error ? error.advice : "", /dotrpc credits set SPENT/)
        }
        yield* CreditLedger.setSpentInFile(path, 300)
        const { byMethod, spent } = (yield* visit(path, read)).value
        assert.deepStrictEqual([spent, byMethod], [300, { "set by hand": 300 }])
      }),
    )
  }

  for (const [name, damage] of Object.entries({ ...damages, "is noise": noise }))
    it.effect(`of the lock file, when it ${name}, is repaired and loses nothing`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = newPath()
        yield* visit(path, spend)
        damage(`${path}.guard`)
        const { notices, value } = yield* visit(path, read)
        assert.deepStrictEqual([value.spent, notices], [255, []])
        damage(`${path}.guard`)
        yield* CreditLedger.setSpentInFile(path, 300)
        assert.strictEqual((yield* visit(path, spend)).notices.length, 0)
        assert.strictEqual((yield* visit(path, read)).value.spent, 555)
      }),
    )

  for (const [name, damage] of Object.entries({
    "is a folder": (file: string) => mkdirSync(file),
    "is a link": (file: string) => symlinkSync("elsewhere", file),
  }))
    it.effect(`of the second copy, when it ${name}, is repaired by saying what was spent`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = newPath()
        yield* visit(path, spend)
        rmSync(`${path}.copy`)
        damage(`${path}.copy`)
        yield* CreditLedger.setSpentInFile(path, 300)
        assert.strictEqual((yield* visit(path, spend)).notices.length, 0)
        assert.strictEqual((yield* visit(path, read)).value.spent, 555)
      }),
    )

  it.effect("of the lock file does not let two processes in at once", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* visit(path, spend)
      const other = new DatabaseSync(`${path}.guard`)
      other.exec("BEGIN IMMEDIATE")
      // By another process: closing a file in this one would give up its lock.
      const damage = "fs.writeFileSync(process.argv[1], 'no lock'.repeat(100))"
      spawnSync(process.execPath, ["-e", damage, `${path}.guard`])
      const worker = join(import.meta.dirname, "worker.ts")
      const args = ["--conditions=dotrpc-source", worker, path, "1000", "1"]
      const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
      other.close()
      assert.include(stderr, "another process has locked")
      assert.deepStrictEqual([status, stdout], [1, ""])
      assert.strictEqual((yield* visit(path, spend)).notices.length, 0)
    }),
  )

  it.effect("of the lock file that cannot be repaired names that file", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* visit(path, spend)
      rmSync(`${path}.guard`)
      mkdirSync(`${path}.guard`)
      for (const attempt of [Effect.asVoid(visit(path, read)), CreditLedger.setSpentInFile(path, 300)]) {
        const error = yield* Effect.flip(attempt)
        assert.include(error.message, `the lock file ${path}.guard of the credit ledger cannot be used`)
      }
    }),
  )

  it.effect("of a file whose second copy is gone as well is not taken for a first start", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* visit(path, spend)
      rmSync(`${path}.copy`)
      truncateSync(path, 0)
      assert.match((yield* Effect.flip(visit(path, read))).message, /is empty.* does not exist/)
    }),
  )

  it.effect("of a value in the file, which SQLite does not see, is restored", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const path = newPath()
      yield* visit(path, spend)
      const other = new DatabaseSync(path)
      other.exec("UPDATE charges SET credits = 1")
      other.close()
      const { notices, value } = yield* visit(path, read)
      assert.strictEqual(value.spent, 255)
      assert.match(notices[0]?.message ?? "", /differed from its second copy and was restored/)
    }),
  )

  for (const part of ["", ".copy"])
    it.effect(`by an older state of credits.sqlite${part} does not bring back what was spent since`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = newPath()
        yield* visit(path, spend)
        const older = new Map([...filesAt(path)].filter(([name]) => name === `${basename(path)}${part}`))
        yield* visit(path, spend)
        putBack(path, older)
        assert.strictEqual((yield* visit(path, read)).value.spent, 510)
      }),
    )

  it.effect("twice in the same moment gives two names", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const path = newPath()
      yield* visit(path, spend)
      for (let count = 0; count < 2; count++) {
        writeFileSync(path, "no ledger")
        yield* visit(path, read)
      }
      const aside = readdirSync(dirname(path)).filter((name) => name.includes(".damaged-"))
      assert.strictEqual(aside.length, 2)
    }),
  )

  const whileInUse: Readonly<Record<string, (path: string) => void>> = {
    "is overwritten": (path) => overwrite(path, 0, Number.POSITIVE_INFINITY),
    "is deleted": (path) => rmSync(path),
    "is moved away": (path) => renameSync(path, `${path}.moved`),
    "loses its log": (path) => rmSync(`${path}-wal`),
    "loses its second copy": (path) => rmSync(`${path}.copy`),
    "loses its lock": (path) => rmSync(`${path}.guard`),
    "is replaced by another": (path) => {
      rmSync(path)
      writeFileSync(path, "no ledger")
    },
  }
  for (const [name, damage] of Object.entries(whileInUse))
    it.effect(`of a file that ${name} while it is in use costs no call, and every process counts the same`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const path = newPath()
        yield* visit(path, (first) =>
          Effect.gen(function* () {
            yield* spend(first)
            yield* visit(path, (second) =>
              Effect.gen(function* () {
                yield* first.balance
                yield* second.balance
                damage(path)
                // Far above what was paid ahead, so the file has to be asked.
                yield* second.settle(yield* second.reserve(300), 300, charge)
                yield* first.settle(yield* first.reserve(400), 400, charge)
                for (const ledger of [first, second]) {
                  const error = yield* Effect.flip(ledger.reserve(46))
                  assert.propertyVal(error, "_tag", "LedgerFull")
                }
              }),
            )
          }),
        )
        assert.strictEqual((yield* visit(path, read)).value.spent, 955)
      }),
    )

  it.effect("of a file that is moved away and comes back counts what was spent meanwhile in another one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const path = newPath()
      const move = (from: string, to: string) => {
        for (const end of ["", "-wal", "-shm"]) renameSync(`${from}${end}`, `${to}${end}`)
      }
      yield* visit(path, (first) =>
        Effect.gen(function* () {
          yield* spend(first)
          yield* first.balance
          move(path, `${path}.away`)
          yield* visit(path, (second) =>
            Effect.flatMap(second.reserve(400), (part) => second.settle(part, 400, charge)),
          )
          move(`${path}.away`, path)
          // Far above what was paid ahead, so the file has to be asked.
          const error = yield* Effect.flip(first.reserve(400))
          assert.propertyVal(error, "_tag", "LedgerFull")
        }),
      )
      assert.strictEqual((yield* visit(path, read)).value.spent, 655)
    }),
  )
})

it.effect("the file and its folder are for their owner alone, while it is in use too", () =>
  Effect.gen(function* () {
    const path = join(root, "private", "dotrpc", "credits.sqlite")
    const { value: modes } = yield* visit(path, (ledger) =>
      Effect.map(spend(ledger), () =>
        Object.fromEntries(
          readdirSync(dirname(path)).map((name) => [name, statSync(join(dirname(path), name)).mode & 0o777]),
        ),
      ),
    )
    const file = basename(path)
    const names = [file, `${file}.copy`, `${file}.guard`, `${file}-shm`, `${file}-wal`]
    const expected = names.map((name) => [name, 0o600] as const)
    assert.deepStrictEqual(modes, Object.fromEntries([...expected, [`${file}.used`, 0o700]]))
    assert.strictEqual(statSync(dirname(path)).mode & 0o777, 0o700)
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
    /credits\.sqlite is not a file/,
    /the path of a file/,
  )
  checkUnavailable(
    "where no folder can be made",
    () => join("/proc", "dotrpc", "nested", "credits.sqlite"),
    /cannot be opened|no such file or directory|read-only file system/i,
    /folder/,
  )
  checkUnavailable(
    "under a file",
    () => {
      const path = newPath()
      mkdirSync(dirname(path))
      writeFileSync(path, "a file")
      return join(path, "credits.sqlite")
    },
    /cannot be used/,
    /Check that the folder exists/,
  )
  checkUnavailable(
    "by an older version of this program",
    () => {
      const path = newPath()
      mkdirSync(dirname(path))
      const newer = new DatabaseSync(path)
      newer.exec(`CREATE TABLE charges (day); PRAGMA application_id = ${0x64525043}; PRAGMA user_version = 4`)
      newer.close()
      return path
    },
    /written by a newer version of dotrpc/,
    /Update dotrpc/,
  )
  checkUnavailable(
    "before Node 22.13",
    () => {
      vi.stubGlobal("process", { versions: { node: "20.20.2" }, getBuiltinModule: () => undefined })
      return newPath()
    },
    /needs Node 22\.13 or newer, and this is Node 20\.20\.2/,
    /Update Node, or set "ledger" to "memory"/,
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

it.effect("a process that keeps the file locked is reported, and nothing is spent meanwhile", () =>
  Effect.gen(function* () {
    const path = newPath()
    yield* visit(path, spend)
    const other = new DatabaseSync(path)
    other.exec("BEGIN IMMEDIATE")
    const error = yield* Effect.flip(visit(path, (ledger) => ledger.reserve(80)))
    other.close()
    assert.include(error.message, "another process has locked")
    assert.propertyVal(error, "retryable", true)
    yield* visit(path, spend)
    assert.strictEqual((yield* visit(path, read)).value.spent, 510)
  }),
)

const checkPlace = (machine: CreditLedger.Machine, expected: string) =>
  it(`a user of ${machine.platform} with ${JSON.stringify(machine.env)} has it at ${expected}`, () => {
    assert.strictEqual(CreditLedger.defaultFile(machine), expected)
  })

describe("the place of a user's ledger", () => {
  const linux = { platform: "linux", home: "/home/ada", env: {} }
  const windows = { platform: "win32", home: "C:\\Users\\ada", env: {} }
  checkPlace(linux, "/home/ada/.local/share/dotrpc/credits.sqlite")
  checkPlace({ ...linux, env: { XDG_DATA_HOME: "/data" } }, "/data/dotrpc/credits.sqlite")
  checkPlace({ ...linux, env: { XDG_DATA_HOME: "not/absolute" } }, "/home/ada/.local/share/dotrpc/credits.sqlite")
  checkPlace({ ...linux, env: { XDG_DATA_HOME: "" } }, "/home/ada/.local/share/dotrpc/credits.sqlite")
  checkPlace(
    { platform: "darwin", home: "/Users/ada", env: {} },
    "/Users/ada/Library/Application Support/dotrpc/credits.sqlite",
  )
  checkPlace(windows, "C:\\Users\\ada\\AppData\\Local\\dotrpc\\credits.sqlite")
  checkPlace({ ...windows, env: { LOCALAPPDATA: "D:\\Local" } }, "D:\\Local\\dotrpc\\credits.sqlite")
  checkPlace({ ...windows, env: { XDG_DATA_HOME: "E:\\xdg" } }, "E:\\xdg\\dotrpc\\credits.sqlite")
})

describe("a folder of the user's own", () => {
  it.effect("keeps files and folders whose names begin like the ledger's", () =>
    Effect.gen(function* () {
      const path = newPath()
      mkdirSync(dirname(path), { recursive: true })
      const name = basename(path)
      const files = [`${name}.tmp`, `${name}-export.tmp.json`, `${name}base.tmp`, `${name}.notes.tmp`]
      for (const file of files) writeFileSync(join(dirname(path), file), "mine")
      mkdirSync(join(dirname(path), `${name}.tmp-folder`))
      const killed = `${name}.0b1c2d3e-0b1c-4b1c-8b1c-0b1c2d3e4f5a.tmp`
      for (const left of [killed, `${killed}-wal`]) writeFileSync(join(dirname(path), left), "left")
      yield* visit(path, spend)
      const kept = readdirSync(dirname(path))
      for (const file of [...files, `${name}.tmp-folder`]) assert.include(kept, file)
      for (const left of [killed, `${killed}-wal`]) assert.notInclude(kept, left)
    }),
  )
})

describe("more networks than the second copy has room for", () => {
  it.effect("are counted all the same, and a lost file is restored with all that was spent", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const path = newPath()
      const networks = Array.from({ length: 300 }, (_, index) => `${index}`.padStart(960, "n"))
      yield* visit(path, (ledger) =>
        Effect.forEach(
          networks,
          (network) =>
            Effect.flatMap(ledger.reserve(1), (reservation) => ledger.settle(reservation, 1, { ...charge, network })),
          { discard: true },
        ),
      )
      assert.strictEqual((yield* visit(path, spend)).notices.length, 0)
      assert.strictEqual((yield* visit(path, read)).value.spent, 555)
      rmSync(path)
      const { notices, value } = yield* visit(path, read)
      assert.deepStrictEqual([value.spent, notices.length], [555, 1])
      assert.deepStrictEqual((yield* visit(path, spend)).notices, [])
      assert.strictEqual((yield* visit(path, read)).value.spent, 810)
    }),
  )
})
