import type { TypedColumn } from "@dotrpc/spec"
import { Effect, Exit } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { partName } from "../src/index.ts"
import { ColumnFile } from "../src/node/index.ts"
import { rowsOf } from "./rows.ts"

const folder = mkdtempSync(join(tmpdir(), "columns-"))
afterAll(() => rmSync(folder, { recursive: true }))

const columns: ReadonlyArray<TypedColumn> = [
  { name: "block_number", type: "int64" },
  { name: "value", type: "integer" },
]

const writing = (name: string, end: "close" | "leave", misfit = false) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* ColumnFile.open(join(folder, name), { format: "parquet", columns })
      yield* file.write([[1n, 2n ** 256n - 1n]])
      yield* file.write([
        [2n, 5n],
        [misfit ? "no number" : 3n, null],
      ])
      expect(readdirSync(folder)).not.toContain(name)
      return end === "close" ? yield* file.close : undefined
    }),
  )

it("puts a file in its place when it is closed, and says how much it holds", async () => {
  const name = partName(18_000_000, 18_009_999, "parquet")
  expect(name).toBe("blocks-000018000000-000018009999.parquet")
  const written = await Effect.runPromise(writing(name, "close"))
  const bytes = readFileSync(join(folder, name))
  expect(written).toEqual({ rows: 3, bytes: bytes.length })
  expect(await rowsOf(bytes, columns)).toEqual([
    [1n, 2n ** 256n - 1n],
    [2n, 5n],
    [3n, null],
  ])
})

it("leaves nothing of a file that was not closed", async () => {
  const before = readdirSync(folder)
  await Effect.runPromise(writing("left.parquet", "leave"))
  expect(readdirSync(folder)).toEqual(before)
})

it("leaves the file that was there when a value does not fit", async () => {
  writeFileSync(join(folder, "old.parquet"), "before")
  const files = readdirSync(folder)
  const failure = await Effect.runPromise(Effect.flip(writing("late.parquet", "close", true)))
  expect(failure).toMatchObject({ _tag: "ColumnFileError", reason: "Misfit", code: "COL-1002" })
  expect(failure.message).toContain('"block_number"')
  expect(readdirSync(folder)).toEqual(files)
})

it("fails where no file can be written", async () => {
  const exit = await Effect.runPromiseExit(
    Effect.scoped(ColumnFile.open(join(folder, "absent", "a.csv"), { format: "csv", columns })),
  )
  expect(Exit.isFailure(exit) && exit.cause.toString()).toContain("ENOENT")
})
