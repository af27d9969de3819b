/** The block of a date costs nothing the second time, in this window or the next one. */
import { analyze } from "@dotrpc/analysis"
import { CreditLedger, FinalResults } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { makeGate } from "@dotrpc/project"
import { makePlan, run, summarizeReport } from "@dotrpc/runner"
import type { KeptText } from "@dotrpc/spec"
import { Layer, Stream } from "effect"
import { expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { makeRuntime } from "../../src/run/runtimeLayer.ts"

/** A text in the state of an editor. */
const stateWith = (kept?: unknown): KeptText => {
  let stored = kept
  return { read: () => stored, write: async (text) => void (stored = text) }
}

/** What a run of a window says. */
const runIn = async (state: KeptText, version = "1.0.0") => {
  const project = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
  const ledger = Layer.orDie(CreditLedger.layerMemory({ daily: 1_000_000 }))
  const host = { gate: makeGate(), page: undefined, loadEvm: undefined, final: FinalResults.memoryIn(state, version) }
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

test.each([1, "text", [], { version: "1.0.0", results: [] }])(
  "what is kept in another form is replaced: %j",
  async (kept) => {
    const state = stateWith(kept)
    expect(await runIn(state)).not.toContain("cache")
    expect(await runIn(state)).toContain("answered from the cache")
  },
)
