/** Many rows of one request: whatever is done with them is done in steps, so that an editor answers meanwhile. */
import { rowRequests } from "@dotrpc/analysis"
import { afterEach, describe, expect, it, vi } from "vitest"
import { checkOfRows } from "../src/internal/checks.ts"
import type { RequestReport, Resumption } from "../src/index.ts"
import { planOf, runAll, threeChecks } from "./rowsPlan.ts"

afterEach(() => void vi.restoreAllMocks())

/** The report, and how often the event loop came round. */
const watched = async (rows: number, resume: Resumption | undefined) => {
  let [turns, isOver, time] = [0, false, 0]
  // Each look at the clock takes a millisecond, so that time is counted in steps.
  vi.spyOn(performance, "now").mockImplementation(() => time++)
  const turn = () => {
    if (isOver) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  const report = await runAll(planOf(threeChecks, rows), resume)
  isOver = true
  return { report, turns }
}

describe("others have a turn every few steps", () => {
  let paid: Resumption | undefined
  const check = (what: string, expected: Partial<RequestReport>) =>
    it(`while ${what}`, async () => {
      const { report, turns } = await watched(1_000, paid)
      expect(report).toMatchObject({ status: "check-failed", ...expected })
      expect(report?.checks.map(({ ok }) => ok)).toEqual([true, true, false])
      expect(turns).toBeGreaterThan(1_000)
      paid = report?.paid
    })
  check("1,000 rows are sent and checked", { calls: 1_000 })
  check("1,000 rows are taken from an earlier run", { calls: 0 })
})

it("a check about 10,000 rows is made in steps of one row each", () => {
  const { analysis, requests } = planOf(["every(result == 5) && sum(row.least) == 0"], 1)
  const [request] = requests
  const rows = request === undefined ? [] : rowRequests(analysis, request, new Map())
  const [check] = request?.section.checks ?? []
  if (request === undefined || check === undefined || "diagnostics" in rows || rows[0] === undefined)
    throw new Error("there is no check")
  const [row] = rows
  const outcomes = Array.from({ length: 10_000 }, () => ({ request: row, own: { result: "0x5", error: null } }))
  const own = { result: outcomes.map((one) => one.own.result), error: null }
  const checked = { analysis, request, results: new Map(), snapshots: undefined }
  const work = checkOfRows(checked, check, own, outcomes)
  for (let steps = 0; ; steps++) {
    const next = work.next()
    if (next.done !== true) continue
    expect(next.value).toMatchObject({ ok: true })
    expect(steps).toBeGreaterThan(20_000)
    return
  }
})
