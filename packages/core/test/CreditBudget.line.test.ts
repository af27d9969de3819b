/** Calls that cannot be paid at once: who waits, for how long, and who goes first. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { Price, type RpcError, RpcReason, type Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CallObserver, CreditBudget, CreditLedger, Priority, Retry } from "../src/index.ts"
import { type Answer, fail, method, request, scripted, send, succeed } from "./scripted.ts"

const logs = method({ name: "test_getLogs", price: Price.published(255) })

interface Setup {
  readonly options: CreditBudget.Options
  readonly daily?: number
  readonly answer?: Answer
}

interface World {
  readonly sent: ReadonlyArray<string>
  readonly sentAt: ReadonlyArray<number>
}

/** A budget over a ledger of 100,000 credits, if not told otherwise. Calls are distinguished by their first param. */
const run = <A, E>(
  setup: Setup,
  body: (world: World) => Effect.Effect<A, E, Transport | CreditLedger.CreditLedger | Scope.Scope>,
) => {
  const transport = scripted(setup.answer ?? succeed)
  const world: World = {
    get sent() {
      return transport.sent.map(({ params }) => (Array.isArray(params) ? String(params[0]) : ""))
    },
    sentAt: transport.sentAt,
  }
  const ledger = CreditLedger.layerMemory({ daily: setup.daily ?? 100_000 })
  const layer = CreditBudget.layer(setup.options).pipe(Layer.provideMerge(ledger), Layer.provide(transport.layer))
  return Effect.scoped(body(world)).pipe(Effect.provide(layer))
}

const call = (name: string) => send(request({ method: logs, params: [name] }))
const priced = (price: number, name: string) =>
  send(request({ method: method({ price: Price.published(price) }), params: [name] }))
const background = Effect.provideService(Priority, "background")

/** Starts calls in this order and lets time pass until all are done. */
const startAll = <R>(...calls: ReadonlyArray<Effect.Effect<unknown, RpcError, R>>) =>
  Effect.gen(function* () {
    for (const one of calls) {
      yield* Effect.forkScoped(one)
      yield* Effect.yieldNow
    }
    yield* TestClock.adjust("1 minute")
  })

describe("the limit per second", () => {
  const check = (name: string, perSecond: number, prices: ReadonlyArray<number>, sentAt: ReadonlyArray<number>) =>
    it.effect(name, () =>
      run({ options: { perSecond } }, (world) =>
        Effect.gen(function* () {
          yield* startAll(...prices.map((price, index) => priced(price, String(index))))
          assert.deepStrictEqual(world.sentAt, sentAt)
          assert.deepStrictEqual(
            world.sent,
            prices.map((_, index) => String(index)),
          )
        }),
      ),
    )
  const six = (price: number) => Array.from({ length: 6 }, () => price)

  check("lets as much through as it says", 510, six(255), [0, 0, 1_000, 1_500, 2_000, 2_500])
  check("gives what is left of it to a cheap call", 500, six(80).concat(80, 20), [0, 0, 0, 0, 0, 0, 1_000, 1_000])
  check("keeps the order, the cheap ones after the dear one", 255, [80, 255, 1, 1], [0, 1_000, 2_000, 2_000])
  check("is on time where a sum of fractions is not exact", 300, six(80), [0, 0, 0, 1_000, 1_267, 1_534])

  it("keeps to its bound over any time", async () => {
    const arrivals = fc.array(fc.record({ price: fc.integer({ min: 1, max: 500 }), pause: fc.nat({ max: 700 }) }), {
      minLength: 1,
      maxLength: 25,
    })
    await fc.assert(
      fc.asyncProperty(arrivals, async (arrivals) => {
        const program = run({ options: { perSecond: 500 } }, (world) =>
          Effect.gen(function* () {
            for (const [index, { pause, price }] of arrivals.entries()) {
              yield* Effect.forkScoped(priced(price, String(index)))
              yield* TestClock.adjust(pause)
            }
            yield* TestClock.adjust("1 hour")
            return world
          }),
        )
        const { sent, sentAt } = await Effect.runPromise(program.pipe(Effect.provide(TestClock.layer())))
        assert.deepStrictEqual(
          sent,
          arrivals.map((_, index) => String(index)),
        )
        for (let first = 0; first < arrivals.length; first++) {
          let credits = 0
          for (let last = first; last < arrivals.length; last++) {
            credits += arrivals[last]?.price ?? 0
            const seconds = ((sentAt[last] ?? 0) - (sentAt[first] ?? 0)) / 1_000
            assert.isAtMost(credits, 500 + 500 * seconds + 1e-6)
            if (first === 0 && seconds < 1) assert.isAtMost(credits, 500)
          }
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it.effect("refuses a call that costs more than a second gives at once", () =>
    run({ options: { perSecond: 254 } }, (world) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(call("a"))
        assert.include(error.message, "the call needs 255 credits, and the limit per second of 254 has 254 left")
        assert.deepStrictEqual(world.sent, [])
      }),
    ),
  )

  it.effect("is reported to the observer of the next call", () =>
    run({ options: { perSecond: 255 } }, () =>
      Effect.gen(function* () {
        const waits: Array<string> = []
        const watched = Effect.provideService(call("b"), CallObserver, {
          onAttempt: () => {},
          onWait: (millis, why) => void waits.push(`${why}: ${millis}`),
        })
        yield* startAll(call("a"), watched)
        assert.deepStrictEqual(waits, ["waiting for the credits per second: 1000"])
      }),
    ),
  )

  it.effect("gives a call that is refused by the ledger no share of it", () =>
    run({ options: { perSecond: 255 }, daily: 100 }, (world) =>
      Effect.gen(function* () {
        yield* Effect.flip(call("a"))
        yield* send(request({ params: ["b"] }))
        assert.deepStrictEqual(world.sentAt, [0])
      }),
    ),
  )

  it.effect("forgets a call that is interrupted while it waits", () =>
    run({ options: { perSecond: 255 } }, (world) =>
      Effect.gen(function* () {
        const waiting = yield* Effect.forkScoped(Effect.andThen(call("a"), call("b")))
        yield* TestClock.adjust("500 millis")
        const next = yield* Effect.forkScoped(call("c"))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(waiting)
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(next)
        assert.deepStrictEqual(world.sent, ["a", "c"])
        assert.deepStrictEqual(world.sentAt, [0, 1_000])
        const { reserved, spent } = yield* (yield* CreditLedger.CreditLedger).balance
        assert.deepStrictEqual([spent, reserved], [510, 0])
      }),
    ),
  )
})

const checkOrder = (name: string, calls: ReadonlyArray<Effect.Effect<unknown, RpcError, Transport>>, order: string) =>
  it.effect(name, () =>
    run({ options: { perSecond: 255 } }, (world) =>
      Effect.gen(function* () {
        yield* startAll(...calls)
        assert.strictEqual(world.sent.join(" "), order)
      }),
    ),
  )

describe("calls that wait go", () => {
  const pipeline = (name: string, parent?: CreditBudget.Allowance) => {
    const allowance = CreditBudget.makeAllowance({ name, parent })
    return { allowance, call: (id: string) => CreditBudget.withAllowance(allowance)(call(`${name}${id}`)) }
  }

  checkOrder("in the order they came", ["a", "b", "c", "d"].map(call), "a b c d")
  checkOrder(
    "interactive before background",
    [call("first"), background(call("b1")), background(call("b2")), call("i1"), call("i2")],
    "first i1 i2 b1 b2",
  )
  {
    const [a, b] = [pipeline("a"), pipeline("b")]
    checkOrder(
      "pipelines in turn, however many calls each has",
      [call("first"), a.call("1"), a.call("2"), a.call("3"), a.call("4"), b.call("1"), b.call("2")],
      "first a1 b1 a2 b2 a3 a4",
    )
  }
  {
    const shared = CreditBudget.makeAllowance({ name: "shared" })
    const [a, b, c] = [pipeline("a", shared), pipeline("b", shared), pipeline("c")]
    checkOrder(
      "those who share an allowance in turn within its turn",
      [call("first"), a.call("1"), a.call("2"), b.call("1"), b.call("2"), c.call("1"), c.call("2"), c.call("3")],
      "first a1 c1 b1 c2 a2 c3 b2",
    )
  }
  {
    const [a, b] = [pipeline("a"), pipeline("b")]
    checkOrder(
      "interactive first within fairness to pipelines",
      [call("first"), background(a.call("1")), background(a.call("2")), background(b.call("1")), b.call("!")],
      "first b! a1 b1 a2",
    )
  }
})

describe("the share kept for interactive calls", () => {
  const options = { reserveForInteractive: 0.5 }

  it.effect("is not for background calls, whose error says so", () =>
    run({ options, daily: 1_000 }, (world) =>
      Effect.gen(function* () {
        yield* background(call("b1"))
        const error = yield* Effect.flip(background(call("b2")))
        assert.strictEqual(
          error.message,
          "test_getLogs on local: refused: the call needs 255 credits, and the daily limit of 1000 has 745 left, and 500 are kept for interactive calls. Nothing was sent.",
        )
        assert.include(error.advice, "wait until it resets at 1970-01-02T00:00:00.000Z.")
        yield* call("i1")
        yield* call("i2")
        assert.deepStrictEqual(world.sent, ["b1", "i1", "i2"])
      }),
    ),
  )
})

describe("a call that may wait", () => {
  const options = { onExhausted: "wait" } as const

  it.effect("goes when the balance resets, interactive ones first, and says until when it waits", () =>
    run({ options, daily: 600 }, (world) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(86_400_000 - 3_600_000)
        const waits: Array<string> = []
        const watched = Effect.provideService(background(call("c")), CallObserver, {
          onAttempt: () => {},
          onWait: (millis, why) => void waits.push(`${why}: ${millis}`),
        })
        yield* startAll(call("a"), call("b"), watched, call("d"))
        assert.deepStrictEqual(world.sent, ["a", "b"])
        assert.deepStrictEqual(waits, ["the balance is used up until 1970-01-02T00:00:00.000Z: 3600000"])
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(world.sent, ["a", "b", "d", "c"])
        assert.deepStrictEqual(world.sentAt.slice(2), [86_400_000, 86_400_000])
      }),
    ),
  )

  it.effect("goes as soon as another one gives credits back", () =>
    run(
      {
        options,
        daily: 300,
        answer: ({ onSend, params }) =>
          Array.isArray(params) && params[0] === "slow"
            ? Effect.delay(fail(new RpcReason.Transport({ said: "no" }), "server-error")(request()), "10 seconds")
            : Effect.andThen(
                Effect.sync(() => onSend?.()),
                Effect.succeed({ result: "0x1" }),
              ),
      },
      (world) =>
        Effect.gen(function* () {
          yield* startAll(Effect.ignore(call("slow")), call("next"))
          assert.deepStrictEqual(world.sentAt, [0, 10_000])
        }),
    ),
  )

  it.effect("waits for its allowance while that may be able to pay, and others pass it", () =>
    run(
      {
        options,
        answer: ({ params }) =>
          Array.isArray(params) && params[0] === "slow"
            ? Effect.delay(fail(new RpcReason.Transport({ said: "no" }), "unsent")(request()), "10 seconds")
            : Effect.succeed({ result: "0x1" }),
      },
      (world) =>
        Effect.gen(function* () {
          const allowance = CreditBudget.makeAllowance({ name: "# @budget", limit: 300 })
          const within = CreditBudget.withAllowance(allowance)
          yield* startAll(Effect.ignore(within(call("slow"))), within(call("next")), call("other"))
          assert.deepStrictEqual(world.sent, ["slow", "other", "next"])
          assert.deepStrictEqual(world.sentAt, [0, 0, 10_000])
        }),
    ),
  )

  it.effect("fails once its allowance never will be able to pay", () =>
    run({ options, answer: (request) => Effect.delay(succeed(request), "10 seconds") }, (world) =>
      Effect.gen(function* () {
        const within = CreditBudget.within({ name: "# @budget", limit: 300 })
        const both = yield* Effect.forkScoped(within(Effect.all([call("a"), call("b")], { concurrency: 2 })))
        yield* TestClock.adjust("1 minute")
        const error = yield* Effect.flip(Fiber.join(both))
        assert.strictEqual(error.reason._tag, "BudgetRefused")
        assert.include(error.message, "# @budget of 300 has 45 left")
        assert.deepStrictEqual(world.sent, ["a"])
      }),
    ),
  )

  it.effect("fails at once at a price that a whole day does not pay", () =>
    run({ options, daily: 254 }, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(call("a"))).reason._tag, "DailyLimitReached")
      }),
    ),
  )
})

const away = new RpcReason.LedgerUnavailable({
  why: "the Redis server at redis.example:6379 cannot be reached (connect ECONNREFUSED)",
  advice: "Check that the server runs.",
  retryable: true,
})

/** A ledger whose store goes away before or after the reservation. */
const failing = (when: "reserve" | "settle") =>
  Layer.effect(
    CreditLedger.CreditLedger,
    Effect.map(CreditLedger.CreditLedger, (ledger) =>
      CreditLedger.CreditLedger.of({
        ...ledger,
        ...(when === "reserve" ? { reserve: () => Effect.fail(away) } : { settle: () => Effect.fail(away) }),
      }),
    ),
  ).pipe(Layer.provide(CreditLedger.layerMemory({ daily: 1_000 })))

describe("without a ledger", () => {
  it.effect("nothing is sent, and the call says why and what to do", () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      const error = yield* Effect.flip(call("a"))
      assert.strictEqual(
        error.message,
        "test_getLogs on local: the credit ledger cannot be used: the Redis server at redis.example:6379 cannot be reached (connect ECONNREFUSED). Nothing was sent.",
      )
      assert.deepStrictEqual(
        [error.code, error.advice, error.retryable, error.outcome],
        ["RPC-2015", "Check that the server runs.", true, "unsent"],
      )
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(
      CreditBudget.within({ name: "a meter" }),
      Effect.provide(CreditBudget.layer().pipe(Layer.provide([failing("reserve"), transport.layer]))),
    )
  })

  it.effect("calls fail immediately, without a retry, and continue when it is back", () => {
    const transport = scripted(succeed)
    let times = 0
    const flaky = Layer.effect(
      CreditLedger.CreditLedger,
      Effect.map(CreditLedger.CreditLedger, (ledger) =>
        CreditLedger.CreditLedger.of({
          ...ledger,
          reserve: (credits) => (times++ < 1 ? Effect.fail(away) : ledger.reserve(credits)),
        }),
      ),
    ).pipe(Layer.provide(CreditLedger.layerMemory({ daily: 1_000 })))
    return Effect.gen(function* () {
      const error = yield* Effect.flip(call("a"))
      assert.strictEqual(error.reason._tag, "LedgerUnavailable")
      assert.deepStrictEqual(transport.sent, [])
      yield* call("a")
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(
      Effect.provide(Retry.layer().pipe(Layer.provide(CreditBudget.layer()), Layer.provide([flaky, transport.layer]))),
    )
  })

  it.effect("to settle in, the result is not lost and a warning is logged", () => {
    const transport = scripted(succeed)
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    const meter = CreditBudget.makeAllowance({ name: "a meter" })
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* CreditBudget.withAllowance(meter)(call("a")), { result: "0x1" })
      assert.deepStrictEqual([meter.spent, meter.reserved], [255, 0])
      assert.match(String(logged), /A charge could not be recorded \(the Redis server .* cannot be reached/)
    }).pipe(
      Effect.provide(CreditBudget.layer().pipe(Layer.provide([failing("settle"), transport.layer]))),
      Effect.provide(Logger.layer([logger])),
    )
  })
})
