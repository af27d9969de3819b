/** Which checks a text has and where, and what a traced run of them says. */
import { editorText } from "@dotrpc/session"
import type { CheckReport, RunEvent } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { describe, expect, test } from "vitest"

import { type BrokenCheck, brokenCheck } from "../../src/checks/CheckRun.ts"
import { checksOf, listedChecks } from "../../src/checks/checksOf.ts"
import { traceRun } from "../../src/checks/traceRun.ts"
import { analysisOf, report, rows } from "./reports.ts"

const check = (text: string, expected: ReturnType<typeof checksOf>) =>
  expect(checksOf(editorText(text))).toEqual(expected)

test("checks stand with their request, at their place", () => {
  check("### A\nm\n\n### Logs of a token\n# @name logs\nm\n?? result.length > 0\n?? credits < 300\n", [
    {
      index: 1,
      label: "logs",
      line: 3,
      isLeftOut: false,
      checks: [
        { text: "result.length > 0", line: 6, character: 0, endCharacter: 20 },
        { text: "credits < 300", line: 7, character: 0, endCharacter: 16 },
      ],
    },
  ])
})

test("a section without a call has nothing to check", () => {
  check("### A\n?? true\n", [])
})

test("a request is called by its name, else its title, else its method", () => {
  const labels = (text: string) => checksOf(editorText(text)).map(({ label }) => label)
  expect(labels("### A\n# @name a\nm\n?? 1 == 1\n###\nm\n?? 1 == 1\n### B\nm\n?? 1 == 1\n")).toEqual(["a", "m", "B"])
})

describe("a run of the whole file leaves out", () => {
  const leaves = (what: string, text: string, expected: ReadonlyArray<string>) =>
    test(what, () => {
      const leftOut = checksOf(editorText(text)).filter(({ isLeftOut }) => isLeftOut)
      expect(leftOut.map(({ label }) => label)).toEqual(expected)
    })
  leaves("what is marked # @skip", "### A\n# @skip\nm\n?? 1 == 1\n### B\nm\n?? 1 == 1\n", ["A"])
  leaves("all but what is marked # @only", "### A\nm\n?? 1 == 1\n### B\n# @only\nm\n", ["A"])
  leaves("nothing else", "### A\nm\n?? 1 == 1\n", [])
})

describe("the Test Explorer", () => {
  const texts = (requests: number, checks: number) =>
    checksOf(editorText(`###\nm\n${"?? 1 == 1\n".repeat(checks)}`.repeat(requests)))
  const checkListed = (requests: number, checks: number, expected: number, notice?: string) => {
    const listed = listedChecks(texts(requests, checks))
    expect(listed.requests.length).toBe(expected)
    expect(listed.notice).toBe(notice)
  }
  const more = (count: string) =>
    `${count} more requests with checks are not listed here: use "dotrpc run" in a terminal.`

  test("lists all requests of a file that a person reads", () => {
    checkListed(0, 1, 0)
    checkListed(1_000, 1, 1_000)
    checkListed(20, 99, 20)
  })
  test("lists as many of others as it can in a moment, and counts the rest", () => {
    checkListed(1_001, 1, 1_000, more("1"))
    checkListed(3_000, 3, 500, more("2,500"))
  })
})

describe("a check that does not hold", () => {
  const check = (text: string, sides: Pick<CheckReport, "actual" | "expected" | "problem">, expected: BrokenCheck) => {
    const [request] = analysisOf(`### A\nm\n?? ${text}\n`).requests
    const [written] = request?.section.checks ?? []
    if (written === undefined) throw new Error("There is no check.")
    expect(brokenCheck({ start: 0, text, ok: false, ...sides }, written.expr)).toEqual(expected)
  }

  test("of an equality sets both sides beside each other", () =>
    check(
      "result[0] == result[1]",
      { actual: Json.parse('{"a":18446744073709551615}'), expected: Json.parse('{"a":1}') },
      {
        message: "result[0] == result[1] failed",
        difference: { expected: '{\n  "a": 1\n}', actual: '{\n  "a": 18446744073709551615\n}' },
      },
    ))

  test("of another comparison is reported in words", () => {
    check(
      "result.length < 1000",
      { actual: 1_200, expected: 1_000 },
      { message: "expected < 1000, actual 1200\nresult.length < 1000 failed" },
    )
    check(
      "result != null",
      { actual: null, expected: null },
      { message: "expected != null, actual null\nresult != null failed" },
    )
  })

  test("tells no side that it does not know", () =>
    check("result == $secret.KEY", { actual: "0x1" }, { message: "result == $secret.KEY failed" }))

  test("of anything else says that it does not hold, and why it could not be made", () => {
    check("result", {}, { message: "result failed" })
    check("result && error", { actual: true, expected: false }, { message: "result && error failed" })
    check("result.a.b == 1", { problem: "there is no member a" }, { message: "there is no member a" })
  })
})

test("a traced run tells the plan, every attempt, wait and charge, and what came of it", () => {
  const { requests } = analysisOf("### A\n# @name logs\neth_getLogs [{}]\n### B\n# @name broken\neth_getLogs [1]\n")
  const [request] = requests
  if (request === undefined) throw new Error("The sample has no request.")
  const events: ReadonlyArray<RunEvent> = [
    { _tag: "RunStarted", requests, estimate: { min: 255, max: 255, assumed: false } },
    { _tag: "RequestStarted", request },
    {
      _tag: "RequestProgress",
      request,
      attempt: 1,
      calls: 1,
      credits: 0,
      waiting: { millis: 900, why: "rate limited" },
    },
    { _tag: "RequestProgress", request, attempt: 2, calls: 1, credits: 255 },
    {
      _tag: "RequestFinished",
      report: report({ ...rows([["1"]]), checks: [{ start: 0, text: "result == 1", ok: false }] }),
    },
  ]
  let written = ""
  const view = traceRun({ appendOutput: (text) => void (written += text) })
  for (const event of events) view.receive(event)
  expect(written.split("\r\n")).toEqual([
    "plan: 255 credits",
    "  1. logs: eth_getLogs on evm · 255 credits",
    "  2. broken: eth_getLogs on evm · not sent",
    "logs: started",
    "logs: attempt 1 · running · 1 call · 0 credits · rate limited, for 900 ms",
    "logs: attempt 2 · running · 1 call · 255 credits · attempt 2",
    "logs: ok · 1 log · 412 ms · 255 credits",
    "  ✗ result == 1",
    "",
  ])
})
