/** When a person is asked before a run, and what a click on "Allow once" lifts. */
import { makePlan } from "@dotrpc/runner"
import { describe, expect, it } from "vitest"

import { largeRunWords } from "../../src/credits/confirmLargeRun.ts"
import { permitFor, permitted } from "../../src/credits/Permit.ts"
import { analysisOf, report } from "./reports.ts"

describe("a run", () => {
  const check = (min: number, max: number | undefined, share: number, expected: string | undefined, left = 1_000) =>
    expect(largeRunWords({ estimate: { min, max, assumed: false } }, left, share)).toBe(expected)

  it("is large when it may take more than the share", () => {
    check(100, 100, 0.1, undefined)
    check(101, 101, 0.1, "This takes 101 credits: 10% of the 1,000 left today.")
    check(50, 600, 0.5, "This takes 50–600 credits: 60% of the 1,000 left today.")
  })
  it("without an upper bound counts with what it takes at least", () => {
    check(255, undefined, 0.5, undefined)
    check(255, undefined, 0.2, "This takes 255+ credits: 26% of the 1,000 left today.")
  })
  it("that takes more than there is, and is read in parts, takes all that is left", () =>
    check(41_820, undefined, 0.1, "This takes 41,820+ credits: 4182% of the 1,000 left today."))
  it("of which nothing can be paid any more has no percentage", () =>
    check(255, undefined, 0.1, "This may take 255+ credits, and no credits are left today.", 0))
  it("is never asked about when the share is 0", () => check(900, 900, 0, undefined))
  it("that cannot be paid is not asked about: it is refused", () => check(1_001, 1_001, 0.1, undefined))
})

describe("a click on Allow once", () => {
  const [request] = analysisOf("###\n# @name logs\n# @budget 100\neth_getLogs [{}]\n").requests
  if (request === undefined) throw new Error("The sample has no request.")
  const refused = (reason: string) =>
    report({ request, status: "refused", error: { reason, id: "RPC-1", message: "refused", retryable: false } })

  it("lifts the budget of the request", () => {
    const permit = permitFor(refused("BudgetRefused"))
    expect(permit).toEqual({ aboveDaily: 0, keepsBudgets: false })
    const plan = makePlan(analysisOf("###\n# @budget 100\neth_getLogs [{}]\n"))
    expect(plan.requests.map(({ settings }) => settings.budget)).toEqual([100])
    if (permit !== undefined) {
      expect(permitted(plan, permit).requests.map(({ settings }) => settings.budget)).toEqual([undefined])
    }
  })
  it("lifts the day's limit, and keeps budgets", () =>
    expect(permitFor(refused("DailyLimitReached"))).toEqual({ aboveDaily: Infinity, keepsBudgets: true }))
  it("lifts nothing where no limit stands in the way", () => {
    expect(permitFor(refused("LedgerUnavailable"))).toBeUndefined()
    expect(permitFor(report({ status: "failed" }))).toBeUndefined()
    expect(permitFor(report())).toBeUndefined()
  })
})
