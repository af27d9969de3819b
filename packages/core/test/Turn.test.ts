import { nextTurn } from "@dotrpc/spec"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Turn } from "../src/index.ts"

/** Longer than what counts as brief. */
const workLong = (): void => {
  for (const end = performance.now() + 20; performance.now() < end;);
}

/** Whether what follows work goes on at once, without a turn for anything else. */
const goesOnAtOnce = (): boolean => Effect.runSyncExit(Turn.afterWork)._tag === "Success"

it("what follows long work waits for a turn", async () => {
  Turn.beginWork()
  workLong()
  expect(goesOnAtOnce()).toBe(false)
  await Effect.runPromise(Turn.afterWork)
  expect(goesOnAtOnce()).toBe(true)
})

it("short work does not count any more once the event loop has come round", async () => {
  Turn.beginWork()
  expect(goesOnAtOnce()).toBe(true)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  workLong()
  Turn.beginWork()
  expect(goesOnAtOnce()).toBe(true)
})
