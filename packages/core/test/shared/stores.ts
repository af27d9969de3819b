/** Stores in SQL do the same as Effect's own stores in memory, whatever the steps and their times. */
import { runs } from "@dotrpc/vitest/depth"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"

type Stores = Context.Context<RateLimiter.RateLimiterStore>
type NewStores = () => Layer.Layer<RateLimiter.RateLimiterStore, unknown>

/** `newStores` gives stores where nothing is yet. */
export const storeLaws = (where: string, newStores: NewStores): void => {
  /** Each step, after so many milliseconds, says the same over both stores. */
  const law = <Step>(
    name: string,
    step: fc.Arbitrary<Step>,
    play: (step: Step, stores: Stores) => Effect.Effect<unknown>,
  ) => {
    const later = fc.constantFrom(0, 1, 40, 60, 5_000)
    const program = fc.array(fc.record({ later, step }), { maxLength: 60, size: "max" })
    it(name, async () => {
      const run = Effect.fnUntraced(
        function* (steps: ReadonlyArray<{ readonly later: number; readonly step: Step }>) {
          const memory = yield* Layer.build(RateLimiter.layerStoreMemory)
          const table = yield* Layer.build(newStores())
          for (const { later, step } of steps) {
            yield* TestClock.adjust(later)
            assert.deepStrictEqual(yield* play(step, table), yield* play(step, memory))
          }
        },
        Effect.scoped,
        Effect.provide(TestClock.layer()),
        Effect.orDie,
      )
      await fc.assert(
        fc.asyncProperty(program, (steps) => Effect.runPromise(run(steps))),
        { numRuns: runs(60) },
      )
    })
  }

  describe(`stores in ${where}`, () => {
    law(
      "take from a rate as the store in memory does",
      fc.record({
        // What shares a key has the same limit.
        key: fc.constantFrom({ key: "slow", every: 100 }, { key: "fast", every: 7.5 }),
        tokens: fc.integer({ min: 1, max: 12 }),
        mayOverflow: fc.boolean(),
        inWindows: fc.boolean(),
      }),
      ({ inWindows, key: { every, key }, mayOverflow, tokens }, stores) => {
        const store = Context.get(stores, RateLimiter.RateLimiterStore)
        const refillRate = Duration.millis(every)
        return Effect.orDie(
          inWindows
            ? store.fixedWindow({ key, tokens, refillRate, limit: mayOverflow ? undefined : 10 })
            : store.tokenBucket({ key, tokens, refillRate, limit: 10, allowOverflow: mayOverflow }),
        )
      },
    )

    it.effect("lets nobody wait for a clock that was days ahead", () =>
      Effect.gen(function* () {
        const stores = yield* Layer.build(newStores())
        const limiter = yield* RateLimiter.make.pipe(Effect.provide(stores))
        const take = limiter.consume({
          algorithm: "token-bucket",
          onExceeded: "delay",
          window: "1 second",
          limit: 10,
          key: "rate",
        })
        yield* TestClock.setTime(10 * 86_400_000)
        yield* take
        yield* TestClock.setTime(0)
        assert.strictEqual(Duration.toMillis((yield* take).delay), 0)
      }).pipe(Effect.scoped),
    )
  })
}
