import { nextTurn } from "@dotrpc/spec"
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { Turn } from "../src/index.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
afterEach(() => void vi.useRealTimers())

/** Longer than what counts as brief. */
const workLong = (): void => void vi.advanceTimersByTime(20)

/** Whether what follows work goes on at once, without a turn for anything else. */
const goesOnAtOnce = (): boolean => Effect.runSyncExit(Turn.afterWork)._tag === "Success"

it("what follows long work waits for a turn", async () => {
  Turn.beginWork()
  workLong()
  expect(goesOnAtOnce()).toBe(false)
  await Effect.runPromise(Turn.afterWork)
  expect(goesOnAtOnce()).toBe(true)
})

it("what follows work of 9 ms goes on at once, and of 10 ms waits", async () => {
  Turn.beginWork()
  vi.advanceTimersByTime(9)
  expect(goesOnAtOnce()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(goesOnAtOnce()).toBe(false)
  await Effect.runPromise(Turn.next)
})

it("short work does not count any more once the event loop has come round", async () => {
  Turn.beginWork()
  expect(goesOnAtOnce()).toBe(true)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  workLong()
  Turn.beginWork()
  expect(goesOnAtOnce()).toBe(true)
})
