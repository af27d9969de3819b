/** What is reported of a result that a plugin's functions cannot read: it was paid for, so it is shown. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { CreditLedger, RpcClient } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { defineMethod, definePlugin, Json, type Method, Price, Transport, withRepair } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import { makePlan, type RequestReport, run } from "../src/index.ts"

type Own = Partial<Pick<Method, "blockTimes" | "decode" | "pages" | "remark" | "render">>

const Text = withRepair(Schema.String, (value) => (typeof value === "number" ? String(value) : undefined))

const methodOf = (own: Own): Method => ({
  ...defineMethod({
    plugin: "test",
    name: "t_get",
    summary: "Gets.",
    docs: "Gets.",
    params: Schema.Array(Schema.String),
    result: Schema.Array(Text),
    price: Price.published(80),
    idempotent: true,
    examples: [],
    render: (items) => ({ total: items.length, columns: [{ name: "item" }], rows: items.map((item) => [item]) }),
  }),
  ...own,
})

const play = Effect.fnUntraced(function* (own: Own, result: string, settings = "") {
  const { workspace } = makeWorkspace({
    plugins: [
      definePlugin({
        id: "test",
        title: "Test",
        docs: "Answers.",
        methods: [methodOf(own)],
        networks: [],
        functions: [],
      }),
    ],
    config: { networks: { main: { plugin: "test", url: "https://node.example/" } } },
    now: 0,
  })
  const uri = "file:///a.rpc"
  const plan = makePlan(
    analyze(parse(`###\n${settings}t_get []\n`), workspace, { sources: { uri, files: new Map(), texts: new Map() } }),
  )
  const live = RpcClient.layerMetered({ networks: workspace.networks.map(({ network }) => network) }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000_000 })),
    Layer.provide(Layer.succeed(Transport, { send: () => Effect.succeed({ result: Json.parse(result) }) })),
  )
  const end = (yield* Stream.runCollect(run(plan)).pipe(Effect.provide(live))).at(-1)
  if (end?._tag !== "RunFinished" || end.reports[0] === undefined) throw new Error("the run did not end")
  return end.reports[0]
})

const boom = (): never => {
  throw new RangeError("boom")
}
const defect = "internal error, please report: RangeError: boom"
const surprise = "result[1]: expected a string, found 7; it is shown as it was sent"

describe("a result that was paid for", () => {
  const check = (
    what: string,
    own: Own,
    result: string,
    expected: Partial<RequestReport>,
    drawn?: { readonly rows?: unknown; readonly notes?: unknown },
    settings?: string,
  ) =>
    it.effect(what, () =>
      Effect.gen(function* () {
        const report = yield* play(own, result, settings)
        expect(report).toMatchObject({ credits: 80, ...expected })
        if (drawn !== undefined) expect(report.render?.(9)).toMatchObject(drawn)
      }),
    )
  const fitting = '["a"]'
  const misfit = '["a",7]'
  const sent = ["a", 7]

  check(
    "is drawn and decoded in the form that its schema wants",
    { decode: (result) => result },
    misfit,
    {
      status: "ok",
      result: sent,
      decoded: ["a", "7"],
      notes: [surprise],
    },
    { rows: [["a"], ["7"]] },
  )
  check(
    "is shown where a remark on it fails",
    { remark: boom },
    fitting,
    { status: "ok", notes: [defect] },
    { rows: [["a"]] },
  )
  check("is shown where its times cannot be read", { blockTimes: boom }, fitting, { status: "ok", notes: [defect] })
  check("is shown where it does not fit, and says that it is not decoded", { decode: boom }, misfit, {
    status: "ok",
    result: sent,
    decoded: undefined,
    notes: [surprise, "its form is unusual, so it is not decoded"],
  })
  check(
    "is plain JSON where it does not fit and cannot be drawn",
    { render: boom },
    misfit,
    { status: "ok", result: sent },
    {
      rows: [["a"], ["7"]],
      notes: ["its form is unusual, so it is shown as JSON"],
    },
  )
  const pages: Own["pages"] = {
    next: (params) => params,
    join: (all) => all.flatMap((page) => page as Array<Json.Json>),
  }
  check(
    "that fits and has a note of another kind is not excused",
    { decode: boom, pages },
    fitting,
    { error: { message: defect } as RequestReport["error"], result: ["a"] },
    undefined,
    "# @all\n",
  )
})
