/** What the schema of the report refuses; that it accepts every report is checked wherever a test runs a command. */
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { reportProblem } from "./reportSchema.ts"

const request: Json.JsonObject = {
  name: "a",
  line: 1,
  method: "eth_chainId",
  network: "evm",
  status: "ok",
  calls: 1,
  credits: 5,
  ms: 1,
  result: "0x1",
  checks: [{ line: 2, text: "result == 1", ok: true }],
}
const failed = { line: 2, text: "result == 2", ok: false }
const error = { reason: "CheckFailed", message: "1 of 1 check failed", retryable: false, id: "check-failed" }

const check = (name: string, change: Json.JsonObject, expected: RegExp | undefined) =>
  it(name, () => {
    const stdout = `${Json.stringify({ ...request, ...change })}\n`
    const problem = reportProblem(["run", "a.rpc", "--format", "ndjson"], { code: 0, stdout, stderr: "" })
    if (expected === undefined) expect(problem).toBeUndefined()
    else expect(problem).toMatch(expected)
  })

describe("the schema of the report", () => {
  check("accepts a request that is ok", {}, undefined)
  check("accepts a request whose check failed", { status: "check-failed", checks: [failed], error }, undefined)
  check("refuses a failed check in a request that is ok", { checks: [failed] }, /\/checks\/0\/ok/)
  check("refuses an error of a request that is ok", { error }, /must NOT be valid/)
  check("refuses a failed check without one that failed", { status: "check-failed", error }, /contain/)
  check("refuses a failed check without an error", { status: "check-failed", checks: [failed] }, /'error'/)
  check("refuses a status that does not exist", { status: "bad", error }, /\/status/)
  check("refuses a member that is not described", { cost: 1 }, /additional properties/)
})
