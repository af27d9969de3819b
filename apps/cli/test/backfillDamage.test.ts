/** Stores and spools that are damaged, or that others have edited: nothing is written elsewhere, no row is lost or repeated, and nobody waits without end. */
import { FileProblem, PartFiles } from "@dotrpc/backfill"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { layer, openFolder } from "../src/BackfillFiles.ts"
import { startAt } from "./dotrpc.ts"
import { startHeldGateway } from "./httpGateway.ts"

/** Of the line before the items of an answer. */
const headBytes = 128

const newFolder = () => mkdtempSync(join(tmpdir(), "dotrpc-damage-"))

const backfill = (cwd: string, ...args: ReadonlyArray<string>) => startAt({ cwd }, "backfill", ...args).outcome

describe("the store of a backfill", () => {
  const paused = newFolder()
  beforeAll(async () => {
    const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
    writeFileSync(join(paused, "rpc.config.json"), JSON.stringify({ networks }))
    const args = ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x1f4"}]', "--output", "logs", "--max-credits", "100"]
    expect((await backfill(paused, "start", ...args)).code).toBe(4)
  })

  const check = (name: string, damage: string | ((cwd: string) => void), code: number, said: RegExp) =>
    it(name, async () => {
      const cwd = newFolder()
      cpSync(paused, cwd, { recursive: true })
      if (typeof damage === "string") {
        const database = new DatabaseSync(join(cwd, "logs/.backfill/store.sqlite"))
        database.exec(damage)
        database.close()
      } else damage(cwd)
      const before = readdirSync(cwd)
      const resumed = await backfill(cwd, "resume", "--output", "logs", "--max-credits", "99999")
      expect(resumed.stderr).toMatch(said)
      expect(resumed.code).toBe(code)
      expect(readdirSync(cwd).filter((entry) => entry !== ".cache")).toEqual(
        before.filter((entry) => entry !== ".cache"),
      )
    })

  const own = "logs/.backfill/store.sqlite"
  check(
    "decides about no other file",
    "UPDATE dotrpc_backfills SET format = '/../../elsewhere'",
    3,
    /the store is damaged: blocks-\S+ cannot be a part/,
  )
  check(
    "has params that are not JSON",
    "UPDATE dotrpc_backfills SET params = '['",
    2,
    /^dotrpc: the params of \w+ are damaged/,
  )
  check(
    "has a layout that is not JSON",
    "UPDATE dotrpc_backfill_outputs SET layout = '['",
    2,
    /^dotrpc: the columns of this .* damaged/,
  )
  check(
    "has lost what its calls have taught",
    "UPDATE dotrpc_backfill_pieces SET learned = '['",
    0,
    /^done: 501 of 501 /,
  )
  check(
    "has half a block",
    "UPDATE dotrpc_backfill_pieces SET base = 0.5, next = 0.5, spool = 0",
    3,
    /^dotrpc: the store is damaged: it has lost parts that were committed; begin the backfill again in another folder\n$/,
  )
  const lost =
    /^dotrpc: the store is damaged: it has lost the pieces of [\da-f]{12}; begin the backfill again in another folder\n$/
  check("has no table of pieces", "DROP TABLE dotrpc_backfill_pieces", 3, lost)
  check(
    "has no table of parts",
    "UPDATE dotrpc_backfill_pieces SET base = 10, next = 10; DROP TABLE dotrpc_backfill_parts",
    3,
    /^dotrpc: the store is damaged: it has lost parts that were committed; begin the backfill again in another folder\n$/,
  )
  it("is read as an earlier version left it, and changed by who works on it", async () => {
    const cwd = newFolder()
    cpSync(paused, cwd, { recursive: true })
    const database = new DatabaseSync(join(cwd, own))
    const pieces = "dotrpc_backfill_pieces"
    const columns = () =>
      database
        .prepare(`SELECT name FROM pragma_table_info('${pieces}')`)
        .all()
        .map(({ name }) => name)
    database.exec(
      `ALTER TABLE ${pieces} DROP COLUMN busy; ALTER TABLE ${pieces} ADD COLUMN salt TEXT NOT NULL DEFAULT ''`,
    )
    const earlier = columns()
    const status = await backfill(cwd, "status", "--output", "logs")
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining("paused: the limit of 100 credits") })
    expect(columns()).toEqual(earlier)
    expect((await backfill(cwd, "resume", "--output", "logs", "--max-credits", "99999")).code).toBe(0)
    expect(columns()).not.toContain("salt")
    database.close()
  })
  check("has no table of the engine", "DROP TABLE dotrpc_cluster_messages", 0, /^done: /)
  check("has no pieces", "DELETE FROM dotrpc_backfill_pieces", 3, lost)
  for (const [table, column] of [
    ["dotrpc_backfills", "state"],
    ["dotrpc_backfill_pieces", "span"],
    ["dotrpc_backfill_parts", "bytes"],
    ["dotrpc_backfill_outputs", "layout"],
  ])
    check(
      `has no column ${column} of ${table}`,
      `ALTER TABLE ${table} RENAME COLUMN ${column} TO other`,
      2,
      new RegExp(`^dotrpc: the store logs/\\.backfill/store\\.sqlite cannot be opened: no such column: ${column}\n$`),
    )
  check(
    "is not SQLite",
    (cwd) => writeFileSync(join(cwd, own), "?".repeat(5_000)),
    2,
    /^dotrpc: the store logs\/\.backfill\/store\.sqlite cannot be opened: /,
  )
  check(
    "is a link",
    (cwd) => {
      renameSync(join(cwd, own), join(cwd, "elsewhere.sqlite"))
      symlinkSync(join(cwd, "elsewhere.sqlite"), join(cwd, own))
    },
    2,
    /^dotrpc: logs\/\.backfill\/store\.sqlite is a symbolic link: remove it\n$/,
  )
  check(
    "is beside a link to a manifest",
    (cwd) => {
      renameSync(join(cwd, "logs/_manifest.json"), join(cwd, "elsewhere.json"))
      symlinkSync(join(cwd, "elsewhere.json"), join(cwd, "logs/_manifest.json"))
    },
    2,
    /^dotrpc: logs\/_manifest\.json is a symbolic link: remove it\n$/,
  )
})

/** Each with what a later `start` says: what has lost nothing yet is read whole. */
const tables: ReadonlyArray<readonly [table: string, later: RegExp]> = [
  [
    "dotrpc_backfills",
    /logs has parts of another backfill, which would be lost: name another folder|^done: 501 of 501 /,
  ],
  ["dotrpc_backfill_pieces", /the store is damaged: it has lost the pieces of/],
  ["dotrpc_backfill_parts", /the store is damaged: it has lost parts|^done: 501 of 501 /],
  ["dotrpc_backfill_outputs", /the store is damaged: it has lost the columns of its parts/],
]

describe("a table of the store that is lost while a worker runs", () => {
  it.each(tables)("ends it, and nothing is done with missing rows: %s", async (table, later) => {
    const gateway = await startHeldGateway()
    const cwd = newFolder()
    const networks = { evm: { plugin: "evm", url: gateway.url } }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
    const request = ["start", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x1f4"}]']
    const start = (folder: string) => [...request, "--format", "csv", "--part-size", "1KB", "--output", folder]
    const running = startAt({ cwd }, "backfill", ...start("logs"))
    await gateway.firstItems
    await dropTable(cwd, table)
    gateway.release()
    const ended = await running.outcome
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/the store is damaged: the table /) })
    const again = await backfill(cwd, ...start("logs"))
    expect(again.stderr).toMatch(later)
    if (again.code === 0) {
      expect((await backfill(cwd, ...start("whole"))).code).toBe(0)
      expect(rowsIn(cwd, "logs")).toBe(rowsIn(cwd, "whole"))
    } else expect(rowsIn(cwd, "logs")).toBeUndefined()
    gateway.close()
  })
})

/** Those of a manifest that is done. */
const rowsIn = (cwd: string, folder: string): unknown => {
  const file = join(cwd, folder, "_manifest.json")
  const manifest = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {}
  return manifest["state"] === "done" ? manifest["rows"] : undefined
}

/** Once the worker, which is in the same process, has ended its transaction. */
const dropTable = async (cwd: string, table: string): Promise<void> => {
  const database = new DatabaseSync(join(cwd, "logs/.backfill/store.sqlite"), { timeout: 0 })
  for (;;)
    try {
      database.exec(`DROP TABLE ${table}`)
      return database.close()
    } catch (error) {
      if (!(error instanceof Error && "errcode" in error && [5, 6].includes(Number(error.errcode) & 0xff))) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
}

describe("a spool", () => {
  const answers = [
    { next: 10, items: [{ a: 1 }, { a: 2 }] },
    { next: 11, items: [] },
    { next: 40, items: [{ a: 3 }] },
  ]
  const spool = { piece: 0, base: 5, epoch: 1 }
  const file = "piece-0-5-1.spool"

  const open = (path: string, epoch: number, earlier: number | undefined, append: typeof answers) =>
    Effect.runPromiseExit(
      Effect.gen(function* () {
        const opened = yield* (yield* PartFiles).openSpool({ ...spool, epoch }, earlier)
        for (const answer of append) yield* opened.append(answer)
        return opened.found
      }).pipe(Effect.scoped, Effect.provide(layer({ name: "logs", path }))),
    )

  const path = newFolder()
  /** Each answer as it is in the file. */
  const stored: Array<string> = []
  beforeAll(async () => {
    openFolder({ name: "logs", path })
    expect(await open(path, 1, undefined, answers)).toEqual(Exit.succeed(undefined))
    let text = readFileSync(join(path, ".backfill", file), "latin1")
    for (; text !== ""; text = text.slice(stored.at(-1)?.length)) {
      const bytes = Number(/"bytes":(\d+)/.exec(text)?.[1])
      stored.push(text.slice(0, headBytes + bytes))
    }
    expect(stored).toHaveLength(answers.length)
  })

  /** What an earlier owner is found to have read, if that is nothing that it has not. */
  const found = async (text: string) => {
    writeFileSync(join(path, ".backfill", file), Buffer.from(text, "latin1"))
    const exit = await open(path, 2, 1, [])
    if (Exit.isSuccess(exit)) return exit.value
    const error = Exit.findErrorOption(exit)
    return error._tag === "Some" && error.value instanceof FileProblem ? error.value.said : exit
  }
  const damaged = (answer: number) =>
    `logs/.backfill/${file}: it is damaged in answer ${answer}: delete it, and dotrpc backfill resume reads its blocks again`
  const check = (name: string, change: (...stored: ReadonlyArray<string>) => string, expected: unknown) =>
    it(name, async () => expect(await found(change(...stored))).toEqual(expected))

  check("is whole", (...all) => all.join(""), { next: 40, rows: 3 })
  check("has an end that was never counted", (...all) => all.join("").slice(0, -1), { next: 11, rows: 2 })
  check("has an answer twice", (one = "", two, three) => one + one + two + three, damaged(2))
  check("has lost its first answer", (_, two = "", three) => two + three, damaged(1))
  check("has lost an answer", (one = "", _, three) => one + three, damaged(2))
  const forged = '{"from":40,"next":50,"rows":0,"bytes":0,"sum":"000000000000"}'
  check("has another answer", (...all) => `${all.join("")}${forged.padEnd(headBytes - 1)}\n`, damaged(4))
  check("has one of another version", () => `{"next":10,"items":[${'{"a":1},'.repeat(20)}null]}\n`, damaged(1))
  check("has zeros in an item", (one = "") => one.replace('"a":1', "\0\0\0\0\0"), damaged(1))
  check("has rows less", (one = "") => one.replace('"rows":2', '"rows":3'), damaged(1))
  check("has a changed digit", (...all) => all.join("").replace('"a":3', '"a":4'), damaged(3))

  it("was deleted, and is begun again", async () => {
    rmSync(join(path, ".backfill", file), { force: true })
    expect(await open(path, 3, 1, answers)).toEqual(Exit.succeed(undefined))
    expect(existsSync(join(path, ".backfill", "piece-0-5-3.spool"))).toBe(true)
  })

  it("gives what was read up to an answer, or says that it is damaged", () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        fc.string({ unit: "binary-ascii", maxLength: 4 }),
        async (from, length, text) => {
          const whole = stored.join("")
          const at = from % whole.length
          const changed = whole.slice(0, at) + text + whole.slice(at + (length % (whole.length - at)))
          const beginnings = [undefined, { next: 10, rows: 2 }, { next: 11, rows: 2 }, { next: 40, rows: 3 }]
          expect([...beginnings, damaged(1), damaged(2), damaged(3), damaged(4)]).toContainEqual(await found(changed))
          if (changed === whole) expect(await found(changed)).toEqual({ next: 40, rows: 3 })
        },
      ),
      { numRuns: runs(100) },
    ))
})
