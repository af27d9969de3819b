/** Runs a text against a scripted transport, with the real plugins, client, budget and ledger. */
import { analyze, makeWorkspace, type WorkspaceSources } from "@dotrpc/analysis"
import { CreditBudget, CreditLedger, RpcClient } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { type Json, type Price, RpcError, type RpcReason, Transport } from "@dotrpc/spec"
import { Effect, Layer, Redacted, Stream } from "effect"
import {
  makePlan,
  type RequestReport,
  reusedOf,
  reuseSources,
  run,
  type RunEvent,
  type RunOptions,
  type Selection,
} from "../src/index.ts"

export interface Sent {
  readonly method: string
  readonly network: string
  /** Its address. */
  readonly to: string
  readonly params: Json.Json
}

export type Answer =
  | { readonly result: Json.Json }
  | { readonly reason: RpcReason.Reason; readonly outcome: Price.Outcome; readonly data?: Json.Json }

export type AnswerTo = (params: Json.Json, network: string) => Answer

export interface Scenario {
  readonly text: string
  /** Files that the text can import, by their path from its own folder. */
  readonly files?: Readonly<Record<string, string>>
  /** Files of rows and ABIs, in the same way. */
  readonly texts?: Readonly<Record<string, string>>
  /** What the transport answers, by method, or by its params; an array is used up one by one. */
  readonly answers: Readonly<Record<string, Answer | ReadonlyArray<Answer> | AnswerTo>>
  readonly selection?: Selection
  readonly options?: RunOptions
  readonly daily?: number
  readonly workspace?: Partial<WorkspaceSources>
  /** Of earlier runs, whose results are used for requests that are not selected by name. */
  readonly kept?: ReadonlyArray<RequestReport>
}

/** All events of a run, and everything that was sent. */
export const play = (scenario: Scenario) =>
  Effect.gen(function* () {
    const sent: Array<Sent> = []
    const used = new Map<string, number>()
    const transport = Layer.succeed(Transport, {
      send: (request) =>
        Effect.suspend(() => {
          request.onSend?.()
          const method = request.method.name
          const { id, url } = request.network
          const to = url === undefined ? id : Redacted.value(url)
          sent.push({ method, network: id, to, params: request.params })
          const script = scenario.answers[method]
          const turn = used.get(method) ?? 0
          used.set(method, turn + 1)
          const answer =
            typeof script === "function" ? script(request.params, id) : Array.isArray(script) ? script[turn] : script
          if (answer === undefined)
            return Effect.die(new Error(`no answer is scripted for call ${turn + 1} of ${method}`))
          if ("result" in answer) return Effect.succeed({ result: answer.result })
          return Effect.fail(new RpcError({ method, network: request.network.id, ...answer }))
        }),
    })
    const { workspace } = makeWorkspace({
      plugins: [Evm.plugin, L2Events.plugin],
      config: {
        networks: { evm: { plugin: "evm", url: "embedded:evm" }, l2: { plugin: "l2-events", url: "embedded:l2" } },
      },
      now: 0,
      ...scenario.workspace,
    })
    const uri = "file:///project/document.rpc"
    const files = new Map(
      Object.entries(scenario.files ?? {}).map(([path, text]) => [new URL(path, uri).href, parse(text)]),
    )
    const texts = new Map(Object.entries(scenario.texts ?? {}).map(([path, text]) => [new URL(path, uri).href, text]))
    const written = makePlan(
      analyze(parse(scenario.text), workspace, { sources: { uri, files, texts } }),
      scenario.selection,
    )
    const { kept = [] } = scenario
    const plan = yield* reuseSources(
      written,
      ({ name }) => scenario.selection?.names?.includes(name ?? "") === true,
      ({ name }, call) =>
        Effect.succeed(
          kept.flatMap((report) => (report.request.name === name ? (reusedOf(report, call) ?? []) : []))[0],
        ),
    )
    const layers = RpcClient.layerMetered({ networks: workspace.networks.map(({ network }) => network) }).pipe(
      Layer.provideMerge(CreditLedger.layerMemory({ daily: scenario.daily ?? 3_000_000 })),
      Layer.provide(transport),
    )
    const events: ReadonlyArray<RunEvent> = yield* Stream.runCollect(run(plan, scenario.options)).pipe(
      Effect.provide(layers),
    )
    const end = events.at(-1)
    if (end?._tag !== "RunFinished") throw new Error("the run did not end with RunFinished")
    return { events, sent, reports: end.reports, credits: end.credits, plan }
  })

export const allowance = (limit: number) => CreditBudget.makeAllowance({ name: "--max-credits", limit })
