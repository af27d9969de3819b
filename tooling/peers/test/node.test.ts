/** The CLI on a node without anything between them. */
import { beforeAll, describe, expect, inject, it } from "vitest"
import { ask } from "../src/AnvilNode.ts"
import { dotrpc, type Report, reportOf, type Run } from "../src/Dotrpc.ts"
import { nodeEnvironment } from "./environment.ts"
import { questions, storedNumbers } from "./questions.ts"
import { expectSameJson } from "./sameJson.ts"

const nodeUrl = inject("nodeUrl")
const ledger = inject("ledger")

describe("dotrpc run, directly on anvil", () => {
  let run: Run
  let report: Report

  beforeAll(async () => {
    run = await dotrpc(["run", "ledger.rpc", "--format", "json"], nodeEnvironment(nodeUrl, ledger))
    report = reportOf(run)
  })

  it("runs every request of the file once, holds every check, and exits 0", () => {
    expect(Object.keys(report.requests)).toEqual(Object.keys(questions))
    expect(Object.values(report.requests).flatMap((request) => request.failedChecks)).toEqual([])
    expect(Object.values(report.requests).map(({ status, calls }) => ({ status, calls }))).toEqual(
      Object.keys(questions).map(() => ({ status: "ok", calls: 1 })),
    )
    expect(run.exitCode, run.stderr).toBe(0)
  })

  it.each(Object.entries(questions))("gives the node's own answer to %s, digit for digit", async (name, question) => {
    expectSameJson(report.requests[name]?.result, await ask(nodeUrl, ...question(ledger)))
  })

  it.each(Object.entries(storedNumbers))("reads back the number that was written as %s", (name, number) => {
    expect(BigInt(String(report.requests[name]?.result))).toBe(number)
  })

  it("tells that the node has no eth_getBlockRange", async () => {
    const blocks = await dotrpc(["run", "blocks.rpc", "--name", "newest", "--format", "json"], { NODE_URL: nodeUrl })
    const { newest } = reportOf(blocks).requests
    expect(newest).toMatchObject({ status: "rpc-error", calls: 1, error: { code: -32601, reason: "Unsupported" } })
    expect(blocks.exitCode).toBe(3)
  })
})
