/** A plan of one request with many rows, and its run. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { CreditLedger, RpcClient } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { Transport } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
import { makePlan, type RequestReport, type Resumption, run, type RunPlan } from "../src/index.ts"

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin],
  config: { networks: { evm: { plugin: "evm", url: "https://node.example" } } },
  now: 0,
})

const live = RpcClient.layerMetered({ networks: workspace.networks.map(({ network }) => network) }).pipe(
  Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000_000_000 })),
  Layer.provide(Layer.succeed(Transport, { send: () => Effect.succeed({ result: "0x5" }) })),
)

export const planOf = (checks: ReadonlyArray<string>, rows: number): RunPlan => {
  const lines = Array.from({ length: rows }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")},0\n`)
  const text = `###\n# @each rows.csv\neth_getBalance [{{row.a}}, "latest"]\n${checks.map((check) => `?? ${check}\n`).join("")}`
  const texts = new Map([["file:///p/rows.csv", `a,least\n${lines.join("")}`]])
  return makePlan(analyze(parse(text), workspace, { sources: { uri: "file:///p/main.rpc", files: new Map(), texts } }))
}

/** The report of the only request, resumed where it says so. */
export const runAll = async (plan: RunPlan, resume: Resumption | undefined): Promise<RequestReport | undefined> => {
  const options = resume === undefined ? {} : { resume: new Map([[0, resume]]) }
  const end = await Effect.runPromise(Stream.runLast(run(plan, options)).pipe(Effect.provide(live)))
  if (end._tag === "None" || end.value._tag !== "RunFinished") throw new Error("the run did not end")
  return end.value.reports[0]
}

/** Two checks that pass and one that fails, each about every row. */
export const threeChecks: ReadonlyArray<string> = [
  "result >= 0",
  "every(result >= row.least) && sum(result) > 0",
  "count(result == 5) < 10",
]
