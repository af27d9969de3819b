/** What a running request says of itself. */
import { expect, test } from "vitest"

import { progressWords, runWords } from "../../src/run/progressWords.ts"
import { report, rows } from "./reports.ts"

const check = (parts: Partial<Parameters<typeof progressWords>[0]>, expected: string) =>
  expect(
    progressWords({ _tag: "RequestProgress", request: report().request, attempt: 1, calls: 0, credits: 0, ...parts }),
  ).toBe(expected)

test("the first attempt only runs", () => check({}, "running"))
test("pages are counted", () => check({ calls: 3, credits: 240 }, "running · 3 calls · 240 credits"))
test("rows that have come are counted", () =>
  check(
    { calls: 3, credits: 765, soFar: rows([["1"]], 2_400).render },
    "running · 3 calls · 765 credits · 2,400 logs so far",
  ))
test("a wait says why and how long", () =>
  check(
    { attempt: 2, waiting: { millis: 1_500, why: "rate limited" } },
    "running · attempt 2 · rate limited, for 1.5 s",
  ))
test("a wait too short to read is not mentioned", () =>
  check({ waiting: { millis: 20, why: "rate limited" } }, "running"))

test("a run of several says how many have ended", () => {
  expect(runWords(1, 11, "running · 3 calls")).toBe("10 of 11 done")
  expect(runWords(1, 1, "running · 3 calls")).toBe("running · 3 calls")
})
