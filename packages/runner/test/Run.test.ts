import { describe, expect, it } from "@effect/vitest"
import { lineIndex } from "@dotrpc/lang/locate"
import { RpcReason } from "@dotrpc/spec"
import { Effect } from "effect"
import { type CheckReport, exitCodeOf, isGood, requestJson } from "../src/index.ts"
import { allowance, type Answer, play } from "./harness.ts"

const hash = `0x${"ab".repeat(32)}`
const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const log = {
  removed: false,
  logIndex: "0x0",
  transactionIndex: "0x0",
  transactionHash: hash,
  blockHash: hash,
  blockNumber: "0x1",
  address,
  data: "0x",
  topics: [],
}
const logs: Answer = { result: [log] }
const noReceipt: Answer = { result: null }
const word = `0x${"00".repeat(31)}05`
const storage: Answer = { result: word }
const tooMany: Answer = {
  reason: new RpcReason.SplitRequired({
    cause: "results",
    rpcCode: -32005,
    said: "query returned more than 10000 results",
  }),
  outcome: "rpc-error",
}
const refusedConnection: Answer = { reason: new RpcReason.Transport({ said: "could not connect" }), outcome: "unsent" }

const getLogs = "# @name logs\neth_getLogs [{}]\n"
const getReceipt = "eth_getTransactionReceipt [{{logs.result[0].transactionHash}}]\n"
const getStorage = `eth_getStorageAt ["${address}", "0x0", "latest"]\n`

describe("a run", () => {
  it.effect("shows times in the zone that the reader wants", () =>
    Effect.gen(function* () {
      const scenario = {
        text: `###\n${getStorage}`,
        answers: { eth_getStorageAt: { result: `0x${"0".repeat(56)}6553f100` } },
      }
      const timeIn = (timeZone: string) =>
        Effect.map(play({ ...scenario, options: { timeZone } }), ({ reports }) =>
          reports[0]?.render?.(20).rows.find(([name]) => name === "time"),
        )
      expect(yield* timeIn("Asia/Tokyo")).toEqual(["time", "2023-11-15 07:13:20 +09:00"])
      expect(yield* timeIn("UTC")).toEqual(["time", "2023-11-14 22:13:20 +00:00"])
    }),
  )

  it.effect("runs what a request refers to first and hands its result on", () =>
    Effect.gen(function* () {
      const { sent, reports, credits } = yield* play({
        text: `### receipt\n${getReceipt}\n### logs\n${getLogs}`,
        answers: { eth_getLogs: logs, eth_getTransactionReceipt: noReceipt },
      })
      expect(sent.map((call) => [call.method, call.params])).toEqual([
        ["eth_getLogs", [{}]],
        ["eth_getTransactionReceipt", [hash]],
      ])
      expect(reports.map((report) => [report.request.label, report.status, report.credits])).toEqual([
        ["receipt", "ok", 80],
        ["logs", "ok", 255],
      ])
      expect(credits).toMatchObject({ spent: 335, remaining: 2_999_665 })
    }),
  )

  it.effect("runs only what was chosen, and what that needs", () =>
    Effect.gen(function* () {
      const { sent } = yield* play({
        text: `### a\n${getLogs}### b\n# @name receipt\n${getReceipt}### c\n${getStorage}`,
        answers: { eth_getLogs: logs, eth_getTransactionReceipt: noReceipt },
        selection: { names: ["receipt"] },
      })
      expect(sent.map((call) => call.method)).toEqual(["eth_getLogs", "eth_getTransactionReceipt"])
    }),
  )

  it.effect("is not concerned with what is wrong in a section that was not chosen", () =>
    Effect.gen(function* () {
      const wrong = `### broken\neth_getLogs [{ "blockhash": "${hash}" }]\n`
      const codes = (plan: { readonly diagnostics: ReadonlyArray<{ readonly code: string }> }) =>
        plan.diagnostics.map(({ code }) => code)
      const scenario = {
        text: `${wrong}### good\n${getStorage}### cut off\n${getStorage.slice(0, -2)}`,
        answers: { eth_getStorageAt: storage },
      }
      const chosen = yield* play({ ...scenario, selection: { names: ["good"] } })
      expect(codes(chosen.plan)).toEqual([])
      expect(exitCodeOf(chosen.plan.diagnostics, chosen.reports)).toBe(0)
      const other = yield* play({ ...scenario, selection: { names: ["broken"] } })
      expect(codes(other.plan)).toEqual(["A105"])
      const cut = yield* play({ ...scenario, selection: { names: ["cut off"] } })
      expect(codes(cut.plan)).not.toEqual([])
      expect(codes(cut.plan)).not.toContain("A105")
      const needing = yield* play({
        text: `@nothing =\n${wrong.replace("\n", "\n# @name lost\n")}### b\neth_getLogs [{{lost.result[0]}}]\n`,
        answers: {},
        selection: { names: ["b"] },
      })
      expect(codes(needing.plan)).toContain("A105")
      expect(needing.plan.diagnostics.some(({ start }) => start < 12)).toBe(true)
    }),
  )

  it.effect("reports a broken section and runs the good ones", () =>
    Effect.gen(function* () {
      const { sent, reports } = yield* play({
        text: `### broken\neth_getLogs [{ "blockhash": "${hash}" }]\n### good\n${getStorage}`,
        answers: { eth_getStorageAt: storage },
      })
      expect(sent.map((call) => call.method)).toEqual(["eth_getStorageAt"])
      expect(reports.map((report) => report.status)).toEqual(["failed", "ok"])
      expect(reports[0]?.error?.message).toMatch(/did you mean "blockHash"/)
      expect(exitCodeOf([], reports)).toBe(2)
    }),
  )

  it.effect("names the network that has a method where the server does not", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:1"
      const missing: Answer = {
        reason: new RpcReason.Unsupported({ said: "nope", rpcCode: -32_601, lacks: "method" }),
        outcome: "rpc-error",
      }
      const adviceWith = (networks: Readonly<Record<string, object>>) =>
        Effect.map(
          play({
            text: `###\n${getStorage}`,
            answers: { eth_getStorageAt: missing },
            workspace: { config: { networks: { evm: { plugin: "evm", url }, ...networks } } },
          }),
          ({ reports }) => reports[0]?.error?.advice,
        )
      const has = (answer: boolean) => ({ plugin: "evm", url, methods: { eth_getStorageAt: answer } })
      const l2 = { plugin: "l2-events", url }
      expect(yield* adviceWith({ a: { plugin: "evm", url }, b: has(true) })).toBe(
        'This network does not have the method; network "b" has it: write # @network b.',
      )
      // Each would name the next one, for the price of a call, and the last one the first.
      for (const networks of [{ a: { plugin: "evm", url } }, { evm: has(true), b: has(true) }, { b: has(false), l2 }])
        expect(yield* adviceWith(networks)).toMatch(/^Send the call to a network that has the method/)
    }),
  )

  it.effect("skips what needs the result of a failed request, and says so", () =>
    Effect.gen(function* () {
      const { sent, reports } = yield* play({
        text: `### a\n${getLogs}### b\n${getReceipt}`,
        answers: { eth_getLogs: tooMany },
      })
      expect(sent).toHaveLength(1)
      expect(reports.map((report) => [report.status, report.credits, report.error?.message])).toEqual([
        ["rpc-error", 255, "query returned more than 10000 results"],
        ["skipped", 0, 'not run: it needs the result of "logs", which failed'],
      ])
      expect(exitCodeOf([], reports)).toBe(3)
    }),
  )

  it.effect("never sends a query again that can only be split", () =>
    Effect.gen(function* () {
      const { sent, credits } = yield* play({ text: `###\n${getLogs}`, answers: { eth_getLogs: tooMany } })
      expect(sent).toHaveLength(1)
      expect(credits.spent).toBe(255)
    }),
  )

  it.effect("sends nothing for a value that turns out wrong", () =>
    Effect.gen(function* () {
      const { sent, reports } = yield* play({
        text: `### a\n${getLogs}### b\n${getReceipt}`,
        answers: { eth_getLogs: { result: [] } },
      })
      expect(sent).toHaveLength(1)
      expect(reports[1]).toMatchObject({ status: "failed", error: { message: "there is no item 0: the array has 0" } })
    }),
  )
})

describe("budgets", () => {
  it.effect("a request above its own budget is refused and sends nothing", () =>
    Effect.gen(function* () {
      const { sent, reports } = yield* play({ text: `###\n# @budget 254\n${getLogs}`, answers: {} })
      expect(sent).toEqual([])
      expect(reports[0]).toMatchObject({ status: "refused", credits: 0, error: { reason: "BudgetRefused" } })
      expect(exitCodeOf([], reports)).toBe(4)
    }),
  )

  it.effect("a run stops at its limit with what it has", () =>
    Effect.gen(function* () {
      const { reports, credits } = yield* play({
        text: `### a\n${getLogs}### b\n${getReceipt}`,
        answers: { eth_getLogs: logs },
        options: { allowance: allowance(300) },
      })
      expect(reports.map((report) => report.status)).toEqual(["ok", "refused"])
      expect(credits.spent).toBe(255)
    }),
  )

  it.effect("the daily balance is never overdrawn, however many requests run in parallel", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 8 }, (_, index) => `### ${index}\n${getStorage}`).join("")
      const { reports, credits } = yield* play({
        text,
        answers: { eth_getStorageAt: storage },
        daily: 250,
        options: { parallel: 8 },
      })
      expect(reports.filter((report) => report.status === "ok")).toHaveLength(3)
      expect(credits).toMatchObject({ spent: 240, remaining: 10 })
    }),
  )
})

describe("bail", () => {
  it.effect("leaves the rest out, marked as skipped", () =>
    Effect.gen(function* () {
      const { sent, reports } = yield* play({
        text: `### a\n${getLogs}?? result.length == 7\n### b\n${getStorage}### c\n${getStorage}`,
        answers: { eth_getLogs: logs },
        options: { bail: true },
      })
      expect(sent).toHaveLength(1)
      expect(reports.map((report) => report.status)).toEqual(["check-failed", "skipped", "skipped"])
      expect(isGood(reports[0] ?? expect.fail("there is no report"))).toBe(false)
    }),
  )
})

describe("checks", () => {
  const check = (text: string, expected: Readonly<Record<string, unknown>>) =>
    it.effect(text, () =>
      Effect.gen(function* () {
        const { reports } = yield* play({
          text: `###\n${getStorage}?? ${text}\n`,
          answers: { eth_getStorageAt: storage },
        })
        expect(reports[0]?.checks).toMatchObject([{ text, ...expected }])
      }),
    )
  check("result == 5", { ok: true })
  check("result == 0x5", { ok: true })
  check("result != 0x05", { ok: false, actual: word, expected: "0x05" })
  check('result > units(1, "gwei")', { ok: false, actual: word, actualAmount: "0.000000005 gwei", expected: 1e9 })
  check("result == (units(1, 3))", { ok: false, actual: word, actualAmount: "0.005" })
  check("result > 4 && credits == 80", { ok: true })
  check("error == null || error.code > 0", { ok: true })
  check("error != null && error.code > 0", { ok: false, actual: null, expected: null })
  check("result > 4 && credits <= 10", { ok: false, actual: 80, expected: 10 })
  check("result > 5 && credits <= 10", { ok: false, actual: word, expected: 5 })
  check("(result > 4 && credits <= 10) && ms > 0", { ok: false, actual: 80, expected: 10 })
  check("result > 4 && result.nothing", { ok: false, problem: "the value is null, which counts as false" })
  check("result > 5 || credits <= 10", { ok: false, actual: 80, expected: 10 })
  check("result.nothing == null", { ok: true })
  check("error == null", { ok: true })
  check("calls == 1", { ok: true })
  check("0", { ok: false, problem: "the value is 0, which counts as false" })
  check("result.nothing", { ok: false, problem: "the value is null, which counts as false" })
  check('""', { ok: false, problem: "the value is an empty string, which counts as false" })
  check("false", { ok: false })
  check('"0x0"', { ok: true })
  check("0x0", { ok: true })
  check('result > "many"', { ok: false, problem: '">" needs two numbers, found a string and a string' })

  it.effect("over items say of how many they are true", () =>
    Effect.gen(function* () {
      const checks = [
        ["some(result[*].logIndex > 0x900)", "true of 0 of 2 items"],
        ["!some(result[*].logIndex >= 0)", "true of 2 of 2 items"],
        ["count(result[*].logIndex >= 0) < 2", "true of 2 of 2 items"],
        ["count(result[*] == 1) == count(result[*] == 1) + 1", "true of 0 of 2 items"],
      ] as const
      const text = `###\n${getLogs}${checks.map(([check]) => `?? ${check}\n`).join("")}`
      const { reports } = yield* play({ text, answers: { eth_getLogs: { result: [log, log] } } })
      expect(reports[0]?.checks.map(({ problem }) => problem)).toEqual(checks.map(([, problem]) => problem))
    }),
  )

  it.effect("that fail on a secret do not say what it is", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({
        text: `###\n${getStorage}?? $secret.API_KEY\n?? hex($secret.API_KEY)\n`,
        answers: { eth_getStorageAt: storage },
        workspace: { env: (name) => ({ API_KEY: "canary-5e3a" })[name] },
      })
      expect(reports[0]?.checks.map((entry) => entry.ok)).toEqual([false, false])
      expect(JSON.stringify(reports[0]?.checks)).not.toContain("canary")
    }),
  )

  const told = ({ ok, skipped }: CheckReport) => (skipped ? "not checked" : ok ? "holds" : "fails")
  const checkError = (what: string, checks: string, verdicts: ReadonlyArray<string>, code: number) =>
    it.effect(`of a request that failed ${what}`, () =>
      Effect.gen(function* () {
        const { reports } = yield* play({ text: `###\n${getLogs}${checks}\n`, answers: { eth_getLogs: tooMany } })
        expect(reports[0]?.status).toBe("rpc-error")
        expect(reports[0]?.checks.map(told)).toEqual(verdicts)
        expect(exitCodeOf([], reports)).toBe(code)
      }),
    )
  checkError(
    "are not made on the result that never came",
    "?? result.length > 0\n?? credits <= 255",
    ["not checked", "not checked"],
    3,
  )
  checkError(
    "see its error, which was expected then",
    '?? error.code == -32005\n?? error.reason == "SplitRequired"',
    ["holds", "holds"],
    0,
  )
  checkError(
    "see what an expected error cost",
    "?? error.code == -32005\n?? credits == 255\n?? result == null",
    ["holds", "holds", "not checked"],
    0,
  )
  checkError("fail on what an expected error cost", "?? error.code == -32005\n?? credits == 1", ["holds", "fails"], 1)
  checkError(
    "see that its error is another one",
    "?? error.code == -32000\n?? result == 1",
    ["fails", "not checked"],
    3,
  )
  it.effect("read the data of an error, as do other requests and reports", () =>
    Effect.gen(function* () {
      const reverted: Answer = {
        reason: new RpcReason.InvalidParams({ rpcCode: 3, said: "reverted" }),
        outcome: "rpc-error",
        data: { reason: "0x08c379a0", limit: 18446744073709551615n },
      }
      const { plan, reports } = yield* play({
        text: `###\n# @name a\n${getStorage}?? error.data.limit == 18446744073709551615\n`,
        answers: { eth_getStorageAt: reverted },
      })
      expect(reports[0]).toMatchObject({ expected: true, checks: [{ ok: true }], error: { data: reverted.data } })
      const lines = lineIndex(plan.analysis.tree.tokens.text)
      expect(reports.map((report) => requestJson(report, lines))).toMatchObject([
        { error: { code: 3, reason: "InvalidParams", message: "reverted", data: reverted.data, retryable: false } },
      ])
    }),
  )

  checkError("see that there should be none", "?? error == null", ["fails"], 3)

  it.effect("expect an error and leave what needs the result unrun, which is a failure", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({
        text: `###\n${getLogs}?? error.code == -32005\n###\n${getReceipt}`,
        answers: { eth_getLogs: tooMany },
      })
      expect(reports.map(({ status }) => status)).toEqual(["rpc-error", "skipped"])
      expect(exitCodeOf([], reports)).toBe(3)
    }),
  )
})

describe("pages", () => {
  const filter = `{ "filter": { "from_block": "latest", "to_block": "latest", "chunk_size": 1 } }`
  const event = (n: number) => ({
    block_hash: "0x1",
    block_number: n,
    data: [],
    from_address: "0x1",
    keys: [],
    transaction_hash: "0x2",
  })
  const pages: ReadonlyArray<Answer> = [
    { result: { events: [event(1)], continuation_token: "a" } },
    { result: { events: [], continuation_token: "b" } },
    { result: { events: [event(2)] } },
  ]
  it.effect("are read to the last one, across an empty one, and joined in the method's own shape", () =>
    Effect.gen(function* () {
      const { reports, sent } = yield* play({
        text: `###\n# @all\nl2_getEvents ${filter}\n`,
        answers: { l2_getEvents: pages },
      })
      expect(reports[0]).toMatchObject({
        status: "ok",
        calls: 3,
        credits: 240,
        result: { events: [event(1), event(2)] },
      })
      expect(reports[0]?.result).not.toHaveProperty("continuation_token")
      expect(sent[1]?.params).toMatchObject({ filter: { continuation_token: "a" } })
    }),
  )
  it.effect("tell how many rows there are so far, and show the first of them", () =>
    Effect.gen(function* () {
      const { events } = yield* play({
        text: `###\n# @all\nl2_getEvents ${filter}\n`,
        answers: { l2_getEvents: pages },
      })
      const tables = events.flatMap((told) => (told._tag === "RequestProgress" ? (told.soFar?.(1) ?? []) : []))
      expect(tables.map(({ total, rows }) => [total, rows.length])).toEqual(
        expect.arrayContaining([
          [1, 1],
          [2, 1],
        ]),
      )
    }),
  )
  const named = (n: number, continuation_token: string) => ({ result: { events: [event(n)], continuation_token } })
  const repeated: ReadonlyArray<readonly [title: string, answers: ReadonlyArray<Answer>, read: ReadonlyArray<number>]> =
    [
      ["names its own token", [named(1, "a"), named(2, "a"), named(3, "a")], [1, 2]],
      ["ignores the token", [named(1, "a"), named(1, "a"), named(1, "a")], [1]],
      ["leads back to one before it", [named(1, "a"), named(2, "b"), named(3, "a"), named(4, "b")], [1, 2, 3]],
      ["has an empty token", [named(1, "a"), named(2, ""), named(3, "")], [1, 2]],
    ]
  for (const [title, answers, read] of repeated)
    it.effect(`end with what was read and a note when a page ${title}`, () =>
      Effect.gen(function* () {
        const { reports, sent } = yield* play({
          text: `###\n# @all\nl2_getEvents ${filter}\n`,
          answers: { l2_getEvents: answers },
        })
        expect(sent.length).toBeLessThanOrEqual(3)
        expect(reports[0]).toMatchObject({ status: "ok", calls: sent.length, result: { events: read.map(event) } })
        expect(reports[0]?.notes?.join()).toMatch(/^the server (named a page again|sent an empty token)/)
      }),
    )
  it.effect("stop at the budget with a refusal", () =>
    Effect.gen(function* () {
      const { reports, sent } = yield* play({
        text: `###\n# @all\n# @budget 160\nl2_getEvents ${filter}\n`,
        answers: { l2_getEvents: pages },
      })
      expect(sent).toHaveLength(2)
      expect(reports[0]).toMatchObject({ status: "refused", credits: 160 })
    }),
  )
  it.effect("stop once @limit items are there", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({
        text: `###\n# @all\n# @limit 1\nl2_getEvents ${filter}\n`,
        answers: { l2_getEvents: pages },
      })
      expect(reports[0]).toMatchObject({ status: "ok", calls: 1 })
    }),
  )
})

describe("a range of blocks", () => {
  const at = (block: number, index = 0) => ({
    ...log,
    blockNumber: `0x${block.toString(16)}`,
    logIndex: `0x${index.toString(16)}`,
  })
  it.effect("with @all is read in as many calls as it takes, and joined into one array", () =>
    Effect.gen(function* () {
      const { reports, sent } = yield* play({
        text: `###\n# @all\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x1" }]\n`,
        answers: { eth_getLogs: [tooMany, { result: [at(0), at(0, 1)] }, { result: [at(1)] }] },
      })
      expect(reports[0]).toMatchObject({ status: "ok", calls: 3, credits: 765, result: [at(0), at(0, 1), at(1)] })
      expect(sent.map((call) => call.params)).toEqual([
        [{ fromBlock: "0x0", toBlock: "0x1" }],
        [{ fromBlock: "0x0", toBlock: "0x0" }],
        [{ fromBlock: "0x1", toBlock: "0x1" }],
      ])
    }),
  )
  it.effect("stops once @limit items are there", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({
        text: `###\n# @all\n# @limit 1\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3" }]\n`,
        answers: { eth_getLogs: [{ result: [at(0), at(2)] }] },
      })
      expect(reports[0]).toMatchObject({ status: "ok", calls: 1, result: [at(0)] })
    }),
  )
  it.effect("stops at the budget with a refusal", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({
        text: `###\n# @all\n# @budget 600\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3" }]\n`,
        answers: { eth_getLogs: [tooMany, { result: [at(0)] }] },
      })
      expect(reports[0]).toMatchObject({ status: "refused", credits: 510 })
    }),
  )
  it.effect("may be longer than one call covers, with @all alone", () =>
    Effect.gen(function* () {
      const text = (all: string) => `###\n${all}eth_getBlockRange ["0x0", "0x7ff", false]\n`
      const single = yield* play({ text: text(""), answers: {} })
      expect(single.reports[0]).toMatchObject({ status: "failed", calls: 0 })
      const every = yield* play({ text: text("# @all\n"), answers: { eth_getBlockRange: { result: [] } } })
      expect(every.sent[0]?.params).toEqual(["0x0", "0x3e7", false])
      expect(every.reports[0]).toMatchObject({ status: "failed", error: { reason: "NodeBehind" } })
    }),
  )
  it.effect("without @all is one call", () =>
    Effect.gen(function* () {
      const { reports } = yield* play({
        text: `###\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3" }]\n`,
        answers: { eth_getLogs: tooMany },
      })
      expect(reports[0]).toMatchObject({ status: "rpc-error", calls: 1, error: { reason: "SplitRequired" } })
    }),
  )
})

describe("progress", () => {
  it.effect("reports the attempts of a request that is tried again", () =>
    Effect.gen(function* () {
      const { events, reports } = yield* play({
        text: `###\n# @retry 0\n${getStorage}`,
        answers: { eth_getStorageAt: refusedConnection },
      })
      expect(events.map((event) => event._tag)).toEqual([
        "RunStarted",
        "RequestStarted",
        "RequestProgress",
        "RequestFinished",
        "RunFinished",
      ])
      expect(reports[0]).toMatchObject({
        status: "failed",
        credits: 0,
        error: { reason: "Transport", retryable: true },
      })
    }),
  )
})
