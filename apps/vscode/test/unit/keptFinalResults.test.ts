/** The block of a date costs nothing the second time, in this window or the next one. */
import { analyze } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { makeGate } from "@dotrpc/project"
import { makePlan, run, summarizeReport } from "@dotrpc/runner"
import { Effect, Layer, Stream } from "effect"
import { expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { keptFinalResults } from "../../src/run/keptFinalResults.ts"
import { makeRuntime } from "../../src/run/runtimeLayer.ts"

/** The state of an editor, as JSON on its disk. */
const stateWith = (kept?: unknown) => {
  let stored = JSON.stringify(kept ?? null)
  return {
    get: (() => (JSON.parse(stored) as { finalResults?: unknown } | null)?.finalResults) as <T>() => T | undefined,
    update: async (key: string, value: unknown) => {
      stored = JSON.stringify({ [key]: value })
    },
    stored: () => stored,
  }
}

/** What a run of a window says. */
const runIn = async (state: ReturnType<typeof stateWith>, version = "1.0.0") => {
  const project = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
  const ledger = Layer.orDie(CreditLedger.layerMemory({ daily: 1_000_000 }))
  const host = { gate: makeGate(), page: undefined, loadEvm: undefined, final: keptFinalResults(state, version) }
  const runtime = makeRuntime(project, ledger, host)
  const analysis = analyze(parse('### when\nevm_blockAt ["2023-11-14T23:00Z"]\n'), project.workspace)
  const events = await runtime.runPromise(Stream.runCollect(run(makePlan(analysis), {})))
  await runtime.dispose()
  return Array.from(events).flatMap((event) =>
    event._tag === "RequestFinished" ? summarizeReport(event.report) : [],
  )[0]
}

test("a block that is final costs nothing in the next window", async () => {
  const state = stateWith()
  expect(await runIn(state)).toMatch(/^block 233 .* · ~?\d\d+ credits$/)
  expect(await runIn(state)).toMatch(/^block 233 .* · 0 credits · answered from the cache$/)
  expect(await runIn(state, "1.0.1")).not.toContain("cache")
})

test.each([1, "text", [], { finalResults: 7 }, { finalResults: { version: "1.0.0", results: [] } }])(
  "what is kept in another form is replaced: %j",
  async (kept) => {
    const state = stateWith(kept)
    expect(await runIn(state)).not.toContain("cache")
    expect(await runIn(state)).toContain("answered from the cache")
  },
)

test("results are kept up to a number, and not if they are long", async () => {
  const state = stateWith()
  const memory = keptFinalResults(state, "1")
  for (let at = 0; at < 1_002; at++) await Effect.runPromise(memory.write(`key ${at}`, at))
  await Effect.runPromise(memory.write("long", "x".repeat(2_001)))
  const read = (key: string) => Effect.runPromise(memory.read(key))
  expect([await read("key 1"), await read("key 2"), await read("key 1001"), await read("long")]).toEqual([
    undefined,
    2,
    1_001,
    undefined,
  ])
})
