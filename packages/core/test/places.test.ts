/** The places on a link: who gets the next one, and what interruptions leave behind. */
import { runs } from "@dotrpc/vitest/depth"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import * as fc from "fast-check"
import { makePlaces } from "../src/internal/socket/places.ts"
import { Priority } from "../src/Priority.ts"

const background = Effect.provideService(Priority, "background")

describe("places on a link", () => {
  it.effect("go to calls that a person waits for first", () =>
    Effect.gen(function* () {
      const places = makePlaces(1)
      const order: Array<string> = []
      const gate = yield* Latch.make(false)
      const call = (name: string) =>
        places.pass(
          Effect.andThen(
            gate.await,
            Effect.sync(() => order.push(name)),
          ),
        )
      const all = yield* Effect.forEach(
        [call("first").pipe(background), call("flood").pipe(background), call("more").pipe(background), call("person")],
        (one) => Effect.forkChild(one, { startImmediately: true }),
      )
      yield* gate.open
      yield* Fiber.joinAll(all)
      assert.deepStrictEqual(order, ["first", "person", "flood", "more"])
    }),
  )

  it.effect("are never more than there are, and none is lost, whichever call is interrupted", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 3 }),
          fc.array(fc.constantFrom("call", "interrupt", "end", "alone"), { maxLength: 40 }),
          (most, steps) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const places = makePlaces(most)
                const calls: Array<{ readonly fiber: Fiber.Fiber<void>; readonly end: Latch.Latch }> = []
                let inFlight = 0
                const call = Effect.fnUntraced(function* () {
                  const end = yield* Latch.make(false)
                  const work = Effect.suspend(() => {
                    assert.isAtMost(++inFlight, most)
                    return Effect.ensuring(
                      end.await,
                      Effect.sync(() => inFlight--),
                    )
                  })
                  calls.push({ end, fiber: yield* Effect.forkChild(places.pass(work), { startImmediately: true }) })
                })
                for (const [index, step] of steps.entries()) {
                  const chosen = calls[(index * 7) % Math.max(1, calls.length)]
                  if (step === "call") yield* call()
                  else if (step === "alone") places.oneAtATime(1)
                  else if (step === "interrupt" && chosen !== undefined) yield* Fiber.interrupt(chosen.fiber)
                  else if (step === "end" && chosen !== undefined) yield* chosen.end.open
                }
                for (const { end } of calls) yield* end.open
                for (const { fiber } of calls) yield* Fiber.await(fiber)
                assert.strictEqual(inFlight, 0)
                // The one that still had to run alone.
                yield* places.pass(Effect.void)
                for (let left = most; left > 0; left--) yield* call()
                yield* Effect.yieldNow
                assert.strictEqual(inFlight, most)
                for (const { fiber } of calls) yield* Fiber.interrupt(fiber)
              }),
            ),
        ),
        { numRuns: runs(300) },
      ),
    ),
  )
})
