/** The CLI on the gateway in front of each node: the same answers, block ranges besides, metered and limited. */
import { Json } from "@dotrpc/spec"
import { isDeep } from "@dotrpc/vitest/depth"
import { numberToHex } from "viem"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { ask } from "../src/ask.ts"
import { dotrpc, type Environment, type Report, reportOf, type Run } from "../src/Dotrpc.ts"
import { type Balance, type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { gatewayEnvironment } from "./environment.ts"
import { questions, storedNumbers } from "./questions.ts"
import { expectSameJson } from "./sameJson.ts"

/** What the gateway does is the same in front of any node. */
const nodes = inject("nodes").filter(({ name }) => isDeep || name === "anvil")

describe.each(nodes)("in front of $name,", ({ ledger, url: nodeUrl }) => {
  let gateway: MeteredGateway
  let env: Environment

  /** Runs a file through the gateway, and returns what the gateway charged meanwhile. */
  const runMetered = async (file: string, ...flags: ReadonlyArray<string>) => {
    const before = await gateway.balance()
    const run = await dotrpc(["run", file, "--env", "gateway", "--format", "json", ...flags], env)
    return { run, report: reportOf(run), charged: difference(before, await gateway.balance()) }
  }

  beforeAll(async () => {
    gateway = await startGateway(nodeUrl)
    env = gatewayEnvironment("http://the.node.is.not.asked.invalid", ledger, gateway)
  })

  afterAll(() => gateway.stop())

  describe("dotrpc run, through the gateway", () => {
    let run: Run
    let report: Report
    let charged: Pick<Balance, "spent" | "byMethod">

    beforeAll(async () => {
      ;({ run, report, charged } = await runMetered("ledger.rpc"))
    })

    it("holds every check and exits 0", () => {
      expect(Object.values(report.requests).flatMap((request) => request.failedChecks)).toEqual([])
      expect(run.exitCode, run.stderr).toBe(0)
    })

    it.each(Object.entries(questions))("gives the node's own answer to %s, digit for digit", async (name, question) => {
      expectSameJson(report.requests[name]?.result, await ask(nodeUrl, ...question(ledger)))
    })

    it.each(Object.entries(storedNumbers))("reads back the number that was written as %s", (name, number) => {
      expect(BigInt(String(report.requests[name]?.result))).toBe(number)
    })

    it("reports the credits that the gateway charged, of the run and of every method", () => {
      const { requests, spent } = report
      expect(spent).toBe(charged.spent)
      expect(Object.values(requests).reduce((sum, { credits }) => sum + credits, 0)).toBe(charged.spent)
      expect(charged.byMethod).toEqual({
        eth_getLogs: 4 * 255,
        eth_getTransactionReceipt: 4 * 80,
        eth_getStorageAt: 6 * 80,
      })
    })
  })

  describe("eth_getBlockRange over a node that does not have it", () => {
    let run: Run
    let report: Report
    let charged: Pick<Balance, "spent" | "byMethod">

    beforeAll(async () => {
      ;({ run, report, charged } = await runMetered("blocks.rpc"))
    })

    it.each([
      { name: "hashes", numbers: [0, 1, 2, 3, 4, 5], full: false },
      { name: "transactions", numbers: [4, 5], full: true },
      { name: "newest", numbers: ["latest"], full: false },
    ])("gives the node's own blocks to $name, in order", async ({ full, name, numbers }) => {
      const blocks = await Promise.all(
        numbers.map((block) =>
          ask(nodeUrl, "eth_getBlockByNumber", [typeof block === "number" ? numberToHex(block) : block, full]),
        ),
      )
      expectSameJson(report.requests[name]?.result, blocks)
    })

    it("holds every check, costs one call for each range, and exits 0", () => {
      expect(Object.values(report.requests).flatMap((request) => request.failedChecks)).toEqual([])
      expect(charged).toEqual({ spent: 3 * 80, byMethod: { eth_getBlockRange: 3 * 80 } })
      expect(report.spent).toBe(charged.spent)
      expect(run.exitCode, run.stderr).toBe(0)
    })
  })

  describe("the limit of 10,000 results", () => {
    // A client of viem reads as many in a landing.
    if (isDeep)
      it("lets 10,000 logs through, every one of them the node's", async () => {
        const { charged, report } = await runMetered("ticks.rpc", "--name", "most")
        const [fromBlock, toBlock] = [numberToHex(ledger.ticks.from), numberToHex(ledger.ticks.to)]
        const logs = await ask(nodeUrl, "eth_getLogs", [{ address: ledger.address, fromBlock, toBlock }])
        expect(Json.isArray(logs) && logs.length).toBe(10_000)
        expectSameJson(report.requests["most"]?.result, logs)
        expect(charged.spent).toBe(255)
      })

    it("refuses 10,001 with -32005, and the same query is never sent twice", async () => {
      const { charged, report, run } = await runMetered("ticks.rpc", "--name", "tooMany")
      expect(report.requests["tooMany"]).toMatchObject({
        status: "rpc-error",
        calls: 1,
        credits: 255,
        result: undefined,
        error: {
          code: -32005,
          reason: "SplitRequired",
          message: "query returned more than 10000 results",
          retryable: false,
        },
      })
      expect(charged).toEqual({ spent: 255, byMethod: { eth_getLogs: 255 } })
      expect(run.exitCode).toBe(3)
    })
  })
})

const difference = (before: Balance, after: Balance): Pick<Balance, "spent" | "byMethod"> => ({
  spent: after.spent - before.spent,
  byMethod: Object.fromEntries(
    Object.entries(after.byMethod)
      .map(([method, credits]) => [method, credits - (before.byMethod[method] ?? 0)] as const)
      .filter(([, credits]) => credits !== 0),
  ),
})
