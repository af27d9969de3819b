/** What is reported when something happens in a request, a plugin or the run that should be impossible. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { CreditLedger, RpcClient } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { defineMethod, definePlugin, type Json, Price, RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Latch, Layer, Schema, Stream } from "effect"
import fc from "fast-check"
import { exitCodeOf, internalErrorWords, isGood, makePlan, run, type RunEvent, type RunOptions } from "../src/index.ts"

const key = "canary-5c1e7a90b3"
const token = "token-of-params-77ab"

/** Where a request goes wrong, by its first param. */
const defects = [
  "prepare",
  "check",
  "resultIssue",
  "classify",
  "next",
  "join",
  "render",
  "transport",
  "death",
  "interruption",
] as const
const modes = ["ok", "error", "nonsense", ...defects] as const
type Mode = (typeof modes)[number]

const boom = (where: string): never => {
  throw new RangeError(`boom in ${where} at https://node.example/v3/${key}\n    at secret (stack.ts:1:1)`)
}

/** A plugin that throws on demand. `state` is off while a file is analysed. */
const pluginOf = (state: { on: boolean }) => {
  const throwsIn = (where: Mode, params: Json.Json) => {
    if (state.on && Array.isArray(params) && params[0] === where)
      boom(params[2] === undefined ? where : `${where} of ${params[2]}`)
  }
  const method = defineMethod({
    plugin: "test",
    name: "t_get",
    summary: "Gets.",
    docs: "Gets.",
    params: Schema.Array(Schema.String),
    result: Schema.Array(Schema.String),
    price: Price.published(80),
    idempotent: true,
    examples: [],
    check: (params) => {
      throwsIn("check", params)
      return []
    },
    prepare: (params) => {
      throwsIn("prepare", params)
      return { params }
    },
    classify: () => boom("classify"),
    render: (result) => {
      throwsIn("render", result)
      return { noun: ["item", "items"], total: result.length, columns: [], rows: [] }
    },
    pages: {
      next: (params) => {
        throwsIn("next", params)
        return params[1] === undefined ? [...params, "second"] : undefined
      },
      join: (results) => {
        throwsIn("join", results[0] ?? [])
        return results.flat()
      },
    },
  })
  const resultIssue = (result: Json.Json) => {
    throwsIn("resultIssue", result)
    return undefined
  }
  return definePlugin({
    id: "test",
    title: "Test",
    docs: "Throws.",
    methods: [{ ...method, resultIssue }],
    networks: [],
  })
}

const send: Transport["Service"]["send"] = (request) => {
  request.onSend?.()
  const [mode] = request.params as ReadonlyArray<string>
  switch (mode) {
    case "transport":
      return boom("transport")
    case "death":
      return Effect.die({ not: "an error" })
    case "interruption":
      return Effect.interrupt
    case "nonsense":
      return Effect.succeed({ result: undefined as never })
    case "classify":
      return Effect.sync(() => boom("classify"))
    case "error":
      return Effect.fail(
        new RpcError({
          method: "t_get",
          network: "main",
          reason: new RpcReason.Rejected({ said: "no", rpcCode: -32000 }),
          outcome: "rpc-error",
        }),
      )
    default:
      return Effect.succeed({ result: [mode ?? "", "item"] })
  }
}

interface Request {
  readonly mode: Mode
  /** Positions of requests whose results it uses. */
  readonly needs: ReadonlyArray<number>
}

const textOf = (requests: ReadonlyArray<Request>) =>
  requests
    .map(({ mode, needs }, index) => {
      const names = needs.filter((need) => need < index).map((need) => `, {{r${need}.result[0]}}`)
      return `###\n# @name r${index}\n# @all\nt_get ["${mode}"${names.join("")}]\n?? result.length > 0\n`
    })
    .join("\n")

const play = (text: string, options: RunOptions = {}, ledger = CreditLedger.layerMemory({ daily: 1_000_000 })) => {
  const state = { on: false }
  const { workspace } = makeWorkspace({
    plugins: [pluginOf(state)],
    config: { networks: { main: { plugin: "test", url: `https://node.example/v3/${key}` } } },
    secret: () => token,
    now: 0,
  })
  const plan = makePlan(
    analyze(parse(text), workspace, { sources: { uri: "file:///a.rpc", files: new Map(), texts: new Map() } }),
  )
  state.on = true
  const events: Array<RunEvent> = []
  const live = RpcClient.layerMetered({ networks: workspace.networks.map(({ network }) => network) }).pipe(
    Layer.provideMerge(ledger),
    Layer.provide(Layer.succeed(Transport, { send })),
  )
  const played = Stream.runForEach(run(plan, options), (event) => Effect.sync(() => events.push(event))).pipe(
    Effect.provide(live),
  )
  return { played, events, plan }
}

const endOf = (events: ReadonlyArray<RunEvent>) => {
  const end = events.at(-1)
  if (end?._tag !== "RunFinished") throw new Error("the run did not end with RunFinished")
  return end
}

const requestOf = fc.record({ mode: fc.constantFrom(...modes), needs: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }) })

describe("a run in which anything may throw", () => {
  it("reports every request exactly once, comes to its end, and says so by its exit code", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(requestOf, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (requests, parallel, bail) => {
          const { events, plan, played } = play(textOf(requests), { parallel, bail })
          await Effect.runPromise(played)
          const end = endOf(events)
          const finished = events.flatMap((event) =>
            event._tag === "RequestFinished" ? [event.report.request.index] : [],
          )
          const all = requests.map((_, index) => index)
          expect(finished.toSorted((left, right) => left - right)).toEqual(all)
          expect(end.reports.map(({ request }) => request.index)).toEqual(all)
          expect(plan.requests).toHaveLength(requests.length)
          const broken = end.reports.filter(({ error }) => error?.id === "RPC-9001")
          for (const { checks, error, request, status } of broken) {
            expect([status, error?.id, error?.retryable]).toEqual(["failed", "RPC-9001", false])
            expect(error?.message).toMatch(/^internal error, please report: [^\n]+$/)
            expect(error?.message).not.toMatch(/stack\.ts|node\.example|canary/)
            expect(checks).toHaveLength(1)
            expect(defects).toContain(requests[request.index]?.mode)
          }
          for (const { error, request, status } of end.reports)
            if (
              status !== "skipped" &&
              (defects as ReadonlyArray<string>).includes(requests[request.index]?.mode ?? "")
            )
              expect(error?.reason).toBe("Internal")
            else if (requests[request.index]?.mode === "nonsense" && status !== "skipped")
              expect(error?.reason).toBe("Malformed")
            else if (status !== "skipped")
              expect(status).toBe(requests[request.index]?.mode === "error" ? "rpc-error" : "ok")
          expect(exitCodeOf([], end.reports) === 70).toBe(broken.length > 0)
          expect(broken.some(isGood)).toBe(false)
          const spent = end.reports.reduce((sum, { credits }) => sum + credits, 0)
          expect(end.credits.spent).toBe(spent)
          expect(end.credits.remaining).toBe(1_000_000 - spent)
        },
      ),
    ))
})

describe("an internal error", () => {
  const check = (mode: Mode, message: string, own: Readonly<Record<string, unknown>>) =>
    it.effect(`in ${mode}`, () =>
      Effect.gen(function* () {
        const { events, played } = play(textOf([{ mode, needs: [] }]))
        yield* played
        expect(endOf(events).reports[0]).toMatchObject({
          status: "failed",
          error: { reason: "Internal", message: `internal error, please report: ${message}` },
          ...own,
        })
      }),
    )
  check("transport", "RangeError: boom in transport at •••", { calls: 1, credits: 80 })
  check("prepare", "RangeError: boom in prepare at •••", { calls: 0, credits: 0 })
  check("next", "RangeError: boom in next at •••", { calls: 1, credits: 80 })
  check("render", "RangeError: boom in render at •••", { calls: 1, credits: 80 })
  for (const mode of ["check", "prepare", "next"] as const)
    it.effect(`in ${mode} that repeats a secret of the params`, () =>
      Effect.gen(function* () {
        const { events, played } = play(`###\n# @all\nt_get ["${mode}", "x", "{{$secret.TOKEN}}"]\n`)
        yield* played
        const { error } = endOf(events).reports[0] ?? {}
        expect(error?.message).toBe(`internal error, please report: RangeError: boom in ${mode} of ••• at •••`)
      }),
    )
  it.effect("in a check", () =>
    Effect.gen(function* () {
      const snapshots: RunOptions["snapshots"] = {
        checking: () => boom("checking"),
        texts: () => undefined,
        isChanged: () => false,
        obstacle: () => undefined,
        written: () => undefined,
        obsolete: () => [],
      }
      const { events, played } = play('###\n# @name a\nt_get ["ok"]\n?? snapshot\n', { snapshots })
      yield* played
      expect(endOf(events).reports[0]).toMatchObject({
        status: "failed",
        credits: 80,
        error: { reason: "Internal", message: "internal error, please report: RangeError: boom in checking at •••" },
      })
    }),
  )
  it.effect("in one of the rows of # @each decides the exit code, whatever happens to the others", () =>
    Effect.gen(function* () {
      const { events, played } = play('@modes = ["nonsense", "prepare"]\n###\n# @each modes\nt_get ["{{row}}"]\n')
      yield* played
      const { reports } = endOf(events)
      expect(reports[0]?.error?.reason).toBe("Malformed")
      expect(exitCodeOf([], reports)).toBe(70)
    }),
  )
  check("interruption", "Error: All fibers interrupted without error", { calls: 1, credits: 80 })

  it("is one line, whatever was thrown", () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const hostile = {
      toString: () => {
        throw new Error("no")
      },
    }
    for (const thrown of [
      undefined,
      null,
      "a\nb",
      cyclic,
      hostile,
      Symbol("s"),
      new Error("x".repeat(1e6)),
      Cause.die(1),
    ])
      expect(internalErrorWords(thrown)).toMatch(/^internal error, please report: .{0,400}$/)
  })
})

describe("a table that cannot be drawn later", () => {
  it.effect("is a plain one that says so", () =>
    Effect.gen(function* () {
      const { events, played } = play(`###\nt_get ["ok"]\n`)
      yield* played
      const [report] = endOf(events).reports
      expect(report?.status).toBe("ok")
      const table = report?.render?.(5, ["render", "item"])
      expect([table?.rows, table?.notes]).toEqual([
        [["render"], ["item"]],
        ["internal error, please report: RangeError: boom in render at •••"],
      ])
    }),
  )
})

describe("a defect outside every request", () => {
  it.effect("leaves the reports whole, and ends the run with it", () =>
    Effect.gen(function* () {
      const broken = Layer.effect(
        CreditLedger.CreditLedger,
        Effect.map(Layer.build(CreditLedger.layerMemory({ daily: 1_000 })), (context) => ({
          ...Context.get(context, CreditLedger.CreditLedger),
          balance: Effect.die(new Error("the balance is gone")),
        })),
      )
      const { events, played } = play(textOf([{ mode: "ok", needs: [] }]), {}, broken)
      yield* played
      expect(endOf(events)).toMatchObject({
        reports: [{ status: "ok" }],
        credits: { spent: 160, remaining: undefined },
        defect: "internal error, please report: Error: the balance is gone",
      })
    }),
  )
})

describe("a run that is interrupted", () => {
  it.effect("is interrupted, and reports nothing as a defect", () =>
    Effect.gen(function* () {
      const begun = yield* Latch.make()
      const { events, played } = play(`###\nt_get ["ok"]\n###\nt_get ["ok"]\n`)
      const fiber = yield* Effect.forkChild(
        Effect.andThen(
          Effect.sync(() => begun.openUnsafe()),
          played,
        ),
      )
      yield* begun.await
      yield* Fiber.interrupt(fiber)
      expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
      expect(
        events.some((event) => event._tag === "RequestFinished" && event.report.error?.reason === "Internal"),
      ).toBe(false)
    }),
  )
})
