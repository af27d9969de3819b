/**
 * A law: workers are killed and freeze at random steps, others take over from them, and some that froze wake up and go on. Whatever
 * happens, the parts have each log once and in order, a reader never sees anything else, and no limit is exceeded.
 */
import { isDeep } from "@dotrpc/vitest/depth"
import { Effect, References } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { price } from "./backfills/chain.ts"
import { limitsOf, play } from "./backfills/play.ts"

it("kills and freezes lose no log, repeat none, and are never seen by a reader", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      // Workers warn of connections that break.
      const round = Effect.provideService(play(seed, limitsOf(seed)), References.MinimumLogLevel, "None")
      expect((await Effect.runPromise(round)).broken).toEqual([])
    }),
    { numRuns: isDeep ? 15 : 4, endOnFailure: true },
  ))

it("divides ranges that are worth it in half of these rounds", async () => {
  const { broken, divisions } = await Effect.runPromise(play(7, limitsOf(7), true))
  expect(broken).toEqual([])
  expect(divisions).toBeGreaterThan(0)
})

it("workers with one balance wait for the end of the day when it is used up, and resume by themselves", async () => {
  const { broken, calls, days } = await Effect.runPromise(play(4, { daily: 10 * price }, true))
  expect(broken).toEqual([])
  expect(days).toBe(Math.ceil(calls / 10))
})
