/** What a result cost that came of several runs. */
import { Json } from "@dotrpc/spec"
import { expect, test } from "vitest"

import { type KeptRun, runFromJson, runText } from "../../src/history/KeptRun.ts"
import { resumptionOf } from "../../src/results/cameBack.ts"
import { notePaidBefore, wholeCostOf } from "../../src/run/wholeCost.ts"
import { report, rows } from "./reports.ts"

const partial = { ...rows([]), point: 7 }

test("counts every run that was stopped on the way to it", () => {
  const paid: Array<number> = []
  for (const credits of [300, 50, 7]) {
    const stopped = report({ credits, partial })
    const last = paid.at(-1)
    if (last !== undefined) notePaidBefore(stopped, last)
    paid.push(resumptionOf(stopped)?.paid ?? 0)
  }
  expect(paid).toEqual([300, 350, 357])
})

test("is that of one run where nothing was resumed", () => expect(wholeCostOf(report({ credits: 80 }))).toBe(80))

test("what was paid before a run is kept with it", () => {
  const summary = {
    id: "1-1",
    at: 1,
    uri: "file:///a.rpc",
    label: "a",
    method: "m",
    line: "",
    credits: 5,
    paidBefore: 9,
  }
  const run: KeptRun = { summary, text: "" }
  expect(runFromJson(Json.parse(runText(run, []))).summary).toEqual(summary)
})
