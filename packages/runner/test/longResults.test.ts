/** What is done with a long result or error is done in steps, so that timers and signals are heard meanwhile. */
import { atOnce, type Json, RpcError, RpcReason, type Steps } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { checksOfResult } from "../src/internal/checks.ts"
import { errorReport } from "../src/internal/reports.ts"
import { play } from "./harness.ts"

const many = Array.from({ length: 100_000 }, (_, index) => ({ index, text: `item ${index}` }))

const countSteps = <Value>(work: Steps<Value>): { readonly steps: number; readonly outcome: Value } => {
  for (let steps = 0; ; steps++) {
    const next = work.next()
    if (next.done === true) return { steps, outcome: next.value }
  }
}

const errorWith = (own: { readonly misfit?: Json.Json; readonly data?: Json.Json }) =>
  new RpcError({
    method: "t_get",
    network: "main",
    reason: new RpcReason.Malformed({
      said: "no",
      misfit: own.misfit === undefined ? undefined : { received: own.misfit, at: "result" },
    }),
    outcome: "ok",
    data: own.data,
  })

describe("the report of an error", () => {
  const secrets = [Redacted.make("s3cr3t-of-the-params")]
  const check = (what: string, own: Parameters<typeof errorWith>[0]) =>
    it(`is made in steps where ${what} is long`, () => {
      const { outcome, steps } = countSteps(errorReport(errorWith(own), secrets))
      expect(steps).toBeGreaterThan(1_000)
      expect(outcome.received ?? outcome.data).toEqual(many)
    })
  check("what was received", { misfit: many })
  check("its data", { data: many })

  it("holds no secret of the params", () => {
    const said = ["s3cr3t-of-the-params", { "s3cr3t-of-the-params": 1 }]
    const report = atOnce(errorReport(errorWith({ misfit: said, data: said }), secrets))
    expect([report.received, report.data]).toEqual([
      ["•••", { "•••": 1 }],
      ["•••", { "•••": 1 }],
    ])
  })
})

const log = (logIndex: string) => ({
  address: "0x00000000000000000000000000000000000000aa",
  topics: [],
  data: "0x",
  blockNumber: "0x1",
  blockHash: `0x${"11".repeat(32)}`,
  transactionHash: `0x${"22".repeat(32)}`,
  transactionIndex: "0x0",
  logIndex,
  removed: false,
})

describe("the checks of a long result", () => {
  it.effect("are made in steps, after the result was measured in steps", () =>
    Effect.gen(function* () {
      const logs = Array.from({ length: 20_000 }, (_, index) => log(`0x${index.toString(16)}`))
      const checks = ["result.length == 20000", "result == result", 'result[0].data == "0x"']
      const { plan, reports } = yield* play({
        text: `###\neth_getLogs [{}]\n${checks.map((check) => `?? ${check}\n`).join("")}`,
        answers: { eth_getLogs: { result: logs } },
      })
      expect(reports[0]).toMatchObject({ status: "ok", checks: [{ ok: true }, { ok: true }, { ok: true }] })
      const [request] = plan.requests
      if (request === undefined) throw new Error("there is no request")
      const own = { result: structuredClone(logs), error: null, credits: 0, ms: 0, calls: 1 }
      const { steps } = countSteps(
        checksOfResult({ analysis: plan.analysis, request, results: new Map(), snapshots: undefined }, own),
      )
      expect(steps).toBeGreaterThan(20_000 / 64)
    }),
  )
})
