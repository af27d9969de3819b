import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect } from "vitest"
import { type Options as Check, defineNetwork, Price, RpcReason, type Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CallObserver, CreditBudget, CreditLedger, Priority, RateLimit, Retry } from "../src/index.ts"
import { type Answer, errorOf, fail, method, request, scripted, send, succeed } from "./scripted.ts"

const far = defineNetwork({ id: "far", plugin: "test", url: "http://127.0.0.1:9/v3/far" })
const limitedFor = (retryAfterMillis: number) =>
  fail(new RpcReason.RateLimited({ said: "slow down", retryAfterMillis }), "too-many-requests")

const refused = fail(new RpcReason.RateLimited({ said: "too fast" }), "too-many-requests")

const after =
  (millis: number, answer: Answer): Answer =>
  (request) =>
    Effect.delay(answer(request), millis)

const priced = (price: number, name = String(price)) =>
  request({ method: method({ price: Price.published(price) }), params: [name] })

/** Runs an effect over a rate limit. */
const limited = <A, E>(
  options: RateLimit.Options,
  transport: ReturnType<typeof scripted>,
  body: Effect.Effect<A, E, Transport>,
) => Effect.provide(body, RateLimit.layer(options).pipe(Layer.provide(transport.layer)))

const checkPacing = (
  name: string,
  options: RateLimit.Options,
  prices: ReadonlyArray<number>,
  sentAt: ReadonlyArray<number>,
) =>
  it.effect(name, () => {
    const transport = scripted(succeed)
    return limited(
      options,
      transport,
      Effect.gen(function* () {
        const calls = prices.map((price, index) => send(priced(price, `call ${index}`)))
        const fiber = yield* Effect.forkChild(Effect.all(calls, { concurrency: "unbounded" }))
        yield* TestClock.adjust("1 hour")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(transport.sentAt, sentAt)
        assert.deepStrictEqual(
          transport.sent.map(({ params }) => params),
          prices.map((_, index) => [`call ${index}`]),
        )
      }),
    )
  })

const ten = (price: number) => Array.from({ length: 10 }, () => price)

describe("calls that come at once leave", () => {
  checkPacing("at once when nothing is limited", {}, ten(80), ten(0))
  checkPacing(
    "by requests per second after a second's worth",
    { requestsPerSecond: 2 },
    ten(80).slice(5),
    [0, 0, 500, 1_000, 1_500],
  )
  checkPacing(
    "evenly when nothing may be saved up",
    { requestsPerSecond: 4, burst: 0 },
    [1, 1, 1, 1],
    [0, 250, 500, 750],
  )
  checkPacing("by their number, whatever they cost", { requestsPerSecond: 1 }, [10, 255, 1], [0, 1_000, 2_000])
  checkPacing(
    "without drift when the interval is not a whole number",
    { requestsPerSecond: 3 },
    ten(1),
    [0, 0, 0, 334, 667, 1_000, 1_334, 1_667, 2_000, 2_334],
  )
  checkPacing("less than once a second too", { requestsPerSecond: 0.5 }, [1, 1, 1], [0, 2_000, 4_000])
})

it.effect("no more than a burst is saved up in a quiet time", () => {
  const transport = scripted(succeed)
  return limited(
    { requestsPerSecond: 2 },
    transport,
    Effect.gen(function* () {
      yield* send(request())
      yield* TestClock.adjust("1 hour")
      const fiber = yield* Effect.forkChild(
        Effect.all([send(request()), send(request()), send(request())], { concurrency: "unbounded" }),
      )
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(transport.sentAt, [0, 3_600_000, 3_600_000, 3_600_500])
    }),
  )
})

it("the rate keeps to its bound over any time, and the order of the calls", async () => {
  const arrivals = fc.array(fc.record({ price: fc.integer({ min: 1, max: 500 }), pause: fc.nat({ max: 700 }) }), {
    minLength: 1,
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(arrivals, async (arrivals) => {
      const transport = scripted(succeed)
      const program = Effect.gen(function* () {
        for (const [index, { price, pause }] of arrivals.entries()) {
          yield* Effect.forkChild(send(priced(price, String(index))))
          yield* TestClock.adjust(pause)
        }
        yield* TestClock.adjust("1 hour")
      })
      await Effect.runPromise(
        limited({ requestsPerSecond: 5 }, transport, program).pipe(Effect.provide(TestClock.layer())),
      )
      expect(transport.sent.map(({ params }) => params)).toEqual(arrivals.map((_, index) => [String(index)]))
      for (let first = 0; first < arrivals.length; first++) {
        for (let last = first; last < arrivals.length; last++) {
          const seconds = ((transport.sentAt[last] ?? 0) - (transport.sentAt[first] ?? 0)) / 1_000
          expect(last - first + 1).toBeLessThanOrEqual(5 + 5 * seconds + 1e-6)
        }
      }
    }),
    { numRuns: runs(60) },
  )
})

const checkInterrupted = (name: string, interrupted: number, sentAt: ReadonlyArray<number>) =>
  it.effect(name, () => {
    const transport = scripted(succeed)
    return limited(
      { requestsPerSecond: 1, burst: 0 },
      transport,
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach([0, 1, 2, 3], () => Effect.forkChild(send(request())))
        yield* TestClock.adjust("300 millis")
        const fiber = fibers[interrupted]
        if (fiber !== undefined) yield* Fiber.interrupt(fiber)
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(transport.sentAt, sentAt)
      }),
    )
  })

describe("a call that is interrupted while it waits", () => {
  checkInterrupted("gives its place at the head of the line to the next one", 1, [0, 1_000, 2_000])
  checkInterrupted("leaves the line when it is in the middle of it", 2, [0, 1_000, 2_000])
  checkInterrupted("leaves the line when it is the last", 3, [0, 1_000, 2_000])
})

/** Calls and what was sent are written as the millisecond and the network: `10 far`. */
const checkPause = (
  name: string,
  answers: readonly [Answer, ...ReadonlyArray<Answer>],
  calls: ReadonlyArray<string>,
  sent: ReadonlyArray<string>,
  options: RateLimit.Options = {},
) =>
  it.effect(name, () => {
    const transport = scripted(...answers)
    return limited(
      options,
      transport,
      Effect.gen(function* () {
        for (const call of calls) {
          const [at, id] = call.split(" ")
          const called = id === "far" ? request({ network: far }) : request()
          yield* Effect.forkChild(Effect.exit(Effect.delay(send(called), Number(at))))
        }
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(
          transport.sent.map(({ network }, index) => `${transport.sentAt[index]} ${network.id}`),
          sent,
        )
      }),
    )
  })

describe("a call that a person waits for", () => {
  /** 100 background calls, as many again 20 milliseconds later, and an interactive one at 50; how long that one waits. */
  const checkLatency = (
    name: string,
    layers: ReadonlyArray<Layer.Layer<Transport, Check.InvalidOptions, Transport | CreditLedger.CreditLedger>>,
    answers: readonly [Answer, ...ReadonlyArray<Answer>],
    expected: number,
  ) =>
    it.effect(`goes before those in the background ${name}`, () => {
      const transport = scripted(...answers)
      const live = layers.reduceRight<Layer.Layer<Transport, Check.InvalidOptions, CreditLedger.CreditLedger>>(
        (below, above) => Layer.provide(above, below),
        transport.layer,
      )
      return Effect.gen(function* () {
        for (const millis of [20, 30]) {
          for (let call = 0; call < 100; call++)
            yield* Effect.forkChild(
              Effect.exit(send(request({ params: [`background ${millis} ${call}`] }))).pipe(
                Effect.provideService(Priority, "background"),
              ),
            )
          yield* TestClock.adjust(millis)
        }
        yield* Effect.forkChild(Effect.exit(send(request({ params: ["person"] }))))
        yield* TestClock.adjust("1 day")
        const index = transport.sent.findIndex(({ params }) => String(params) === "person")
        assert.strictEqual((transport.sentAt[index] ?? NaN) - 50, expected)
      }).pipe(Effect.provide(live), Effect.provide(CreditLedger.layerMemory({ daily: 1_000_000 })))
    })

  const rate = RateLimit.layer({ requestsPerSecond: 100, burst: 0 })
  const credits = CreditBudget.layer({ perSecond: 8_000 })
  const together = Array.from({ length: 20 }, () => after(5, refused)) as [Answer, ...Array<Answer>]

  checkLatency("at a rate", [rate], [succeed], 10)
  // The calls before took a whole second's credits at once, and those come free a second later.
  checkLatency("at a rate, once the credits of the first second are free again", [credits, rate], [succeed], 960)
  checkLatency("at a rate, whatever the order", [rate, credits], [succeed], 10)
  checkLatency(
    "at the pace of a server that has refused calls",
    [RateLimit.layer()],
    [...together, after(5, succeed)],
    15,
  )
  checkLatency("once a pause has passed", [rate], [limitedFor(2_000), succeed], 1_950)
  checkLatency("at a rate below the retries", [Retry.layer(), credits, rate], [succeed], 960)
})

const oncePerSecond = { requestsPerSecond: 1, burst: 0 }

describe("after a server has asked to wait", () => {
  checkPause(
    "all calls to its network wait together",
    [limitedFor(1_000), succeed],
    ["0 local", "10 local", "20 local"],
    ["0 local", "1000 local", "2000 local"],
  )
  checkPause(
    "other networks go on",
    [limitedFor(1_000), succeed],
    ["0 local", "10 local", "20 far"],
    ["0 local", "20 far", "1000 local"],
  )
  checkPause(
    "a shorter wait does not cut the longer one",
    [after(5, limitedFor(1_000)), after(9, limitedFor(100)), succeed],
    ["0 local", "0 local", "10 local"],
    ["0 local", "0 local", "1005 local"],
  )
  checkPause(
    "a pause that is renewed is waited out again",
    [limitedFor(1_000), after(5, limitedFor(2_000)), succeed],
    ["0 local", "10 local", "20 local"],
    ["0 local", "1000 local", "3005 local"],
    oncePerSecond,
  )
  checkPause(
    "calls that were in the line wait too, and let other networks pass",
    [after(5, limitedFor(5_000)), succeed],
    ["0 local", "0 local", "0 local", "0 far"],
    ["0 local", "1000 far", "5005 local", "6005 local"],
    oncePerSecond,
  )

  it.effect("calls fail at once while the pause is longer than they would wait", () => {
    const transport = scripted(limitedFor(90_000), succeed)
    return limited(
      {},
      transport,
      Effect.gen(function* () {
        yield* Effect.exit(send(request()))
        yield* TestClock.adjust("20 seconds")
        const error = yield* Effect.flip(send(request()))
        assert.strictEqual(error.outcome, "unsent")
        assert.deepStrictEqual(
          error.message,
          "test_get on local: rate limited for 70 s: the server asked this network to wait. Nothing was sent; a call that comes in 40 s or later finds out whether it still has to.",
        )
        yield* TestClock.adjust("10 seconds")
        const fiber = yield* Effect.forkChild(send(request()))
        yield* TestClock.adjust("1 hour")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(transport.sentAt, [0, 90_000])
      }),
    )
  })

  const hours = limitedFor(60_000_000)

  /** One call at each of these minutes, and the minutes at which calls were sent. */
  const checkProbes = (
    name: string,
    answers: readonly [Answer, ...ReadonlyArray<Answer>],
    minutes: ReadonlyArray<number>,
    sent: ReadonlyArray<number>,
  ) =>
    it.effect(name, () => {
      const transport = scripted(...answers)
      return limited(
        {},
        transport,
        Effect.gen(function* () {
          let now = 0
          for (const minute of minutes) {
            yield* TestClock.adjust((minute - now) * 60_000)
            now = minute
            yield* Effect.forkChild(Effect.exit(send(request())))
          }
          yield* TestClock.adjust("1 day")
          assert.deepStrictEqual(
            transport.sentAt.map((at) => at / 60_000),
            sent,
          )
        }),
      )
    })

  checkProbes(
    "that is hours, one call finds out after a minute, and the others follow",
    [hours, succeed],
    [0, 0.9, 1, 1.1],
    [0, 1, 1.1],
  )
  checkProbes(
    "that is hours, calls find out more and more rarely while it still asks for hours",
    [hours],
    [0, 1, 1, 2, 2.9, 3, 6.9, 7, 14, 15],
    [0, 1, 3, 7, 15],
  )
  checkProbes(
    "that is hours, the call that finds out may be given a shorter time, which the next ones wait",
    [hours, limitedFor(30_000), succeed],
    [0, 1, 1.1],
    [0, 1, 1.5],
  )
  checkProbes(
    "that is hours, it is asked again soon when it answered in between",
    [hours, succeed, hours, succeed],
    [0, 1, 2, 2.9, 3],
    [0, 1, 2, 3],
  )

  it.effect("a retry and the calls beside it come back when the server said", () => {
    const transport = scripted(limitedFor(2_000), succeed)
    const live = Retry.layer().pipe(Layer.provide(RateLimit.layer()), Layer.provide(transport.layer))
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.all([send(request()), send(request())]))
      yield* TestClock.adjust("1 hour")
      const replies = yield* Effect.result(Fiber.join(fiber))
      assert.isTrue(Result.isSuccess(replies))
      assert.deepStrictEqual(transport.sentAt, [0, 2_000, 3_000])
    }).pipe(Effect.provide(live))
  })
})

const unreachable: Answer = () => Effect.fail(errorOf(new RpcReason.Transport({ said: "nobody there" }), "unsent"))

describe("a turn that was not used is there for the next call", () => {
  const checkTurns = (
    name: string,
    answers: readonly [Answer, ...ReadonlyArray<Answer>],
    sentAt: ReadonlyArray<number>,
  ) =>
    it.effect(name, () => {
      const transport = scripted(...answers)
      return limited(
        oncePerSecond,
        transport,
        Effect.gen(function* () {
          for (let call = 0; call < sentAt.length; call++) yield* Effect.forkChild(Effect.exit(send(request())))
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(transport.sentAt, sentAt)
        }),
      )
    })

  checkTurns("when nothing could be sent", [unreachable, unreachable, unreachable, succeed], [0, 0, 0, 0, 1_000])
  checkTurns("but not when the server refused it", [refused, refused, succeed], [0, 1_000, 2_000])

  it.effect("when the call is interrupted before its first byte", () => {
    const transport = scripted(() => Effect.never, succeed)
    return limited(
      oncePerSecond,
      transport,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(send(request()))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        yield* send(request())
        assert.deepStrictEqual(transport.sentAt, [0, 0])
      }),
    )
  })
})

it.effect("an observer gets the reason why a call waits", () => {
  const told: Array<string> = []
  const observer = { onAttempt: () => {}, onWait: (millis: number, why: string) => void told.push(`${millis}: ${why}`) }
  const transport = scripted(succeed, limitedFor(3_000), succeed)
  return limited(
    { requestsPerSecond: 1, burst: 0 },
    transport,
    Effect.gen(function* () {
      const calls = Array.from({ length: 3 }, () => Effect.exit(send(request())))
      const fiber = yield* Effect.forkChild(Effect.all(calls))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(told, ["1000: waiting for the rate limit", "3000: the server asked this network to wait"])
    }).pipe(Effect.provideService(CallObserver, observer)),
  )
})
