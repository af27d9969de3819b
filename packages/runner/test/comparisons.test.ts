/** The same call on two networks: what is pinned, what differs, what it costs, and how a side that fails is reported. */
import { describe, expect, it } from "@effect/vitest"
import { Evm } from "@dotrpc/plugin-evm"
import { atOnce, Json, RpcReason } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import * as fc from "fast-check"
import { exitCodeOf, jsonReport, type RequestReport, summarizeComparison } from "../src/index.ts"
import { findingResultDifferences } from "../src/internal/resultDifferences.ts"
import { allowance, type AnswerTo, play, type Scenario } from "./harness.ts"

const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const balance = `eth_getBalance ["${holder}", "latest"]`
const compared = (call: string, ...directives: ReadonlyArray<string>) =>
  ["### a", "# @compare other", ...directives, call, ""].join("\n")

const config = {
  networks: {
    evm: { plugin: "evm", url: "embedded:evm" },
    other: { plugin: "evm", url: "embedded:other" },
    short: { plugin: "evm", url: "embedded:short", historyDepth: 128, blockTags: ["latest", "finalized"] },
    l2: { plugin: "l2-events", url: "embedded:l2" },
  },
}

const ok = (result: Json.Json) => ({ result })
const refused = { reason: new RpcReason.Rejected({ said: "no", rpcCode: -32_000 }), outcome: "rpc-error" } as const
const failing = { reason: new RpcReason.Timeout({ millis: 1 }), outcome: "timeout" } as const

const word = (digit: string) => `0x${digit.repeat(64)}`

/** Its number alone matters. */
const block = (number: number) =>
  ok({
    number: `0x${number.toString(16)}`,
    hash: word("a"),
    parentHash: word("b"),
    timestamp: "0x1",
    transactions: [],
    miner: holder,
    gasLimit: "0x1",
    gasUsed: "0x0",
    size: "0x1",
    extraData: "0x",
    logsBloom: null,
    nonce: null,
    difficulty: "0x0",
    stateRoot: word("c"),
    transactionsRoot: word("d"),
    receiptsRoot: word("e"),
    sha3Uncles: word("f"),
    uncles: [],
  })

const logs = 'eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x4" }]'
const log = (blockNumber: number, index: number, data = "0x") =>
  `{"address":"0x5fbdb2315678afecb367f032d93f642f64180aa3","topics":[],"data":"${data}","blockNumber":"0x${blockNumber.toString(16)}","blockHash":"0x${"0".repeat(63)}${blockNumber}","transactionHash":"0x${"1".repeat(64)}","transactionIndex":"0x0","logIndex":"0x${index.toString(16)}","removed":false}`

const heads = { evm: 120, other: 100 } as Readonly<Record<string, number>>
const atHead: AnswerTo = (_params, network) => block(heads[network] ?? 0)

const ran = (text: string, answers: Scenario["answers"], more: Partial<Scenario> = {}) =>
  play({
    text,
    answers: { eth_getBlockByNumber: atHead, eth_getBlockRange: atHead, ...answers },
    ...more,
    workspace: { config, ...more.workspace },
  })

const codeOf = (reports: ReadonlyArray<RequestReport>) => exitCodeOf([], reports)

const sides =
  (left: Json.Json, right: Json.Json): AnswerTo =>
  (_params, network) =>
    ok(network === "evm" ? left : right)

describe("a comparison", () => {
  it.effect("makes the call on both networks, of the older of their newest blocks", () =>
    Effect.gen(function* () {
      const { sent, reports, credits, plan } = yield* ran(compared(balance), { eth_getBalance: ok("0x1") })
      expect(sent.map(({ method, network, params }) => [method, network, params])).toEqual([
        ["eth_getBlockByNumber", "evm", ["latest", false]],
        ["eth_getBlockByNumber", "other", ["latest", false]],
        ["eth_getBalance", "evm", [holder, "0x64"]],
        ["eth_getBalance", "other", [holder, "0x64"]],
      ])
      expect(reports[0]?.status).toBe("ok")
      expect(reports[0]?.compare?.equal).toBe(true)
      expect(reports[0]?.note).toBe("latest is block 100 on evm and other")
      expect([reports[0]?.credits, reports[0]?.compare?.credits]).toEqual([160, 160])
      expect(plan.estimate).toEqual({ min: 320, max: 320, assumed: false })
      expect(credits.spent).toBe(320)
      expect(codeOf(reports)).toBe(0)
    }),
  )

  it.effect("looks a tag up once in a run", () =>
    Effect.gen(function* () {
      const text = `${compared(balance)}\n### b\n# @compare other\neth_getCode ["${holder}"]\n`
      const answers = { eth_getBalance: ok("0x1"), eth_getCode: ok("0x") }
      const { credits, plan, sent } = yield* ran(text, answers)
      expect(sent.filter(({ method }) => method === "eth_getBlockByNumber")).toHaveLength(2)
      expect([credits.spent, plan.estimate.min, plan.estimate.max]).toEqual([480, 480, 480])
    }),
  )

  it.effect("asks a network that keeps few blocks again for each request, and for a tag that it has", () =>
    Effect.gen(function* () {
      const call = `# @compare short\neth_getBalance ["${holder}", "safe"]`
      const text = `### a\n${call}\n### b\n${call}\n`
      const { credits, plan, sent } = yield* ran(text, { eth_getBalance: ok("0x1") })
      expect(
        sent.filter(({ method }) => method === "eth_getBlockByNumber").map(({ network, params }) => [network, params]),
      ).toEqual(
        [0, 1].flatMap(() => [
          ["evm", ["safe", false]],
          ["short", ["latest", false]],
        ]),
      )
      expect(credits.spent).toBe(plan.estimate.max)
    }),
  )

  const equal = (
    name: string,
    call: string,
    method: string,
    left: string,
    right: string,
    expected: ReadonlyArray<string>,
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const { reports } = yield* ran(compared(call), { [method]: sides(Json.parse(left), Json.parse(right)) })
        const [report] = reports
        expect(report?.error?.message).toBeUndefined()
        expect(
          report?.compare?.differences.map(({ left, path, right }) => `${path}: ${said(left)} | ${said(right)}`),
        ).toEqual(expected)
        expect(report?.status).toBe(expected.length === 0 ? "ok" : "check-failed")
        expect(codeOf(reports)).toBe(expected.length === 0 ? 0 : 1)
      }),
    )
  const said = (value: Json.Json | undefined) => (value === undefined ? "" : Json.stringify(value))

  equal(
    "leaves out the parts that # @ignore names",
    `# @ignore result[*].data result[*].topics[0]\n${logs}`,
    "eth_getLogs",
    `[${log(1, 0, "0xaa")},${log(2, 0, "0xaa")}]`,
    `[${log(2, 0, "0xbb")},${log(1, 0, "0xbb")}]`,
    [],
  )
  equal(
    "matches rows by their places though these are not compared",
    `# @ignore result[*].blockNumber\n${logs}`,
    "eth_getLogs",
    `[${log(1, 0)},${log(2, 0)}]`,
    `[${log(2, 0)},${log(1, 0)}]`,
    [],
  )
  equal(
    "still finds a row that is missing, though a part of it is not compared",
    `# @ignore result[*].data\n${logs}`,
    "eth_getLogs",
    `[${log(1, 0)}]`,
    "[]",
    [`result[0]: ${log(1, 0)} | `],
  )
  equal(
    "compares nothing of a result that is left out",
    `# @ignore result[*]\n${logs}`,
    "eth_getLogs",
    `[${log(1, 0)}]`,
    "[]",
    [],
  )
  equal("names what differs", balance, "eth_getBalance", '"0x1"', '"0x2"', ['result: "0x1" | "0x2"'])
  equal(
    "compares bytes digit for digit",
    'eth_call [{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3"}, "0x1"]',
    "eth_call",
    '"0x0001"',
    '"0x01"',
    ['result: "0x0001" | "0x01"'],
  )
  const list = (...items: ReadonlyArray<string>) => `[${items.join(",")}]`
  equal(
    "takes logs in any order",
    logs,
    "eth_getLogs",
    list(log(1, 0), log(1, 1), log(2, 0)),
    list(log(2, 0), log(1, 1), log(1, 0)),
    [],
  )
  equal(
    "finds the log that is missing, by its block and index",
    logs,
    "eth_getLogs",
    list(log(1, 0), log(1, 1), log(2, 0)),
    list(log(1, 0), log(2, 0)),
    [`result[1]: ${log(1, 1)} | `],
  )
  equal(
    "finds the member that differs in a log",
    logs,
    "eth_getLogs",
    list(log(1, 0), log(2, 0, "0xaa")),
    list(log(0, 5), log(1, 0), log(2, 0, "0xbb")),
    [`result[0]:  | ${log(0, 5)}`, 'result[1].data: "0xaa" | "0xbb"'],
  )

  const unplaced = (data: string) => log(1, 0, data).replace(/,"logIndex":"0x0"/, "")
  equal(
    "takes logs that do not say where they are in their block in the order of each server",
    logs,
    "eth_getLogs",
    list(unplaced("0xaa"), unplaced("0xbb"), log(2, 0)),
    list(unplaced("0xaa"), unplaced("0xcc"), log(2, 0)),
    ['result[1].data: "0xbb" | "0xcc"'],
  )

  const failure = (
    name: string,
    [left, right]: readonly [AnswerTo | undefined, AnswerTo | undefined],
    expected: { readonly status: string; readonly words: string; readonly code: number; readonly text?: string },
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const answer: AnswerTo = (params, network) => (network === "evm" ? left : right)?.(params, network) ?? ok("0x1")
        const { reports } = yield* ran(expected.text ?? compared(balance, "# @retry 0"), { eth_getBalance: answer })
        const [report] = reports
        expect(report?.status).toBe(expected.status)
        expect(report?.compare?.differences).toEqual([])
        expect(report === undefined ? "" : summarizeComparison(report)).toContain(expected.words)
        expect(codeOf(reports)).toBe(expected.code)
      }),
    )
  failure("reports a failure of the other network as that, and not as a difference", [undefined, () => failing], {
    status: "compare-failed",
    words: "no result on other: ",
    code: 3,
  })
  failure("calls the other network although the first one failed", [() => refused, undefined], {
    status: "rpc-error",
    words: "no result to compare with the one on other",
    code: 3,
  })
  failure("agrees where the same error is expected", [() => refused, () => refused], {
    status: "rpc-error",
    words: "the same error on other",
    code: 0,
    text: `${compared(balance, "# @retry 0")}?? error.code == -32000\n`,
  })
  failure("does not agree where the other network does not return the expected error", [() => refused, undefined], {
    status: "rpc-error",
    words: "no result to compare with the one on other",
    code: 1,
    text: `${compared(balance, "# @retry 0")}?? error.code == -32000\n`,
  })

  it.effect("refuses both sides when the budget cannot pay for them", () =>
    Effect.gen(function* () {
      const { reports, sent } = yield* ran(compared(balance, "# @budget 319"), { eth_getBalance: ok("0x1") })
      expect(sent).toEqual([])
      expect([reports[0]?.status, reports[0]?.error?.budgetNeeded]).toEqual(["refused", 320])
      expect(codeOf(reports)).toBe(4)
      expect([reports[0]?.compare?.status, reports[0]?.compare?.error?.reason]).toEqual(["refused", "BudgetRefused"])
    }),
  )

  const ended = (
    name: string,
    answer: AnswerTo,
    directives: ReadonlyArray<string>,
    expected: readonly [status: string, own: number, other: string, spent: number],
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const call = 'eth_getLogs [{ "fromBlock": "0x60", "toBlock": "latest" }]'
        const { credits, reports } = yield* ran(compared(call, "# @all", "# @retry 0", ...directives), {
          eth_getLogs: answer,
        })
        const [report] = reports
        const { compare } = report ?? {}
        expect([report?.status, report?.credits, compare?.status, compare?.credits]).toEqual(expected)
        expect(credits.spent).toBe(expected[1] + expected[3])
        expect(compare?.error?.reason).toBe(expected[2] === "refused" ? "BudgetRefused" : "Skipped")
      }),
    )
  const split: AnswerTo = (params) => {
    const [{ fromBlock, toBlock }] = params as readonly [{ readonly fromBlock: string; readonly toBlock: string }]
    return fromBlock === toBlock
      ? ok([])
      : {
          reason: new RpcReason.SplitRequired({ said: "too many results", rpcCode: -32_005, cause: "results" }),
          outcome: "rpc-error",
        }
  }
  // 80 credits for each look-up, and 255 for each call of a piece, of which a budget of 900 pays for two.
  ended(
    "reports on the other side what a budget refused after the look-ups, and what they cost there",
    split,
    ["# @budget 900"],
    ["refused", 590, "refused", 80],
  )

  it.effect("says what was paid for the look-ups where the call fails without being sent to the other network", () =>
    Effect.gen(function* () {
      const { credits, reports } = yield* ran(compared(balance, "# @retry 0"), {
        eth_getBalance: ok("0x1"),
        eth_getBlockByNumber: (_params, network) =>
          network === "evm" ? block(120) : { reason: new RpcReason.Timeout({ millis: 1 }), outcome: "timeout" },
      })
      const [report] = reports
      expect([report?.status, report?.compare?.status]).toEqual(["compare-failed", "failed"])
      expect(credits.spent).toBe((report?.credits ?? 0) + (report?.compare?.credits ?? 0))
    }),
  )
  it.effect("never spends more than the run may", () =>
    Effect.gen(function* () {
      const text = `${compared(balance)}\n### b\n# @compare other\neth_getCode ["${holder}"]\n`
      const options = { allowance: allowance(480) }
      const answers = { eth_getBalance: ok("0x1"), eth_getCode: ok("0x") }
      const { credits, reports } = yield* ran(text, answers, { options })
      expect([credits.spent, codeOf(reports)]).toEqual([480, 0])
      const short = yield* ran(text, answers, { options: { allowance: allowance(479) } })
      expect([short.credits.spent, codeOf(short.reports)]).toEqual([320, 4])
    }),
  )
  it.effect("reports what cannot be pinned", () =>
    Effect.gen(function* () {
      const call = `eth_getTransactionCount ["${holder}", "pending"]`
      const { reports } = yield* ran(compared(call), { eth_getTransactionCount: ok("0x1") })
      expect(reports[0]?.note).toBe("pending cannot be pinned: each network answers for its own block")
    }),
  )
  it.effect("reads a scan on both networks over one range", () =>
    Effect.gen(function* () {
      const call = 'eth_getLogs [{ "fromBlock": "0x60", "toBlock": "latest" }]'
      const { reports, sent } = yield* ran(compared(call, "# @all"), { eth_getLogs: ok([]) })
      const ranges = sent.filter(({ method }) => method === "eth_getLogs")
      expect(ranges.map(({ network, params }) => [network, params])).toEqual([
        ["evm", [{ fromBlock: "0x60", toBlock: "0x64" }]],
        ["other", [{ fromBlock: "0x60", toBlock: "0x64" }]],
      ])
      expect(reports[0]?.compare?.equal).toBe(true)
    }),
  )
  it.effect("compares what a run asks for, and reports what it leaves out", () =>
    Effect.gen(function* () {
      const text = `### a\n${balance}\n### b\nl2_chainId []\n`
      const workspace = { comparedNetwork: "other" }
      const { reports } = yield* ran(text, { eth_getBalance: ok("0x1"), l2_chainId: ok("0x1") }, { workspace })
      expect(reports.map(({ compare }) => compare?.equal)).toEqual([true, undefined])
      expect(reports.map(summarizeComparison)[1]).toContain('not compared: network "other" answers methods of evm')
      expect(codeOf(reports)).toBe(0)
    }),
  )
  it.effect("is one object in the report", () =>
    Effect.gen(function* () {
      const text = compared(balance)
      const { credits, reports } = yield* ran(text, { eth_getBalance: sides("0x1", "0x2") })
      const report = jsonReport([{ file: "a.rpc", text, diagnostics: [], reports }], credits, false)
      const found = Json.parse(Json.stringify(report)) as { files: [{ requests: [{ compare: Json.JsonObject }] }] }
      expect(found.files[0].requests[0].compare).toEqual({
        network: "other",
        status: "ok",
        equal: false,
        differences: [{ path: "result", left: "0x1", right: "0x2" }],
        pinned: [{ tag: "latest", block: 100 }],
        ms: 0,
        credits: 160,
      })
    }),
  )
})

describe("laws of comparisons", () => {
  const place = fc.record({ block: fc.integer({ min: 0, max: 9 }), index: fc.integer({ min: 0, max: 3 }) })
  const rows = fc
    .uniqueArray(place, { selector: ({ block, index }) => block * 4 + index, maxLength: 12 })
    .map((places) => places.map(({ block, index }) => rowAt(block, index)))
  const rowAt = (block: number, index: number, data = "0x"): Json.JsonObject => ({
    blockNumber: `0x${block.toString(16)}`,
    logIndex: `0x${index.toString(16)}`,
    data,
  })
  const getLogs = Evm.plugin.methods.find(({ name }) => name === "eth_getLogs")
  const between = (left: Json.Json, right: Json.Json) => {
    if (getLogs === undefined) throw new Error("there is no eth_getLogs")
    return atOnce(findingResultDifferences(getLogs, left, right, 1_000))
  }

  it("finds rows equal in whatever order two servers send them", () => {
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(
      fc.property(shuffled, ([all, others]) => {
        expect(between(all, others)).toEqual([])
      }),
    )
  })
  it("finds a row that one side lacks, and the same from either side", () => {
    fc.assert(
      fc.property(rows, fc.nat(), (all, at) => {
        fc.pre(all.length > 0)
        const lost = all[at % all.length]
        const rest = all.filter((row) => row !== lost)
        expect(between(all, rest).map(({ left, right }) => [left, right])).toEqual([[lost, undefined]])
        expect(between(rest, all).map(({ left, right }) => [left, right])).toEqual([[undefined, lost]])
      }),
    )
  })
  it("finds two numbers equal when their digits are", () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 70n })
    const read = (text: string) => Json.parse(`[{"blockNumber":"0x1","logIndex":"0x0","data":${text}}]`)
    fc.assert(
      fc.property(number, number, fc.boolean(), (left, other, isSame) => {
        const right = isSame ? left : other
        expect(between(read(`${left}`), read(`${right}`)).length === 0).toBe(left === right)
        expect(between(read(`${left}`), read(`${left}.0`))).toHaveLength(1)
      }),
    )
  })
  it("spends what both sides report, and no more than the plan and the budget", async () => {
    const scenario = fc.record({ budget: fc.integer({ min: 0, max: 900 }), isAll: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ budget, isAll }) => {
        const call = isAll ? '# @all\neth_getLogs [{ "fromBlock": "0x60", "toBlock": "latest" }]' : balance
        const text = compared(call, ...(budget === 0 ? [] : [`# @budget ${budget}`]))
        const run = ran(text, { eth_getBalance: ok("0x1"), eth_getLogs: ok([]) })
        const { credits, plan, reports } = await Effect.runPromise(run)
        const reported = reports.reduce((sum, { compare, credits }) => sum + credits + (compare?.credits ?? 0), 0)
        expect(credits.spent).toBe(reported)
        expect(credits.spent).toBeLessThanOrEqual(plan.estimate.max ?? Infinity)
        if (budget > 0) expect(credits.spent).toBeLessThanOrEqual(budget)
      }),
      { numRuns: runs(40) },
    )
  })
})
