import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { followRun, type RunEvent } from "../src/index.ts"
import { play } from "./harness.ts"

const word = `0x${"00".repeat(31)}05`
const getStorage = 'eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]\n?? result == 5\n'
const text = `### a\n${getStorage}### b\n${getStorage}### c\n# @skip\n${getStorage}### d\n${getStorage}`

/** What is reported when these of its events were heard of a run, and it has spent so much. */
const cutAfter = (
  heard: (events: ReadonlyArray<RunEvent>) => ReadonlyArray<RunEvent>,
  spent: number,
  defect?: string | undefined,
) =>
  Effect.gen(function* () {
    const { events, plan } = yield* play({ text, answers: { eth_getStorageAt: { result: word } } })
    const soFar = followRun(plan)
    for (const event of heard(events)) soFar.hear(event)
    const reports = soFar.reports(spent - soFar.credits(), defect)
    return { count: events.length, reports }
  })

const first = (count: number) => (events: ReadonlyArray<RunEvent>) => events.slice(0, count)

describe("a run that is interrupted", () => {
  it.effect("reports every request once and in order, wherever it is cut", () =>
    Effect.gen(function* () {
      const { count } = yield* cutAfter(() => [], 0)
      for (let heard = 0; heard <= count; heard++) {
        const { reports } = yield* cutAfter(first(heard), 240)
        expect(reports.map(({ request }) => request.label)).toEqual(["a", "b", "c", "d"])
      }
    }),
  )
  const check = (
    what: string,
    heard: Parameters<typeof cutAfter>[0],
    spent: number,
    expected: ReadonlyArray<string>,
    defect?: string,
  ) =>
    it.effect(what, () =>
      Effect.gen(function* () {
        const { reports } = yield* cutAfter(heard, spent, defect)
        expect(
          reports.map(({ credits, error, status }) => `${status} ${credits} ${error?.message ?? ""}`.trim()),
        ).toEqual(expected)
      }),
    )
  it.effect("counts how long the requests in flight ran", () =>
    Effect.gen(function* () {
      const { events, plan } = yield* play({ text, answers: { eth_getStorageAt: { result: word } } })
      let now = 1_000
      const soFar = followRun(plan, () => now)
      for (const event of events.slice(0, 2)) soFar.hear(event)
      now += 250
      expect(soFar.reports(0).map(({ ms }) => ms)).toEqual([250, 0, 0, 0])
    }),
  )
  const notRun = "skipped 0 not run: the run was interrupted"
  const leftOut = "skipped 0 not run: # @skip"
  check("before it has begun", first(1), 0, [notRun, notRun, leftOut, notRun])
  check("in a request, which has spent what no other has", first(2), 80, [
    "failed 80 interrupted before it finished",
    notRun,
    leftOut,
    notRun,
  ])
  check(
    "in several requests, of which nobody knows what each has spent",
    (events) => events.filter(({ _tag }) => _tag === "RequestStarted"),
    160,
    [
      "failed 0 interrupted before it finished",
      "failed 0 interrupted before it finished",
      leftOut,
      "failed 0 interrupted before it finished",
    ],
  )
  check(
    "by a bug, which is the error of every request that did not finish",
    first(2),
    80,
    ["failed 80 a bug", "failed 0 a bug", leftOut, "failed 0 a bug"],
    "a bug",
  )
  check("at its very end", (events) => events, 240, ["ok 80", "ok 80", leftOut, "ok 80"])
})
