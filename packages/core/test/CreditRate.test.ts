/** Credits per second that several processes share; here each is a build of the layer, over one store. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import type { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Price, Transport } from "@dotrpc/spec"
import { CreditRate } from "../src/index.ts"
import { away, inFile, inMemory, store } from "./rateStores.ts"
import { method, network, request, scripted, succeed } from "./scripted.ts"

interface Sent {
  readonly at: number
  readonly credits: number
}

/** What so many processes sent in ten seconds, each with callers of these prices that call again and again. */
const sentBy = (
  processes: number,
  prices: ReadonlyArray<number>,
  limiter: Layer.Layer<RateLimiter.RateLimiter>,
  perSecond: number,
) =>
  Effect.gen(function* () {
    const shared = Layer.succeedContext(yield* Layer.build(limiter))
    const all: Array<Array<Sent>> = []
    for (let process = 0; process < processes; process++) {
      const sent: Array<Sent> = []
      all.push(sent)
      const { layer } = scripted((asked) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => {
          sent.push({ at, credits: Price.priceOf(asked.method, asked.network).credits })
          return succeed(asked)
        }),
      )
      const live = CreditRate.layerShared({ perSecond }).pipe(Layer.provide(layer), Layer.provide(shared))
      const { send } = Context.get(yield* Layer.build(live), Transport)
      for (const credits of prices) {
        const priced = method({ price: Price.published(credits) })
        yield* Effect.forkScoped(Effect.forever(send(request({ method: priced }))))
      }
    }
    for (let millis = 0; millis < 10_000; millis++) yield* TestClock.adjust(1)
    return all
  }).pipe(Effect.scoped)

const total = (sent: ReadonlyArray<Sent>): number => sent.reduce((sum, { credits }) => sum + credits, 0)

/** The most credits of any time of a second. */
const most = (sent: ReadonlyArray<Sent>): number => {
  const times = sent.toSorted((one, other) => one.at - other.at)
  return Math.max(...times.map(({ at }) => total(times.filter((other) => other.at >= at && other.at < at + 1_000))))
}

describe("shared credits per second", () => {
  const check = (
    processes: number,
    prices: ReadonlyArray<number>,
    { at: [where, limiter] = inMemory, perSecond = 500 } = {},
  ) =>
    it.effect(`of ${perSecond} are kept by ${processes} processes with prices of ${prices.join(", ")}, ${where}`, () =>
      Effect.gen(function* () {
        const sent = (yield* sentBy(processes, prices, limiter, perSecond)).flat()
        // A second's worth is saved up in the beginning.
        assert.isAtMost(total(sent), 11 * perSecond)
        assert.isAtMost(most(sent), 2 * perSecond)
        assert.isAtLeast(total(sent), 9 * perSecond)
      }),
    )
  check(1, [80])
  check(3, [80, 20])
  check(4, [255, 16.5])
  check(8, [500])
  check(2, [80], { perSecond: 100.5 })
  check(3, [0.000_01, 0.000_004_5], { perSecond: 0.000_1 })
  check(3, [250_000, 80_000], { perSecond: 5_000_000 })
  check(2, [40_000], { perSecond: 999_999 })
  check(4, [80, 20], { at: inFile })
  check(4, [0.3], { at: inFile, perSecond: 2 })

  const checkTogether = (one: number, other: number) =>
    it.effect(`of ${one} and ${other} are one rate`, () =>
      Effect.gen(function* () {
        const { layer, sent } = scripted(succeed)
        const shared = Layer.succeedContext(yield* Layer.build(store))
        for (const perSecond of [one, other]) {
          const live = CreditRate.layerShared({ perSecond }).pipe(Layer.provide(layer), Layer.provide(shared))
          const { send } = Context.get(yield* Layer.build(live), Transport)
          const priced = method({ price: Price.published(one) })
          yield* Effect.forkScoped(send(request({ method: priced })))
        }
        yield* TestClock.adjust(900)
        assert.strictEqual(sent.length, 1)
      }).pipe(Effect.scoped),
    )
  checkTogether(99, 101)
  checkTogether(1_000, 1_001)
  checkTogether(1, 1.05)

  const checkRefused = (perSecond: number) =>
    it.effect(`of ${perSecond} are refused`, () =>
      Effect.gen(function* () {
        const live = CreditRate.layerShared({ perSecond }).pipe(
          Layer.provide(scripted(succeed).layer),
          Layer.provide(store),
        )
        assert.match(
          (yield* Effect.flip(Layer.build(live))).message,
          /^perSecond must be a number of credits from 0\.000001 to 1,000,000,000,000; it is /,
        )
      }).pipe(Effect.scoped),
    )
  for (const perSecond of [Infinity, Number.NaN, 0, -1, 1e-310, 1e300]) checkRefused(perSecond)

  it.effect("are each process's own while the store cannot be reached", () =>
    Effect.gen(function* () {
      for (const sent of yield* sentBy(2, [80, 20], away, 500)) {
        assert.isAtMost(total(sent), 11 * 500)
        assert.isAtLeast(total(sent), 9 * 500)
      }
    }),
  )

  it.effect("do not hold back what is free", () =>
    Effect.gen(function* () {
      const live = CreditRate.layerShared({ perSecond: 1 }).pipe(
        Layer.provide(scripted(succeed).layer),
        Layer.provide(store),
      )
      const { send } = Context.get(yield* Layer.build(live), Transport)
      // No time passes.
      for (let count = 0; count < 5; count++) yield* send(request({ method: method({ price: Price.published(0) }) }))
    }).pipe(Effect.scoped),
  )

  it.effect("of two accounts are two rates", () =>
    Effect.gen(function* () {
      const { layer, sent } = scripted(succeed)
      const live = CreditRate.layerShared({ perSecond: 100 }).pipe(Layer.provide(layer), Layer.provide(store))
      const { send } = Context.get(yield* Layer.build(live), Transport)
      const priced = method({ price: Price.published(100) })
      for (const account of ["one", "other"])
        yield* Effect.forkScoped(Effect.forever(send(request({ method: priced, network: { ...network, account } }))))
      yield* TestClock.adjust(500)
      assert.strictEqual(sent.length, 2)
      yield* TestClock.adjust(500)
      assert.strictEqual(sent.length, 4)
    }).pipe(Effect.scoped),
  )
})
