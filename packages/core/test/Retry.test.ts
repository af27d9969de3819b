import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Random, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { defineNetwork, type Price, RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import {
  CallObserver,
  CreditBudget,
  CreditLedger,
  NarrowsOnTimeout,
  Priority,
  Retry,
  RetryTimes,
} from "../src/index.ts"
import { type Answer, errorOf, fail, method, request, scripted, send, succeed } from "./scripted.ts"

const said = "the server's words"
const limited = (retryAfterMillis?: number) => new RpcReason.RateLimited({ said, retryAfterMillis })

/** The middle of the range, where jitter changes nothing. */
const middle = { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => 0.5 }

/** Runs one call for an hour of virtual time and tells when each attempt was sent. */
const sends = (options: Retry.Options, transport: ReturnType<typeof scripted>, sent = request()) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(send(sent)))
    yield* TestClock.adjust("1 hour")
    const result = yield* Fiber.join(fiber)
    return { result, sentAt: transport.sentAt }
  }).pipe(
    Effect.provideService(Random.Random, middle),
    Effect.provide(Retry.layer(options).pipe(Layer.provide(transport.layer))),
  )

const checkAttempts = (reason: RpcReason.Reason, outcome: Price.Outcome, attempts: number) =>
  it.effect(`${reason._tag} is sent ${attempts === 1 ? "once" : `${attempts} times`}`, () =>
    Effect.gen(function* () {
      const { sentAt, result } = yield* sends({}, scripted(fail(reason, outcome)))
      assert.strictEqual(sentAt.length, attempts)
      assert.deepStrictEqual(result._tag === "Failure" && result.failure.reason, reason)
    }),
  )

describe("which errors are tried again", () => {
  checkAttempts(new RpcReason.SplitRequired({ said, cause: "results" }), "rpc-error", 1)
  checkAttempts(new RpcReason.SplitRequired({ said, cause: "timeout" }), "rpc-error", 1)
  checkAttempts(limited(), "too-many-requests", 5)
  checkAttempts(new RpcReason.BudgetExhausted({ said, resetsAt: new Date(0) }), "payment-required", 1)
  checkAttempts(new RpcReason.BudgetRefused({ limit: "--max-credits", allowed: 1, spent: 0, needed: 2 }), "unsent", 1)
  checkAttempts(new RpcReason.TooManyParams({ said }), "rpc-error", 1)
  checkAttempts(new RpcReason.Unsupported({ said }), "rpc-error", 1)
  checkAttempts(new RpcReason.InvalidParams({ said }), "rpc-error", 1)
  checkAttempts(new RpcReason.NotFound({ said }), "rpc-error", 1)
  checkAttempts(new RpcReason.NodeBehind({ said }), "rpc-error", 5)
  checkAttempts(new RpcReason.AuthFailed({ said }), "client-error", 1)
  checkAttempts(new RpcReason.Timeout({ millis: 10 }), "timeout", 5)
  checkAttempts(new RpcReason.Transport({ said }), "unsent", 5)
  checkAttempts(new RpcReason.Malformed({ said }), "malformed", 1)
  checkAttempts(new RpcReason.Rejected({ said }), "rpc-error", 1)
  checkAttempts(new RpcReason.LedgerUnavailable({ why: said, advice: said, retryable: true }), "unsent", 1)

  const checkOnce = (title: string, definition: Parameters<typeof method>[0]) =>
    it.effect(`${title} is sent once whatever happens`, () =>
      Effect.gen(function* () {
        const transport = scripted(fail(limited(), "too-many-requests"))
        const { sentAt } = yield* sends({}, transport, request({ method: method(definition) }))
        assert.deepStrictEqual(sentAt, [0])
      }),
    )
  checkOnce("a method that is not idempotent", { idempotent: false })
  checkOnce("a method that writes", { writes: true })
})

const checkTimes = (name: string, options: Retry.Options, reason: RpcReason.Reason, expected: ReadonlyArray<number>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const { sentAt } = yield* sends(options, scripted(fail(reason, "server-error")))
      assert.deepStrictEqual(sentAt, expected)
    }),
  )

describe("when an attempt is sent again", () => {
  const down = new RpcReason.Transport({ said })

  checkTimes("waits double from 150 milliseconds, four times", {}, down, [0, 150, 450, 1_050, 2_250])
  checkTimes("waits grow no further than the cap", { cap: "300 millis" }, down, [0, 150, 450, 750, 1_050])
  checkTimes("the number of retries can be set", { times: 1 }, down, [0, 150])
  checkTimes("no retries at all is a number too", { times: 0 }, down, [0])
  checkTimes(
    "no attempt starts later than the total after the first failure",
    { total: "500 millis" },
    down,
    [0, 150, 450],
  )
  checkTimes("a server's delay is a floor under each wait", {}, limited(1_000), [0, 1_000, 2_000, 3_000, 4_200])
  checkTimes("a server's delay beyond the total fails at once", {}, limited(61_000), [0])
  checkTimes(
    "a server's delays together stay within the total",
    { total: "10 seconds" },
    limited(4_000),
    [0, 4_000, 8_000],
  )
})

it.effect("every wait is within a fifth of its nominal length", () =>
  Effect.gen(function* () {
    const transport = scripted(fail(new RpcReason.Transport({ said }), "unsent"))
    const retrying = Retry.layer({ times: 1, base: "1 second" }).pipe(Layer.provide(transport.layer))
    for (let seed = 0; seed < 50; seed++) {
      const fiber = yield* Effect.forkChild(
        Effect.result(send(request())).pipe(Effect.provide(retrying), Random.withSeed(seed)),
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
    }
    const waits = transport.sentAt.flatMap((at, index) => (index % 2 === 0 ? [] : [at % 60_000]))
    assert.strictEqual(waits.length, 50)
    assert.isTrue(waits.every((wait) => wait >= 800 && wait <= 1_200))
    assert.isTrue(new Set(waits).size > 40)
  }),
)

it.effect("the first success ends it", () =>
  Effect.gen(function* () {
    const down = fail(new RpcReason.Transport({ said }), "unsent")
    const { sentAt, result } = yield* sends({}, scripted(down, down, succeed))
    assert.deepStrictEqual(sentAt, [0, 150, 450])
    assert.deepStrictEqual(result._tag === "Success" && result.success, { result: "0x1" })
  }),
)

it.effect("an error that may not be tried again ends it, and is the error of the call", () =>
  Effect.gen(function* () {
    const down = fail(new RpcReason.Transport({ said }), "unsent")
    const last = errorOf(new RpcReason.AuthFailed({ said }), "client-error")
    const { sentAt, result } = yield* sends(
      {},
      scripted(down, () => Effect.fail(last)),
    )
    assert.deepStrictEqual(sentAt, [0, 150])
    assert.strictEqual(result._tag === "Failure" && result.failure, last)
  }),
)

it.effect("RetryTimes replaces the layer's number for the calls of an effect", () =>
  Effect.gen(function* () {
    const transport = scripted(fail(new RpcReason.Transport({ said }), "unsent"))
    yield* sends({ times: 4 }, transport).pipe(Effect.provideService(RetryTimes, 2))
    assert.deepStrictEqual(transport.sentAt, [0, 150, 450])
  }),
)

describe("a caller who narrows a query that times out", () => {
  const timeout = new RpcReason.Timeout({ millis: 10 })
  const checkNarrowing = (name: string, reason: RpcReason.Reason, outcome: Price.Outcome, attempts: number) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const transport = scripted(fail(reason, outcome))
        yield* sends({}, transport).pipe(Effect.provideService(NarrowsOnTimeout, true))
        assert.strictEqual(transport.sentAt.length, attempts)
      }),
    )
  checkNarrowing("gets it at once", timeout, "timeout", 1)
  checkNarrowing("waits for one that never left like anyone else", timeout, "unsent", 5)
  checkNarrowing("waits for another error like anyone else", limited(), "too-many-requests", 5)
})

it.effect("an observer is notified of every attempt and every wait", () =>
  Effect.gen(function* () {
    const told: Array<string> = []
    const observer = {
      onAttempt: (attempt: number) => void told.push(`attempt ${attempt}`),
      onWait: (millis: number, why: string) => void told.push(`${millis}: ${why}`),
    }
    const transport = scripted(fail(limited(2_000), "too-many-requests"), succeed)
    yield* sends({}, transport).pipe(Effect.provideService(CallObserver, observer))
    assert.deepStrictEqual(told, ["attempt 1", `2000: rate limited for 2 s: ${said}`, "attempt 2"])
  }),
)

it.effect("an observer hears how each attempt ended, and once of one that is interrupted", () =>
  Effect.gen(function* () {
    const ends: Array<object> = []
    const observer = { onAttempt: () => {}, onWait: () => {}, onAttemptEnd: (end: object) => void ends.push(end) }
    const sentForEver = (sent: RpcRequest) =>
      Effect.andThen(
        Effect.sync(() => sent.onSend?.()),
        Effect.never,
      )
    const transport = scripted(fail(limited(2_000), "too-many-requests"), sentForEver)
    const retrying = Retry.layer({ times: 1 }).pipe(Layer.provide(transport.layer))
    const fiber = yield* send(request()).pipe(
      Effect.provide(retrying),
      Effect.provideService(CallObserver, observer),
      Effect.forkChild,
    )
    yield* TestClock.adjust("1 minute")
    yield* Fiber.interrupt(fiber)
    const common = { most: 2, host: "127.0.0.1:9", reserved: 80, waited: 0 }
    assert.deepStrictEqual(ends, [
      {
        ...common,
        attempt: 1,
        charged: 0,
        sent: { millis: 0 },
        failure: { reason: "RateLimited", message: `rate limited for 2 s: ${said}` },
      },
      {
        ...common,
        attempt: 2,
        charged: 80,
        sent: { millis: 58_000 },
        failure: { reason: "Interrupted", message: "interrupted" },
      },
    ])
  }),
)

it.effect("a call that is interrupted while it waits is not sent again", () =>
  Effect.gen(function* () {
    const transport = scripted(fail(new RpcReason.Transport({ said }), "unsent"))
    const retrying = Retry.layer().pipe(Layer.provide(transport.layer))
    const fiber = yield* Effect.forkChild(send(request()).pipe(Effect.provide(retrying)))
    yield* TestClock.adjust("10 millis")
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(transport.sentAt, [0])
  }),
)

const far = defineNetwork({ id: "far", plugin: "test", url: "http://127.0.0.1:9/v3/far" })

/** When the attempts of several calls were sent that began at these milliseconds, over a transport that takes 10 of them. */
const sentTogether = (
  began: ReadonlyArray<number>,
  transport: ReturnType<typeof scripted>,
  options: Retry.Options = {},
  networkOf: (index: number) => ReturnType<typeof request>["network"] = () => request().network,
) =>
  Effect.gen(function* () {
    for (const [index, millis] of began.entries())
      yield* Effect.forkChild(
        Effect.exit(Effect.delay(send(request({ network: networkOf(index), params: [String(index)] })), millis)),
      )
    yield* TestClock.adjust("1 hour")
    return transport.sentAt
  }).pipe(
    Effect.provideService(Random.Random, middle),
    Effect.provide(Retry.layer(options).pipe(Layer.provide(transport.layer))),
  )

const after =
  (millis: number, answer: Answer): Answer =>
  (request) =>
    Effect.delay(answer(request), millis)

const checkTogether = (
  name: string,
  reason: RpcReason.Reason,
  began: ReadonlyArray<number>,
  expected: ReadonlyArray<number>,
  options: Retry.Options = { times: 2 },
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const transport = scripted(after(10, fail(reason, "unsent")))
      assert.deepStrictEqual(yield* sentTogether(began, transport, options), expected)
    }),
  )

describe("calls to one endpoint back off together", () => {
  const down = new RpcReason.Transport({ said })

  checkTogether("when they fail together they wait once", down, [0, 0, 0], [0, 0, 0, 160, 160, 160, 470, 470, 470])
  checkTogether(
    "one that fails while the others wait comes back with them",
    down,
    [0, 100],
    [0, 100, 160, 160, 470, 470],
  )
  checkTogether(
    "a new call waits as long as the series of failures has come to",
    down,
    [0, 500, 500],
    [0, 160, 470, 500, 500, 1_080, 1_080, 2_290, 2_290],
  )
  checkTogether(
    "a timeout concerns one call, which waits by itself",
    new RpcReason.Timeout({ millis: 10 }),
    [0, 100],
    [0, 100, 160, 260, 470, 570],
  )

  it.effect("what one of them was asked to wait, all do", () =>
    Effect.gen(function* () {
      const asked = after(10, fail(limited(1_000), "too-many-requests"))
      const transport = scripted(asked, after(10, fail(down, "unsent")), succeed)
      assert.deepStrictEqual(yield* sentTogether([0, 5], transport), [0, 5, 1_010, 1_010])
    }),
  )

  it.effect("calls to another do not", () =>
    Effect.gen(function* () {
      const transport = scripted(after(10, fail(down, "unsent")))
      const networks = [request().network, far]
      const sentAt = yield* sentTogether([0, 100], transport, { times: 1 }, (index) => networks[index] ?? far)
      assert.deepStrictEqual(sentAt, [0, 100, 160, 260])
    }),
  )

  it.effect("a success ends the series", () =>
    Effect.gen(function* () {
      const failing = after(10, fail(down, "unsent"))
      const transport = scripted(failing, failing, after(10, succeed), failing, succeed)
      assert.deepStrictEqual(yield* sentTogether([0, 1_000], transport), [0, 160, 470, 1_000, 1_160])
    }),
  )

  it.effect("a quiet time ends it too", () =>
    Effect.gen(function* () {
      const transport = scripted(after(10, fail(down, "unsent")))
      const sentAt = yield* sentTogether([0, 1_000, 6_000], transport, { times: 1, cap: "2 seconds" })
      assert.deepStrictEqual(sentAt, [0, 160, 1_000, 1_610, 6_000, 6_160])
    }),
  )
})

const checkAsked = (name: string, asked: number, expected: ReadonlyArray<number>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const { sentAt } = yield* sends({ times: 1 }, scripted(fail(limited(asked), "too-many-requests")))
      assert.deepStrictEqual(sentAt, expected)
    }),
  )

describe("a time to wait that makes no sense", () => {
  checkAsked("is none when it is not a number", Number.NaN, [0, 150])
  checkAsked("is none when it is negative", -5_000, [0, 150])
  checkAsked("ends the call when it is without end", Number.POSITIVE_INFINITY, [0])
})

it.effect("a server that is overloaded may say when to come back", () =>
  Effect.gen(function* () {
    const overloaded = new RpcReason.Transport({ said, httpStatus: 503, retryAfterMillis: 3_000 })
    const { sentAt } = yield* sends({ times: 1 }, scripted(fail(overloaded, "server-error")))
    assert.deepStrictEqual(sentAt, [0, 3_000])
  }),
)

describe("the waits of a schedule", () => {
  const down = fail(new RpcReason.Transport({ said }), "timeout")
  const spaced = Schedule.upTo(Schedule.spaced("3 seconds"), { times: 3 })

  const check = (
    name: string,
    options: Retry.Options,
    answer: Answer,
    sentAt: ReadonlyArray<number>,
    sent = request(),
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* sends(options, scripted(answer), sent)).sentAt, sentAt)
      }),
    )

  check("are waited until it ends", { delays: spaced }, down, [0, 3_000, 6_000, 9_000])
  check(
    "are never shorter than the server asks",
    { delays: spaced },
    fail(limited(5_000), "too-many-requests"),
    [0, 5_000, 10_000, 15_000],
  )
  check("may be limited in number", { delays: spaced, times: 1 }, down, [0, 3_000])
  check("may be limited in time", { delays: spaced, total: "4 seconds" }, down, [0, 3_000])
  check(
    "are given the error",
    { delays: Schedule.while(spaced, ({ input }) => input instanceof RpcError && input.reason._tag !== "Transport") },
    down,
    [0],
  )
  check(
    "send no call again that may not be sent again",
    { delays: spaced },
    down,
    [0],
    request({ method: method({ idempotent: false }) }),
  )
  check(
    "repeat no error that a retry cannot fix",
    { delays: spaced },
    fail(new RpcReason.Rejected({ said }), "rpc-error"),
    [0],
  )

  it.effect("pay for each attempt, even from above", () =>
    Effect.gen(function* () {
      const transport = scripted(down)
      const stack = CreditBudget.layer().pipe(
        Layer.provide(Retry.layer({ delays: spaced })),
        Layer.provide(transport.layer),
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
      )
      const spent = Effect.gen(function* () {
        yield* Effect.exit(send(request()))
        return (yield* CreditLedger.CreditLedger.balance).spent
      })
      const fiber = yield* Effect.forkChild(Effect.provide(spent, stack))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* Fiber.join(fiber), 4 * 80)
    }),
  )
})

it.effect("a person does not wait for what calls in the background have brought about", () =>
  Effect.gen(function* () {
    const transport = scripted(...background, fail(limited(), "too-many-requests"), succeed)
    const live = Retry.layer({ times: 5 }).pipe(Layer.provide(transport.layer))
    yield* Effect.gen(function* () {
      yield* Effect.forkChild(Effect.exit(send(request())).pipe(Effect.provideService(Priority, "background")))
      // The fifth wait in the background has just begun.
      yield* TestClock.adjust("2300 millis")
      yield* Effect.forkChild(send(request()))
      yield* TestClock.adjust("1 second")
    }).pipe(Effect.provide(live), Effect.provideService(Random.Random, middle))
    assert.deepStrictEqual(transport.sentAt.slice(5), [2_300, 2_450])
  }),
)

const refusedOnce = fail(limited(), "too-many-requests")
const background = [refusedOnce, refusedOnce, refusedOnce, refusedOnce, refusedOnce] as const
