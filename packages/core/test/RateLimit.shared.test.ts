/** A rate that several processes share; here each is a build of the layer, over one store. */
import { isDeep } from "@dotrpc/vitest/depth"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import type { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Transport } from "@dotrpc/spec"
import { Priority, RateLimit } from "../src/index.ts"
import { away, inFile, inMemory, store } from "./rateStores.ts"
import { request, scripted, succeed } from "./scripted.ts"

const rate = { requestsPerSecond: 100, burst: "100 millis" } as const

/** Each millisecond of them is a step. */
const seconds = isDeep ? 10 : 2

/** So many processes with as many callers each, for these seconds; how many calls each of them sent. */
const sentBy = (processes: number, callers: number, limiter: Layer.Layer<RateLimiter.RateLimiter>) =>
  Effect.gen(function* () {
    const shared = Layer.succeedContext(yield* Layer.build(limiter))
    const transports = Array.from({ length: processes }, () => scripted(succeed))
    for (const { layer } of transports) {
      const live = RateLimit.layerShared(rate).pipe(Layer.provide(layer), Layer.provide(shared))
      const { send } = Context.get(yield* Layer.build(live), Transport)
      for (let caller = 0; caller < callers; caller++) yield* Effect.forkScoped(Effect.forever(send(request())))
    }
    // Each millisecond by itself, so that those who wait for one do not come late.
    for (let millis = 0; millis < 1_000 * seconds; millis++) yield* TestClock.adjust(1)
    return transports.map(({ sent }) => sent.length)
  }).pipe(Effect.scoped)

describe("a shared rate", () => {
  const check = (processes: number, callers: number, [where, limiter] = inMemory) =>
    it.effect(`is kept by ${processes} processes with ${callers} callers each together, ${where}`, () =>
      Effect.gen(function* () {
        const sent = yield* sentBy(processes, callers, limiter)
        const together = sent.reduce((sum, count) => sum + count, 0)
        assert.isAtMost(together, 10 + seconds * 100)
        assert.isAtLeast(together, 0.9 * seconds * 100)
        for (const count of sent) assert.isAtLeast(count, (0.8 * together) / processes)
      }),
    )
  check(1, 1)
  check(1, 50)
  check(2, 3)
  check(8, 20)
  check(1, 1, inFile)
  check(4, 20, inFile)

  it.effect("is each process's own while the store cannot be reached", () =>
    Effect.gen(function* () {
      for (const count of yield* sentBy(2, 5, away)) {
        assert.isAtMost(count, 10 + seconds * 100)
        assert.isAtLeast(count, 0.9 * seconds * 100)
      }
    }),
  )

  it.effect("lets people go first in each process", () =>
    Effect.gen(function* () {
      const live = RateLimit.layerShared(rate).pipe(Layer.provide(scripted(succeed).layer), Layer.provide(store))
      const { send } = Context.get(yield* Layer.build(live), Transport)
      for (let caller = 0; caller < 200; caller++)
        yield* Effect.forkScoped(
          Effect.forever(Effect.exit(send(request()))).pipe(Effect.provideService(Priority, "background")),
        )
      yield* TestClock.adjust("2 seconds")
      const began = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkScoped(Effect.andThen(send(request()), Clock.currentTimeMillis))
      yield* TestClock.adjust("1 second")
      const exit = fiber.pollUnsafe()
      assert.isTrue(exit !== undefined && Exit.isSuccess(exit) && exit.value - began <= 30)
    }).pipe(Effect.scoped),
  )
})
