/** The CLI on two nodes that share no code, without anything between them and it. */
import { beforeAll, describe, expect, inject, it } from "vitest"
import { ask } from "../src/ask.ts"
import { dotrpc, type Report, reportOf, type Run } from "../src/Dotrpc.ts"
import { nodeEnvironment } from "./environment.ts"
import { questions, storedNumbers } from "./questions.ts"
import { expectSameJson } from "./sameJson.ts"

describe.each(inject("nodes"))("dotrpc run, directly on $name", ({ ledger, url }) => {
  let run: Run
  let report: Report

  beforeAll(async () => {
    run = await dotrpc(["run", "ledger.rpc", "--format", "json"], nodeEnvironment(url, ledger))
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
    expectSameJson(report.requests[name]?.result, await ask(url, ...question(ledger)))
  })

  it.each(Object.entries(storedNumbers))("reads back the number that was written as %s", (name, number) => {
    expect(BigInt(String(report.requests[name]?.result))).toBe(number)
  })
})

describe.each([
  { name: "anvil", code: -32601 },
  { name: "hardhat", code: -32004 },
])("eth_getBlockRange", ({ code, name }) => {
  it(`is reported as missing, which ${name} says with ${code}`, async () => {
    const url = inject("nodes").find((node) => node.name === name)?.url ?? ""
    const blocks = await dotrpc(["run", "blocks.rpc", "--name", "newest", "--format", "json"], { NODE_URL: url })
    const { newest } = reportOf(blocks).requests
    expect(newest).toMatchObject({ status: "rpc-error", calls: 1, error: { code, reason: "Unsupported" } })
    expect(blocks.exitCode).toBe(3)
  })
})
