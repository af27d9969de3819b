import { runs } from "@dotrpc/vitest/depth"
import { execFile } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Result, Scope } from "effect"
import fc from "fast-check"
import { type Balances, memoryBalances } from "../../src/index.ts"
import { fileBalances } from "../../src/server/Server.ts"
import { accountName } from "../../src/server/sharedBalances.ts"
import { noon } from "../gatewayRequests.ts"
import { wrongClockLaw } from "../wrongClocks.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-balances-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, `balances ${files++}.sqlite`)

/** Opens a file as another gateway would, for the time of a test. */
const withBalances = async <A>(path: string, count: number, test: (open: ReadonlyArray<Balances>) => Promise<A>) => {
  const scope = Scope.makeUnsafe()
  const open = await Effect.runPromise(
    Scope.provide(Effect.all(Array.from({ length: count }, () => fileBalances({ path }))), scope),
  )
  try {
    return await test(open)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Two gateways on one file, which is emptied whenever they are asked for. */
const withEmptied = (test: (emptied: () => ReadonlyArray<Balances>) => Promise<void>) => {
  const path = newFile()
  return withBalances(path, 2, async (open) => {
    const database = new DatabaseSync(path)
    try {
      await test(() => {
        database.exec("DELETE FROM charges; DELETE FROM seconds; DELETE FROM clock")
        return open
      })
    } finally {
      database.close()
    }
  })
}

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
const daily = { daily: 1_000 }
const getLogs = { method: "eth_getLogs", credits: 255 }

describe("balances in a file", () => {
  const day = 86_400_000
  const charge = fc.record({ method: fc.constantFrom("eth_getLogs", "eth_chainId"), credits: fc.nat(300) })
  const step = fc.oneof(
    fc.record({ do: fc.constant("admit" as const), charges: fc.array(charge, { minLength: 1, maxLength: 3 }) }),
    fc.record({ do: fc.constant("refund" as const), part: fc.nat(100) }),
    fc.record({ do: fc.constant("wait" as const), millis: fc.constantFrom(1, 400, 1_000, day / 2, day, -day) }),
  )
  const limits = fc.record({ daily: fc.nat(2_000), perSecond: fc.nat(500) }, { requiredKeys: ["daily"] })
  type Steps = ReadonlyArray<typeof step extends fc.Arbitrary<infer Step> ? Step : never>

  /** Everything that balances say while the steps are taken, each by the next of them. */
  const saidBy = async (
    balances: ReadonlyArray<Balances>,
    key: string,
    steps: Steps,
    given: { daily: number; perSecond?: number },
  ) => {
    const said: Array<unknown> = []
    let now = noon
    let last = { method: "eth_getLogs", credits: 0, day: 0 }
    for (const [index, taken] of steps.entries()) {
      const chosen = balances[index % balances.length] ?? memoryBalances()
      if (taken.do === "wait") now += taken.millis
      else if (taken.do === "admit") {
        const admission = await run(chosen.admit(key, taken.charges, given, now))
        said.push(admission)
        const [first] = taken.charges
        if (admission.admitted && first !== undefined) last = { ...first, day: admission.day }
      } else {
        const credits = Math.min(taken.part, last.credits)
        said.push(await run(chosen.refund(key, { method: last.method, credits }, last.day, now)))
        last = { ...last, credits: last.credits - credits }
      }
      said.push(await run(chosen.balance(key, now)))
    }
    return said
  }

  it("do what balances in memory do, whichever of two gateways is asked", () =>
    withEmptied((emptied) =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), limits, async (steps, given) => {
          const said = await saidBy(emptied(), "key", steps, given)
          expect(said).toEqual(await saidBy([memoryBalances()], "key", steps, given))
        }),
        { numRuns: runs(300) },
      ),
    ))

  it("are where they were after a restart", async () => {
    const path = newFile()
    await withBalances(path, 1, async ([first]) => first && (await run(first.admit("key", [getLogs], daily, noon))))
    await withBalances(path, 1, async ([second]) => {
      if (second === undefined) return
      expect(await run(second.balance("key", noon))).toMatchObject({ spent: 255, byMethod: { eth_getLogs: 255 } })
      expect(await run(second.admit("key", [getLogs, getLogs, getLogs], daily, noon))).toMatchObject({
        admitted: false,
      })
    })
  })

  describe("are in the file itself, whatever becomes of its log", () => {
    /** What a gateway would read if only the file were left. */
    const inFileAlone = async (path: string) => {
      const alone = newFile()
      copyFileSync(path, alone)
      return withBalances(alone, 1, ([open = memoryBalances()]) => run(open.balance("key", noon)))
    }
    const spend = ([open = memoryBalances()]: ReadonlyArray<Balances>) => run(open.admit("key", [getLogs], daily, noon))

    it("once the last gateway has ended, even while another program reads it", async () => {
      const path = newFile()
      await withBalances(path, 1, spend)
      const reader = new DatabaseSync(path)
      reader.prepare("SELECT * FROM charges").all()
      await withBalances(path, 1, spend)
      expect(await inFileAlone(path)).toMatchObject({ spent: 510 })
      reader.close()
    })
    it("once a gateway has started after one that was killed", async () => {
      const killed = newFile()
      await withBalances(newFile(), 1, async (open) => {
        await spend(open)
        const path = join(folder, `balances ${files - 1}.sqlite`)
        for (const ending of ["", "-wal"]) copyFileSync(path + ending, killed + ending)
      })
      expect(await inFileAlone(killed)).toMatchObject({ spent: 0 })
      await withBalances(killed, 1, async () => expect(await inFileAlone(killed)).toMatchObject({ spent: 255 }))
    })
  })

  const checkKept = (name: string, days: ReadonlyArray<number>, expected: number) =>
    it(name, async () => {
      const path = newFile()
      await withBalances(path, 1, async ([first = memoryBalances()]) => {
        for (const ago of days.toReversed()) await run(first.admit("key", [getLogs], daily, noon - ago * day))
      })
      await withBalances(path, 1, async () => {})
      const database = new DatabaseSync(path)
      const kept = database.prepare("SELECT DISTINCT day FROM charges").all()
      database.close()
      expect(kept.length).toBe(expected)
    })
  const lastDays = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)
  checkKept("forget at a start what 60 later days with charges have followed", lastDays(70), 60)
  checkKept(
    "keep 60 days with charges, however old the calendar says they are",
    [...lastDays(30), ...lastDays(30, 400)],
    60,
  )

  wrongClockLaw("those of two gateways", withEmptied)

  it("of an earlier version count as they did", async () => {
    const path = newFile()
    const database = new DatabaseSync(path)
    database.exec(`
      CREATE TABLE accounts (
        name TEXT NOT NULL PRIMARY KEY, day INTEGER NOT NULL, spent REAL NOT NULL,
        second INTEGER NOT NULL, in_second REAL NOT NULL
      ) WITHOUT ROWID, STRICT;
      CREATE TABLE methods (
        name TEXT NOT NULL, method TEXT NOT NULL, credits REAL NOT NULL, PRIMARY KEY (name, method)
      ) WITHOUT ROWID, STRICT;
      PRAGMA application_id = 0x64525047;
      PRAGMA user_version = 1;
      INSERT INTO accounts VALUES ('${accountName("key")}', ${noon / day - 0.5}, 335, ${noon / 1_000}, 335);
      INSERT INTO methods VALUES ('${accountName("key")}', 'eth_getLogs', 255), ('${accountName("key")}', 'eth_call', 80);`)
    database.close()
    await withBalances(path, 2, async ([first = memoryBalances(), second = memoryBalances()]) => {
      const spent = { spent: 335, byMethod: { eth_getLogs: 255, eth_call: 80 } }
      expect(await run(second.balance("key", noon))).toMatchObject(spent)
      expect(await run(first.admit("key", [getLogs, getLogs, getLogs], daily, noon))).toMatchObject({ spent: 335 })
    })
  })

  it("are for their owner's eyes, and hold no key", async () => {
    const path = join(folder, "made", "for them", "balances.sqlite")
    await withBalances(path, 1, async ([first]) => {
      await run((first ?? memoryBalances()).admit("canary-key", [getLogs], daily, noon))
      for (const file of readdirSync(join(folder, "made", "for them"))) {
        const whole = join(folder, "made", "for them", file)
        expect([file, statSync(whole).mode & 0o077]).toEqual([file, 0])
        expect(readFileSync(whole).includes("canary-key")).toBe(false)
      }
    })
    expect(statSync(join(folder, "made")).mode & 0o077).toBe(0)
  })
})

describe("several processes on one file", () => {
  const source = new URL("../../src/server/Server.ts", import.meta.url).href
  /** Admits single credits as fast as it can until it is refused; says how many. */
  const spender = (path: string) => `
    const { fileBalances } = await import(${JSON.stringify(source)})
    const { Effect } = await import("effect")
    const program = Effect.scoped(Effect.gen(function* () {
      const balances = yield* fileBalances({ path: ${JSON.stringify(path)} })
      let admitted = 0
      while ((yield* balances.admit("key", [{ method: "m", credits: 1 }], { daily: 500 }, ${noon})).admitted) admitted += 1
      return admitted
    }))
    console.log(await Effect.runPromise(program))`

  it("never overspend together, from the first moment on", async () => {
    const path = newFile()
    const script = join(import.meta.dirname, `spender-${process.pid}.ts`)
    writeFileSync(script, spender(path))
    const spent = await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise<number>((resolve, reject) =>
            execFile(process.execPath, ["--conditions=dotrpc-source", script], (error, stdout) =>
              error === null ? resolve(Number(stdout)) : reject(error),
            ),
          ),
      ),
    ).finally(() => rmSync(script))
    expect(spent.reduce((sum, count) => sum + count, 0)).toBe(500)
  })
})

describe("a file that cannot be used is refused and left as it is", () => {
  const check = (what: string, make: (path: string) => void, why: RegExp) =>
    it(what, async () => {
      const path = newFile()
      make(path)
      const before = statSync(path).isFile() ? readFileSync(path) : undefined
      const opened = await run(Effect.result(Effect.scoped(fileBalances({ path }))))
      expect(Result.isFailure(opened) ? opened.failure.why : "opened").toMatch(why)
      if (before !== undefined) expect(readFileSync(path).equals(before)).toBe(true)
    })
  check("when it is empty", (path) => writeFileSync(path, ""), /are damaged \(the file is empty\): restore the file/)
  check(
    "when it is not a database",
    (path) => writeFileSync(path, "x".repeat(9_000)),
    /are damaged \(file is not a database\)/,
  )
  check("when it is a folder", (path) => mkdirSync(path), /is not a file/)
  check(
    "when it belongs to another program",
    (path) => {
      const database = new DatabaseSync(path)
      database.exec("CREATE TABLE theirs (a)")
      database.close()
    },
    /belongs to another program/,
  )
  check(
    "when its content is damaged",
    (path) => {
      const database = new DatabaseSync(path)
      database.exec("PRAGMA application_id = 0x64525047; CREATE TABLE accounts (a); PRAGMA user_version = 1")
      database.exec(`INSERT INTO accounts SELECT hex(randomblob(500)) FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8))`)
      database.close()
      const bytes = readFileSync(path)
      bytes.fill(0xff, 4_096)
      writeFileSync(path, bytes)
    },
    /are damaged/,
  )
  check(
    "when it was made by a newer version",
    (path) => {
      const database = new DatabaseSync(path)
      database.exec("PRAGMA application_id = 0x64525047; PRAGMA user_version = 9; CREATE TABLE a (b)")
      database.close()
    },
    /was written by a newer version of dotrpc/,
  )
})

it("a file that another process keeps locked refuses for now, and answers when it is free", () =>
  withBalances(newFile(), 1, async ([balances = memoryBalances()]) => {
    const path = join(folder, `balances ${files - 1}.sqlite`)
    const other = new DatabaseSync(path)
    other.exec("BEGIN EXCLUSIVE")
    const refused = await run(Effect.result(balances.admit("key", [getLogs], daily, noon)))
    expect(refused).toMatchObject({ failure: { why: `another process has locked ${path}` } })
    other.exec("ROLLBACK")
    other.close()
    expect(await run(balances.admit("key", [getLogs], daily, noon))).toMatchObject({ admitted: true, spent: 255 })
  }))

describe("a file that was removed or replaced while a gateway runs", () => {
  const check = (what: string, harm: (path: string) => void) =>
    it(`refuses what would be counted elsewhere: ${what}`, () =>
      withBalances(newFile(), 1, async ([balances = memoryBalances()]) => {
        const path = join(folder, `balances ${files - 1}.sqlite`)
        await run(balances.admit("key", [getLogs], daily, noon))
        harm(path)
        for (let time = 0; time < 2; time++)
          expect(await run(Effect.result(balances.admit("key", [getLogs], daily, noon)))).toMatchObject({
            failure: { why: expect.stringContaining("were removed or replaced") },
          })
      }))
  check("the file", (path) => rmSync(path))
  check("its log", (path) => rmSync(`${path}-wal`))
  check("another file in its place", (path) => {
    writeFileSync(`${path}.other`, readFileSync(path))
    renameSync(`${path}.other`, path)
  })
})

describe("amounts that no gateway wrote", () => {
  const check = (what: string, statement: string) =>
    it(`are damage: ${what}`, async () => {
      const path = newFile()
      await withBalances(path, 1, async ([balances = memoryBalances()]) =>
        run(balances.admit("key", [getLogs], daily, noon)),
      )
      const edit = () => {
        const database = new DatabaseSync(path)
        database.exec(statement)
        database.close()
      }
      await withBalances(path, 1, async ([balances = memoryBalances()]) => {
        edit()
        const running = await run(Effect.result(balances.balance("key", noon)))
        expect(Result.isFailure(running) ? running.failure.why : "believed").toMatch(/are damaged \(they contain/)
      })
      const opened = await run(Effect.result(Effect.scoped(fileBalances({ path }))))
      expect(Result.isFailure(opened) ? opened.failure.why : "believed").toMatch(/are damaged \(they contain/)
    })
  check("a negative sum", "UPDATE charges SET credits = -1e9")
  check("an endless sum", "UPDATE charges SET credits = -9e999")
  check("a fraction", "UPDATE charges SET credits = 0.5")
  check("a day before all days", "UPDATE charges SET day = -1")
})

describe("a path that is not one of a file", () => {
  for (const path of ["", ":memory:", "file:x?mode=memory"])
    it(`is refused: ${JSON.stringify(path)}`, async () => {
      const opened = await run(Effect.result(Effect.scoped(fileBalances({ path }))))
      expect(opened).toMatchObject({ failure: { why: expect.stringContaining("is not the path of a file") } })
    })
  it("is refused as a link to nothing", async () => {
    const path = newFile()
    symlinkSync(join(folder, "nowhere"), path)
    const opened = await run(Effect.result(Effect.scoped(fileBalances({ path }))))
    expect(opened).toMatchObject({
      failure: { why: expect.stringContaining("is a link to a file that does not exist") },
    })
  })
})
