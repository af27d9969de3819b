/** The line beside a call. */
import { expect, test } from "vitest"

import { resultPayload } from "../../src/notebook/payload.ts"
import {
  headingOf,
  outcomeLine,
  spokenWords,
  spokenWordsOfKept,
  summaryLine,
  summaryPlace,
} from "../../src/results/summary.ts"
import { notePaidBefore } from "../../src/run/wholeCost.ts"
import { report, rows } from "./reports.ts"

const check = (parts: Parameters<typeof report>[0], expected: string) =>
  expect(summaryLine(report(parts))).toBe(expected)
const held = (ok: boolean) => ({ start: 0, text: "x", ok })

test("counts, milliseconds and credits", () => {
  check(rows([["1"]], 1204), "✓ 1,204 logs · 412 ms · 255 credits")
})

test("what was resumed has the credits of all its runs", () => {
  const resumed = report({ ...rows([["1"]], 1204), checks: [held(true)] })
  notePaidBefore(resumed, 510)
  expect(summaryLine(resumed)).toBe("✓ 1,204 logs · 412 ms · 765 credits · 1 check")
  expect(headingOf("logs", { kept: undefined, report: resumed }, false)).toBe("✓ logs · 1 check · 765 credits")
  expect(spokenWords(resumed)).toContain("765 credits")
  expect(resultPayload(resumed, 1)).toMatchObject({ credits: 765, charge: "765 credits" })
})

test("checks are counted", () => {
  check({ ...rows([["1"]]), checks: [held(true)] }, "✓ 1 log · 412 ms · 255 credits · 1 check")
  check({ ...rows([["1"]]), checks: [held(true), held(false)] }, "✗ 1 log · 412 ms · 255 credits · 1 of 2 checks")
})

test("an error instead of the count", () => {
  const error = { reason: "NotFound", id: "RPC-2008", message: "unknown\nblock", retryable: false }
  check({ status: "rpc-error", error }, "✗ unknown block · 412 ms · 255 credits")
})

test("a long error is cut, and the line stays one line of at most 100 characters", () => {
  const error = { reason: "Rejected", id: "RPC-2014", message: "word\n".repeat(100), retryable: false }
  const line = summaryLine(report({ status: "failed", error, checks: [held(false)] }))
  expect(line.length).toBeLessThanOrEqual(100)
  expect(line).toMatch(/^✗ word word .*… · 0 of 1 check$/)
})

test("where an error stands beside its line, the line says how it ended in few words", () => {
  const error = { reason: "Refused", id: "RPC-4001", message: "the call needs 255 credits", retryable: false }
  const outcome = (parts: Parameters<typeof report>[0]) => outcomeLine(report({ error, ...parts }))
  expect(outcome({ status: "refused", calls: 0, credits: 0, ms: 0 })).toBe("✗ refused")
  expect(outcome({ status: "rpc-error" })).toBe("✗ RPC error · 412 ms · 255 credits")
  expect(outcome({ status: "failed", checks: [held(false)] })).toBe("✗ failed · 412 ms · 255 credits · 0 of 1 check")
})

test("the heading of a result says whether the request passed", () => {
  const heading = (parts: Parameters<typeof report>[0], expected: string, stale = false) =>
    expect(headingOf("fails", { kept: undefined, report: report(parts) }, stale)).toBe(expected)
  heading({}, "✓ fails · 255 credits")
  heading({ checks: [held(false), held(false)] }, "✗ fails · 0 of 2 checks · 255 credits")
  heading({ checks: [held(true)] }, "✓ fails · 1 check · 255 credits · outdated: the request has changed", true)
  const error = { reason: "NotFound", id: "RPC-2008", message: "unknown block", retryable: false }
  heading({ status: "rpc-error", error }, "✗ fails · 255 credits")
  expect(headingOf("fails", { kept: undefined, report: undefined }, false)).toBe("fails")
})

test("what a screen reader says is a sentence", () => {
  const spoken = (parts: Parameters<typeof report>[0], expected: string) =>
    expect(spokenWords(report(parts))).toBe(expected)
  spoken(rows([["1"]], 1204), "Passed: logs, 1,204 logs, 412 ms, 255 credits.")
  spoken(
    { ...rows([["1"]]), checks: [held(true), held(false)] },
    "Failed: logs, 1 log, 412 ms, 255 credits, 1 of 2 checks. x.",
  )
  const error = { reason: "NotFound", id: "RPC-2008", message: "unknown\nblock", retryable: false }
  spoken({ status: "rpc-error", error }, "Failed: logs, unknown block, 412 ms, 255 credits.")
  const long = { reason: "Rejected", id: "RPC-2014", message: "word ".repeat(100), retryable: false }
  expect(spokenWords(report({ status: "failed", error: long })).length).toBeLessThan(220)
})

test("a result of an earlier window says the same", () => {
  const failed = report({ ...rows([["1"]]), checks: [held(true), { start: 0, text: "x > 2", ok: false, actual: 1 }] })
  const kept = { at: 0, payload: resultPayload(failed, 1) }
  const heading = headingOf("logs", { kept: undefined, report: failed }, true)
  expect(headingOf("logs", { kept, report: undefined }, true)).toBe(heading)
  expect(spokenWordsOfKept(kept)).toContain(`${spokenWords(failed)} Saved result of `)
})

test("words about a long call are beside the line above it, where they are seen", () => {
  const at = (lines: ReadonlyArray<string>) => summaryPlace(lines.length - 1, (line) => lines[line] ?? "")
  const long = `eth_getTransactionReceipt ["0x${"11".repeat(32)}"]`
  expect(at(["### Receipt", "# @name receipt", long])).toBe(1)
  expect(at(["### Receipt", long])).toBe(0)
  expect(at(["### Balance", 'eth_getBalance [{{holder}}, "latest"]'])).toBe(1)
  expect(at(["@holder = 1", long])).toBe(1)
  expect(at([`# ${long}`, long])).toBe(1)
  expect(at([long])).toBe(0)
})
