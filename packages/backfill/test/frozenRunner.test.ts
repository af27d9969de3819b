/** What the engine lacks, by the program of decision 40: if it fails one day, the epochs of pieces may go. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { frozenRunner } from "./samples/frozenRunner.ts"

const docs = join(import.meta.dirname, "../../../docs/decisions")

it("is the program that the decision shows", () => {
  const page = readdirSync(docs).find((name) => name.startsWith("040-")) ?? ""
  const [, fence] = /```ts\n([^]*?)```/.exec(readFileSync(join(docs, page), "utf8")) ?? []
  expect(fence).toBe(readFileSync(join(import.meta.dirname, "samples/frozenRunner.ts"), "utf8"))
})

// The engine compares heartbeats with the clock of the database, which no test can move.
it("a runner that was replaced still writes", { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-frozen-"))
  expect(await Effect.runPromise(frozenRunner(join(folder, "store.sqlite")))).toEqual(["second", "first"])
  rmSync(folder, { recursive: true })
})
