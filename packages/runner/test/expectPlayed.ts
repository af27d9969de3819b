/** What a run does with any text: formats, plans, prices, runs and reports it. */
import { analyze, bindParams, makeWorkspace } from "@dotrpc/analysis"
import { CreditLedger, RpcClient } from "@dotrpc/core"
import { format, parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { Json, Transport } from "@dotrpc/spec"
import { expect } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { dryRunReports, jsonReport, makePlan, run } from "../src/index.ts"

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin],
  config: { networks: { evm: { plugin: "evm", url: "https://node.example" } } },
  now: 0,
})

/** Answers every call, so that whatever may be sent is. */
const live = RpcClient.layerMetered({ networks: workspace.networks.map(({ network }) => network) }).pipe(
  Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000_000_000 })),
  Layer.provide(Layer.succeed(Transport, { send: () => Effect.succeed({ result: null }) })),
)

export const expectPlayed = async (text: string) => {
  const formatted = format(text)
  expect(format(formatted)).toBe(formatted)
  const sources = { uri: "file:///p/main.rpc", files: new Map(), texts: new Map() }
  const plan = makePlan(analyze(parse(text), workspace, { sources }))
  const reports = dryRunReports(plan)
  expect(reports).toHaveLength(plan.requests.length + plan.skipped.length)
  const file = { file: "main.rpc", text, diagnostics: plan.diagnostics, reports }
  const report = jsonReport([file], { spent: 0, estimated: plan.estimate }, true)
  expect(Json.stringify(report, 2)).toContain('"version": 1')
  // Whatever the analysis says of them: nothing but an error comes of a value that is too much.
  for (const request of plan.requests.slice(0, 20)) bindParams(plan.analysis, request, new Map())
  const events = await Effect.runPromise(Stream.runCollect(run(plan)).pipe(Effect.provide(live)))
  const end = events.at(-1)
  expect(end?._tag === "RunFinished" && end.reports.map(({ request }) => request.index)).toEqual(
    plan.requests.map(({ index }) => index),
  )
  expect(end?._tag === "RunFinished" && end.defect).toBe(undefined)
  expect(end?._tag === "RunFinished" && end.reports.filter(({ error }) => error?.reason === "Internal")).toEqual([])
}
