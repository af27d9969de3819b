/** Stores in SQL do the same as Effect's own stores in memory, whatever the steps and their times. */
import { runs } from "@dotrpc/vitest/depth"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Layer, Result, Scope } from "effect"
import { CircuitBreaker, RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"

type Stores = Context.Context<RateLimiter.RateLimiterStore | CircuitBreaker.CircuitBreakerStore>
/** Calls that were let through and have not ended. */
type Permits = Array<{ readonly key: string; readonly generation: number; readonly scope: Scope.Closeable }>

type NewStores = () => Layer.Layer<RateLimiter.RateLimiterStore | CircuitBreaker.CircuitBreakerStore, unknown>

/** `newStores` gives stores where nothing is yet. */
export const storeLaws = (where: string, newStores: NewStores): void => {
  /** Each step, after so many milliseconds, says the same over both stores. */
  const law = <Step>(
    name: string,
    step: fc.Arbitrary<Step>,
    play: (step: Step, stores: Stores, permits: Permits) => Effect.Effect<unknown>,
  ) => {
    const later = fc.constantFrom(0, 1, 40, 60, 5_000)
    const program = fc.array(fc.record({ later, step }), { maxLength: 60, size: "max" })
    it(name, async () => {
      const run = Effect.fnUntraced(
        function* (steps: ReadonlyArray<{ readonly later: number; readonly step: Step }>) {
          const memory = yield* Layer.build(
            Layer.mergeAll(RateLimiter.layerStoreMemory, CircuitBreaker.layerStoreMemory()),
          )
          const table = yield* Layer.build(newStores())
          const [ofMemory, ofTable]: [Permits, Permits] = [[], []]
          for (const { later, step } of steps) {
            yield* TestClock.adjust(later)
            assert.deepStrictEqual(yield* play(step, table, ofTable), yield* play(step, memory, ofMemory))
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

    const policies = {
      streak: CircuitBreaker.consecutive(1),
      share: CircuitBreaker.rate({ threshold: 0.5, size: 4, minimumCalls: 2 }),
    }
    const key = fc.constantFrom("streak" as const, "share" as const)
    law(
      "open and close a circuit as the store in memory does",
      fc.oneof(
        fc.record({ _tag: fc.constant("Admit" as const), key }),
        fc.record({
          _tag: fc.constant("End" as const),
          which: fc.nat(3),
          outcome: fc.constantFrom("Success" as const, "Success" as const, "Failure" as const, "Ignored" as const),
          openFor: fc.constantFrom(Duration.millis(50), Duration.millis(4_000)),
        }),
        fc.record({ _tag: fc.constant("Rest" as const) }),
      ),
      (step, stores, permits) =>
        Effect.gen(function* () {
          const store = Context.get(stores, CircuitBreaker.CircuitBreakerStore)
          switch (step._tag) {
            // Long enough for a circuit that nobody uses to be forgotten.
            case "Rest":
              if (permits.length === 0) yield* TestClock.adjust("2 hours")
              return undefined
            case "Admit": {
              const scope = yield* Scope.make()
              const admission = yield* Effect.result(Scope.provide(store.admit(step.key), scope))
              const state = yield* store.state(step.key)
              if (Result.isFailure(admission)) return { state, refused: admission.failure.reason }
              const { generation, ...rest } = admission.success
              permits.push({ key: step.key, generation, scope })
              return { state, rest }
            }
            case "End": {
              const [permit] = permits.splice(step.which % Math.max(1, permits.length), 1)
              if (permit === undefined) return undefined
              const { generation, key, scope } = permit
              const tripPolicy = key === "share" ? policies.share : policies.streak
              const said = yield* store.record({ key, generation, tripPolicy, ...step })
              yield* Scope.close(scope, Exit.void)
              return said
            }
          }
        }).pipe(Effect.orDie),
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
        const breaker = yield* CircuitBreaker.make({
          tripPolicy: CircuitBreaker.consecutive(1),
          openDuration: "5 seconds",
        }).pipe(Effect.provide(stores))
        const pass = (exit: Exit.Exit<void, string>) => Effect.exit(breaker.execute(exit, { key: "endpoint" }))

        yield* TestClock.setTime(10 * 86_400_000)
        yield* take
        yield* pass(Exit.fail("down"))
        yield* TestClock.setTime(0)
        assert.strictEqual(Duration.toMillis((yield* take).delay), 0)
        assert.isTrue(Exit.isFailure(yield* pass(Exit.void)))
        yield* TestClock.setTime(5_000)
        assert.isTrue(Exit.isSuccess(yield* pass(Exit.void)))
      }).pipe(Effect.scoped),
    )

    it.effect("let another call test an endpoint when the process that did so is gone, and not before", () =>
      Effect.gen(function* () {
        const stores = yield* Layer.build(newStores())
        const store = Context.get(stores, CircuitBreaker.CircuitBreakerStore)
        const admit = Effect.map(Effect.result(store.admit("endpoint")), (admitted) =>
          Result.isSuccess(admitted) ? admitted.success.probe : admitted.failure.reason._tag,
        )
        const { generation } = yield* store.admit("endpoint")
        const openFor = Duration.millis(50)
        yield* store.record({ key: "endpoint", generation, outcome: "Failure", tripPolicy: policies.streak, openFor })
        yield* TestClock.adjust(50)

        const process = yield* Scope.make()
        assert.strictEqual(yield* Scope.provide(admit, process), true)
        for (let seconds = 0; seconds < 60; seconds++) {
          assert.strictEqual(yield* admit, "CircuitHalfOpen")
          yield* TestClock.adjust("1 second")
        }
        yield* Scope.close(process, Exit.void)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* admit, true)
      }).pipe(Effect.scoped),
    )
  })
}
