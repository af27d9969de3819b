/** Requests with `# @each`: one call for each row, within the budget, and each row paid for once. */
import type { BoundRequest } from "@dotrpc/analysis"
import { lineIndex } from "@dotrpc/lang/locate"
import { Json, RpcReason } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import {
  exitCodeOf,
  type PaidRow,
  type RequestReport,
  requestJson,
  type Resumption,
  rowsAsOne,
  summarizeReport,
} from "../src/index.ts"
import { allowance, type Answer, play, type Scenario } from "./harness.ts"

const address = (index: number) => `0x${(index + 1).toString(16).padStart(40, "0")}`
const holders = (count: number) =>
  `address,label\n${Array.from({ length: count }, (_, index) => `${address(index)},h${index}\n`).join("")}`
const balances = (more = "") =>
  `### Balances\n# @name balances\n# @each holders.csv\n# @retry 0\n${more}eth_getBalance [{{row.address}}, "latest"]\n`

const indexOf = (params: Json.Json): number => Number(BigInt(Json.isArray(params) ? String(params[0]) : "0x0")) - 1
const balanceOf = (index: number): string => `0x${(index * 10).toString(16)}`
const answer = (params: Json.Json): Answer => ({ result: balanceOf(indexOf(params)) })
const reverted: Answer = {
  reason: new RpcReason.Rejected({ said: "execution reverted", rpcCode: 3 }),
  outcome: "rpc-error",
}

const logIn = (blockNumber: string | null) => ({
  removed: false,
  logIndex: "0x0",
  transactionIndex: "0x0",
  transactionHash: `0x${"ab".repeat(32)}`,
  blockHash: `0x${"ab".repeat(32)}`,
  blockNumber,
  address: address(0),
  data: "0x",
  topics: [],
})

const playRows = (
  count: number,
  scenario: Partial<Scenario> & { readonly more?: string; readonly checks?: string } = {},
) =>
  play({
    text: `${balances(scenario.more)}${scenario.checks ?? ""}`,
    texts: { "holders.csv": holders(count) },
    answers: { eth_getBalance: answer },
    ...scenario,
  })

const only = (reports: ReadonlyArray<RequestReport>): RequestReport => {
  const [report] = reports
  if (report === undefined || reports.length > 1) throw new Error("there is more than one report, or none")
  return report
}

const statuses = ({ rows = [] }: RequestReport) => rows.map(({ status }) => status).join(" ")

/** Plain JSON, as a program that keeps it would read it again. */
const kept = ({ partial }: RequestReport): Resumption => {
  if (partial?.point === undefined) throw new Error("nothing was kept")
  return JSON.parse(JSON.stringify({ point: partial.point, result: partial.result }))
}

describe("a request with # @each", () => {
  it.effect("makes one call for each row and reports each", () =>
    Effect.gen(function* () {
      const { plan, reports, sent } = yield* playRows(3, { checks: "?? result >= 0\n?? every(result < 30)\n" })
      const report = only(reports)
      expect(plan.estimate).toMatchObject({ min: 240, max: 240 })
      expect(sent.map(({ params }) => indexOf(params))).toEqual([0, 1, 2])
      expect(report).toMatchObject({ status: "ok", calls: 3, credits: 240, result: ["0x0", "0xa", "0x14"] })
      expect(report.checks.map(({ ok }) => ok)).toEqual([true, true])
      const json = requestJson(report, lineIndex(plan.analysis.tree.tokens.text))
      expect(json).toMatchObject({
        status: "ok",
        result: ["0x0", "0xa", "0x14"],
        rows: [
          { index: 0, row: { address: address(0), label: "h0" }, status: "ok", result: "0x0", credits: 80 },
          { index: 1, status: "ok" },
          { index: 2, status: "ok" },
        ],
      })
    }),
  )

  it.effect("draws one table with the columns of the rows first", () =>
    Effect.gen(function* () {
      const report = only((yield* playRows(2)).reports)
      const table = report.render?.(10)
      expect(table?.columns.map(({ name }) => name)).toEqual(["address", "label", "result"])
      expect(table?.rows[1]?.slice(0, 2)).toEqual([address(1), "h1"])
      expect(summarizeReport(report)).toContain("2 rows · 2 calls")
    }),
  )

  it.effect("names what each line is made from, and draws any of them", () =>
    Effect.gen(function* () {
      for (const more of ["", "# @budget 250\n"]) {
        const report = only((yield* playRows(4, { more })).reports)
        const { items = [], render } = report.partial ?? report
        expect(items).toHaveLength(more === "" ? 4 : 3)
        expect(items[1]).toEqual({ row: { address: address(1), label: "h1" }, result: "0xa" })
        expect(render?.(10, items.slice(1, 3)).rows).toEqual(render?.(10).rows.slice(1, 3))
      }
    }),
  )

  it.effect("tells how many rows are done, and what all of them cost before the first is sent", () =>
    Effect.gen(function* () {
      const { events } = yield* playRows(3)
      const progress = events.flatMap((event) => (event._tag === "RequestProgress" ? (event.rows ?? []) : []))
      expect(progress.map(({ done }) => done)).toEqual([0, 1, 2, 3])
      expect(progress[0]).toMatchObject({ total: 3, price: { min: 240, max: 240 } })
    }),
  )

  it.effect("hands on each row once it was paid for, and none that an earlier run paid for", () =>
    Effect.gen(function* () {
      const paid: Array<PaidRow> = []
      const options = { onPaidRow: (_: BoundRequest, row: PaidRow) => void paid.push(row) }
      const answers = { eth_getBalance: (params: Json.Json) => (indexOf(params) === 1 ? reverted : answer(params)) }
      const first = only((yield* playRows(2, { answers, options })).reports)
      expect(paid.map(({ result }) => result)).toEqual(["0x0", undefined])
      expect(paid[1]?.error).toMatchObject({ reason: "Rejected" })
      expect(rowsAsOne(paid)).toMatchObject({ result: first.paid?.result })
      const resume = new Map([[0, rowsAsOne(paid)]])
      const { reports } = yield* playRows(3, { answers, options: { ...options, resume } })
      expect(only(reports)).toMatchObject({ calls: 1, credits: 80 })
      expect(paid.map(({ result }) => result)).toEqual(["0x0", undefined, "0x14"])
    }),
  )

  it.effect("hands the array of its results on", () =>
    Effect.gen(function* () {
      const { reports } = yield* playRows(2, {
        text: `${balances()}\n###\n@last = balances.result[1]\neth_getBlockByNumber [{{last}}, false]\n`,
        answers: { eth_getBalance: answer, eth_getBlockByNumber: { result: null } },
      })
      expect(reports.map(({ status }) => status)).toEqual(["ok", "ok"])
    }),
  )

  it.effect("takes rows from the result of another request, priced once they are known", () =>
    Effect.gen(function* () {
      const { events, plan, reports, sent } = yield* play({
        text: "### a\n# @name list\neth_getLogs [{}]\n### b\n# @each list\neth_getBlockByNumber [{{row.blockNumber}}, false]\n",
        answers: {
          eth_getLogs: { result: [logIn("0x1"), logIn("0x2")] },
          eth_getBlockByNumber: { result: null },
        },
      })
      expect(plan.estimate).toMatchObject({ min: 255, max: undefined })
      expect(sent.slice(1).map(({ params }) => params)).toEqual([
        ["0x1", false],
        ["0x2", false],
      ])
      expect(reports[1]).toMatchObject({ status: "ok", rows: [{ row: { value: logIn("0x1") } }, {}] })
      const first = events.find((event) => event._tag === "RequestProgress" && event.rows !== undefined)
      expect(first).toMatchObject({ rows: { done: 0, total: 2, price: { max: 160 } } })
    }),
  )

  it.effect("sends no row that cannot be right, and all others, where the rows are a result", () =>
    Effect.gen(function* () {
      const { plan, reports, sent } = yield* play({
        text: "### a\n# @name list\neth_getLogs [{}]\n### b\n# @each list\neth_getBlockByNumber [{{row.blockNumber}}, false]\n",
        answers: {
          eth_getLogs: { result: [logIn(null), logIn("0x2")] },
          eth_getBlockByNumber: { result: null },
        },
      })
      expect(sent).toHaveLength(2)
      expect(statuses(reports[1] ?? only([]))).toBe("failed ok")
      expect(reports[1]?.error?.message).toContain("1 of 2 rows failed; the first is row 1 of list")
      expect(exitCodeOf(plan.diagnostics, reports)).toBe(2)
    }),
  )

  it.effect("says which rows an RPC error came for, and keeps the other results", () =>
    Effect.gen(function* () {
      const { reports } = yield* playRows(4, {
        answers: { eth_getBalance: (params) => (indexOf(params) === 2 ? reverted : answer(params)) },
        checks: "?? result >= 0\n?? count(result != null) == 3\n",
      })
      const report = only(reports)
      expect(statuses(report)).toBe("ok ok rpc-error ok")
      expect(report).toMatchObject({ status: "rpc-error", result: ["0x0", "0xa", null, "0x1e"], credits: 320 })
      expect(report.error?.message).toContain("1 of 4 rows failed; the first is holders.csv:4: execution reverted")
      expect(report.checks.map(({ ok, skipped }) => [ok, skipped])).toEqual([
        [false, true],
        [true, undefined],
      ])
    }),
  )

  it.effect("says which checks of a row failed, of many the first ones", () =>
    Effect.gen(function* () {
      const checks = ["result < 0", "result >= 0", "result < 1", "result < 2", "result < 3"]
      const { reports } = yield* playRows(4, { checks: checks.map((check) => `?? ${check}\n`).join("") })
      expect(only(reports).rows?.map(({ error }) => error?.message)).toEqual([
        "1 of 5 checks failed: result < 0",
        "4 of 5 checks failed: result < 0; result < 1; result < 2; and 1 more",
        "4 of 5 checks failed: result < 0; result < 1; result < 2; and 1 more",
        "4 of 5 checks failed: result < 0; result < 1; result < 2; and 1 more",
      ])
    }),
  )

  it.effect("expects the errors that a check about all rows asks for", () =>
    Effect.gen(function* () {
      for (const [checks, status, exitCode] of [
        ["?? count(error) == 1\n", "ok", 0],
        ["?? result >= 0\n?? some(error.code == 3)\n", "ok", 0],
        ["?? count(error) == 2\n", "rpc-error", 3],
        ["?? count(error) == 1\n?? error == null\n", "rpc-error", 3],
        ["?? every(result >= 0)\n", "rpc-error", 3],
      ] as const) {
        const { plan, reports } = yield* playRows(4, {
          answers: { eth_getBalance: (params) => (indexOf(params) === 2 ? reverted : answer(params)) },
          checks,
        })
        expect([checks, only(reports).status, exitCodeOf(plan.diagnostics, reports)]).toEqual([
          checks,
          status,
          exitCode,
        ])
      }
    }),
  )

  it.effect("says which row a check fails for", () =>
    Effect.gen(function* () {
      const { reports } = yield* playRows(4, { checks: "?? result < 20\n" })
      const report = only(reports)
      expect(report.status).toBe("check-failed")
      expect(statuses(report)).toBe("ok ok check-failed check-failed")
      expect(report.checks[0]).toMatchObject({
        ok: false,
        actual: "0x14",
        problem: 'fails for 2 of 4 rows; the first is holders.csv:4: actual "0x14"',
      })
    }),
  )

  it.effect("says of how many rows a check about all of them is true", () =>
    Effect.gen(function* () {
      const { reports } = yield* playRows(4, { checks: "?? some(result > 99)\n?? count(result >= 0) == 3\n" })
      expect(only(reports).checks.map(({ problem }) => problem)).toEqual(["true of 0 of 4 rows", "true of 4 of 4 rows"])
    }),
  )

  it.effect("says what a row has in the units of its check", () =>
    Effect.gen(function* () {
      const { reports } = yield* playRows(3, { checks: '?? result < units("0.02", 3)\n' })
      expect(only(reports).checks[0]).toMatchObject({
        actualAmount: "0.02",
        problem: 'fails for 1 of 3 rows; the first is holders.csv:4: actual 0.02, "0x14"',
      })
    }),
  )

  it.effect("sends no row after one that is not good with --bail", () =>
    Effect.gen(function* () {
      const { reports, sent } = yield* playRows(5, { checks: "?? result < 20\n", options: { bail: true } })
      expect(sent).toHaveLength(3)
      expect(statuses(only(reports))).toBe("ok ok check-failed skipped skipped")
    }),
  )

  it.effect("stops at its budget, keeps what was paid for, and is resumed with the other rows", () =>
    Effect.gen(function* () {
      const first = yield* playRows(20, { more: "# @budget 850\n" })
      const report = only(first.reports)
      expect(report).toMatchObject({
        status: "refused",
        credits: 800,
        error: { reason: "BudgetRefused", budgetNeeded: 1_600 },
      })
      expect(report.error?.message).toContain("10 of 20 rows were paid for")
      expect(first.sent).toHaveLength(10)
      const second = yield* playRows(20, { options: { resume: new Map([[0, kept(report)]]) } })
      expect(second.sent.map(({ params }) => indexOf(params))).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
      const end = only(second.reports)
      expect(end).toMatchObject({ status: "ok", credits: 800 })
      expect(end.result).toEqual(Array.from({ length: 20 }, (_, index) => balanceOf(index)))
      expect(end.rows?.filter(({ resumed }) => resumed === true)).toHaveLength(10)
    }),
  )

  it.effect("makes equal calls once, and prices them so", () =>
    Effect.gen(function* () {
      const equal = {
        "holders.csv": `address,label\n${[0, 1, 0, 0, 1].map((index) => `${address(index)},h\n`).join("")}`,
      }
      const { plan, reports, sent } = yield* playRows(0, { texts: equal, checks: "?? sum(result) == 20\n" })
      expect(plan.estimate).toMatchObject({ min: 160, max: 160 })
      expect(sent.map(({ params }) => indexOf(params))).toEqual([0, 1])
      expect(only(reports)).toMatchObject({ status: "ok", calls: 2, credits: 160 })
      expect(only(reports).result).toEqual(["0x0", "0xa", "0x0", "0x0", "0xa"])
      const short = yield* playRows(0, { texts: equal, more: "# @budget 100\n" })
      expect(statuses(only(short.reports))).toBe("ok refused ok ok refused")
      expect(only(short.reports).paid?.result).toEqual(["0x0"])
      const options = { resume: new Map([[0, kept(only(short.reports))]]) }
      const resumed = yield* playRows(0, { texts: equal, options })
      expect(resumed.sent.map(({ params }) => indexOf(params))).toEqual([1])
    }),
  )

  it.effect("makes each call of a method that must not be repeated, and knows which were made", () =>
    Effect.gen(function* () {
      const text = "###\n# @each t.csv\n# @retry 0\neth_sendRawTransaction [{{row.t}}]\n"
      const texts = { "t.csv": "t\n0x02\n0x02\n0x02\n" }
      const answers = { eth_sendRawTransaction: { result: `0x${"ab".repeat(32)}` } }
      const selection = { writes: true }
      const first = yield* play({ text, texts, answers, selection, options: { allowance: allowance(200) } })
      const paid = only(first.reports)
      expect(first.sent.length).toBeGreaterThan(0)
      expect(first.sent.length).toBeLessThan(3)
      const resumed = yield* play({ text, texts, answers, selection, options: { resume: new Map([[0, kept(paid)]]) } })
      expect(first.sent.length + resumed.sent.length).toBe(3)
    }),
  )

  it.effect("resumes rows by their calls, wherever they stand in the file by then", () =>
    Effect.gen(function* () {
      const first = only((yield* playRows(3, { options: { allowance: allowance(160) } })).reports)
      const resume = new Map([[0, kept(first)]])
      const { reports, sent } = yield* playRows(3, {
        texts: { "holders.csv": `address\n${address(7)}\n${address(1)}\n${address(0)}\n` },
        options: { resume },
      })
      expect(sent.map(({ params }) => indexOf(params))).toEqual([7])
      expect(only(reports).result).toEqual([balanceOf(7), balanceOf(1), balanceOf(0)])
    }),
  )
})

const separately = (count: number) =>
  play({
    text: Array.from(
      { length: count },
      (_, index) => `###\n# @retry 0\neth_getBalance ["${address(index)}", "latest"]\n`,
    ).join(""),
    answers: { eth_getBalance: answer },
  })

it.effect("law: rows have the results and the price of separate requests", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (count) => {
        const rows = await Effect.runPromise(playRows(count))
        const alone = await Effect.runPromise(separately(count))
        expect(only(rows.reports).result).toEqual(alone.reports.map(({ result }) => result))
        expect(rows.credits.spent).toBe(alone.credits.spent)
        expect(rows.plan.estimate).toEqual(alone.plan.estimate)
      }),
      { numRuns: 20 },
    ),
  ),
)

/** How a call of a row ends each time it is made: with an answer, an RPC error, no answer that is charged, or nothing that is. */
const endings = fc.constantFrom("answer", "error", "lost", "unsent")
const price = 80

it.effect(
  "law: no budget is exceeded, none is left that a row would fit in, and each answered row is paid for once",
  () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(endings, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 25 }),
          fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 2, maxLength: 3 }),
          async (rows, budgets) => {
            const calls = rows.map(() => 0)
            const answered = rows.map(() => 0)
            const scripted = (params: Json.Json): Answer => {
              const index = indexOf(params)
              const ending = rows[index]?.[calls[index] ?? 0] ?? "answer"
              calls[index] = (calls[index] ?? 0) + 1
              if (ending === "answer" || ending === "error") answered[index] = (answered[index] ?? 0) + 1
              if (ending === "answer") return answer(params)
              if (ending === "error") return reverted
              const outcome = ending === "lost" ? "timeout" : "unsent"
              return { reason: new RpcReason.Transport({ said: "the connection was lost" }), outcome }
            }
            let resume: Resumption | undefined
            for (const budget of budgets) {
              const { credits, reports } = await Effect.runPromise(
                playRows(rows.length, {
                  answers: { eth_getBalance: scripted },
                  options: {
                    allowance: allowance(budget),
                    ...(resume === undefined ? {} : { resume: new Map([[0, resume]]) }),
                  },
                }),
              )
              const report = only(reports)
              expect(credits.spent).toBeLessThanOrEqual(budget)
              expect(report.rows).toHaveLength(rows.length)
              expect(report.rows?.reduce((sum, row) => sum + row.credits, 0)).toBe(credits.spent)
              if (report.status === "refused") expect(budget - credits.spent).toBeLessThan(price)
              else expect(report.rows?.some(({ status }) => status === "refused")).toBe(false)
              for (const { result, row, status } of report.rows ?? [])
                if (status === "ok") expect(result).toBe(balanceOf(row.index))
              if (report.partial?.point !== undefined) resume = kept(report)
              if (report.partial === undefined && report.result !== undefined) break
            }
            expect(Math.max(0, ...answered)).toBeLessThanOrEqual(1)
          },
        ),
        { numRuns: runs(60) },
      ),
    ),
)
