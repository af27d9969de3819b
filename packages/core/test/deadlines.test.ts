import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeDeadlines } from "../src/internal/http/deadlines.ts"

/** What has expired after each step. A step adds deadlines by name, or lets milliseconds pass; `-name` cancels one. */
const check = (
  name: string,
  steps: ReadonlyArray<Readonly<Record<string, number>> | number | `-${string}`>,
  expected: ReadonlyArray<string>,
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const deadlines = yield* makeDeadlines
      const expired: Array<string> = []
      const cancels = new Map<string, () => void>()
      const log: Array<string> = []
      for (const step of steps) {
        if (typeof step === "number") yield* TestClock.adjust(step)
        else if (typeof step === "string") cancels.get(step.slice(1))?.()
        else
          for (const [label, millis] of Object.entries(step))
            cancels.set(
              label,
              deadlines.add(millis, () => void expired.push(label)),
            )
        if (typeof step === "number") log.push(expired.join(" "))
      }
      assert.deepStrictEqual(log, expected)
    }),
  )

describe("deadlines on one timer", () => {
  check("expire at their time", [{ a: 100 }, 99, 1], ["", "a"])
  check(
    "expire in the order of their times, not of their beginning",
    [{ a: 300, b: 100, c: 200 }, 100, 100, 100],
    ["b", "b c", "b c a"],
  )
  check("do not expire once they are cancelled", [{ a: 100, b: 150 }, 50, "-a", 50, 50], ["", "", "b"])
  check(
    "wake for one that is added while another is waited for",
    [{ a: 1_000 }, 10, { b: 20 }, 20, 970],
    ["", "b", "b a"],
  )
  check("begin again after all have gone", [{ a: 100 }, "-a", 500, { b: 100 }, 99, 1], ["", "", "b"])
  check(
    "expire at their times where several were given the same time, and others another",
    [{ a: 100, b: 100 }, 50, { c: 100, d: 50, e: 60 }, "-b", 49, 1, 10, 40, 1],
    ["", "", "a d", "a d e", "a d e c", "a d e c"],
  )
  check("without an end never expire", [{ a: Number.POSITIVE_INFINITY, b: 1 }, 1e12], ["b"])
  check("at once come with the next turn", [{ a: 0 }, 0], ["a"])

  it.effect("end with their scope", () =>
    Effect.gen(function* () {
      let expired = false
      yield* Effect.scoped(Effect.map(makeDeadlines, ({ add }) => add(10, () => (expired = true))))
      yield* TestClock.adjust(100)
      assert.isFalse(expired)
    }),
  )
})
