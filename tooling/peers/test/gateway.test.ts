/** The CLI on a team's meter in front of each node: the same answers, and the credits that the meter has charged. */
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { ask } from "../src/ask.ts"
import { dotrpc, type Environment, type Report, reportOf, type Run } from "../src/Dotrpc.ts"
import { type Balance, type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { gatewayEnvironment } from "./environment.ts"
import { questions, storedNumbers } from "./questions.ts"
import { expectSameJson } from "./sameJson.ts"

/** What the meter does is the same in front of any node. */
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
})

const difference = (before: Balance, after: Balance): Pick<Balance, "spent" | "byMethod"> => ({
  spent: after.spent - before.spent,
  byMethod: Object.fromEntries(
    Object.entries(after.byMethod)
      .map(([method, credits]) => [method, credits - (before.byMethod[method] ?? 0)] as const)
      .filter(([, credits]) => credits !== 0),
  ),
})
