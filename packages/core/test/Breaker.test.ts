import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { defineNetwork, RpcReason } from "@dotrpc/spec"
import { Breaker, Retry } from "../src/index.ts"
import { type Answer, fail, request, scripted, send, succeed } from "./scripted.ts"

const noon = Date.UTC(2026, 10, 20, 12)
const midnight = new Date(Date.UTC(2026, 10, 21))

const down = fail(new RpcReason.Transport({ said: "nobody there" }), "unsent")
const slow = fail(new RpcReason.Timeout({ millis: 10 }), "timeout")
const refused = fail(new RpcReason.Rejected({ said: "no", rpcCode: -32000 }), "rpc-error")
const spent = fail(
  new RpcReason.BudgetExhausted({ said: "Payment Required", httpStatus: 402, resetsAt: midnight }),
  "payment-required",
)
/** The clock of a test begins in 1970. */
const spentFor = fail(
  new RpcReason.BudgetExhausted({ said: "Payment Required", httpStatus: 402, resetsAt: new Date(86_400_000) }),
  "payment-required",
)
const denied = fail(new RpcReason.AuthFailed({ said: "invalid project id", httpStatus: 401 }), "client-error")

/** Takes a while before it answers. */
const after =
  (millis: number, answer: Answer): Answer =>
  (request) =>
    Effect.delay(answer(request), millis)

const over = (transport: ReturnType<typeof scripted>, options: Breaker.Options = {}) =>
  Effect.provide(Breaker.layer(options).pipe(Layer.provide(transport.layer)))

/** What became of a call, as `ok` or as the reason and the outcome. */
const outcome = (sent = request()) =>
  Effect.map(Effect.result(send(sent)), (result) =>
    result._tag === "Success" ? "ok" : `${result.failure.reason._tag} ${result.failure.outcome}`,
  )

/** Calls at these seconds, one after the other, and what becomes of each. */
const check = (
  name: string,
  answers: readonly [Answer, ...ReadonlyArray<Answer>],
  calls: ReadonlyArray<readonly [second: number, outcome: string]>,
  options: Breaker.Options = {},
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const seen: Array<readonly [number, string]> = []
      let now = 0
      for (const [second] of calls) {
        yield* TestClock.adjust((second - now) * 1_000)
        now = second
        seen.push([second, yield* outcome()])
      }
      assert.deepStrictEqual(seen, calls)
    }).pipe(over(scripted(...answers), options)),
  )

describe("an endpoint that does not answer", () => {
  const unsent = "Transport unsent"

  check(
    "is asked until it failed five times in a row, then after 5 seconds by one call",
    [down, down, down, down, down, succeed],
    [
      [0, unsent],
      [0, unsent],
      [0, unsent],
      [0, unsent],
      [0, unsent],
      [1, unsent],
      [4.9, unsent],
      [5, "ok"],
      [5, "ok"],
    ],
  )
  check(
    "is given twice the pause each time that it is still down, up to the longest",
    [down, down, down, down, succeed],
    [
      [0, unsent],
      [0.9, unsent],
      [1, unsent],
      [2.9, unsent],
      [3, unsent],
      [5.9, unsent],
      [6, unsent],
      [8.9, unsent],
      [9, "ok"],
    ],
    { failures: 1, pause: "1 second", longestPause: "3 seconds" },
  )
  check(
    "is not down while an answer comes between, even an error",
    [down, down, refused, down, down, succeed],
    [
      [0, unsent],
      [0, unsent],
      [0, "Rejected rpc-error"],
      [0, unsent],
      [0, unsent],
      [0, "ok"],
    ],
    { failures: 3 },
  )
  check(
    "is not down because it is slow",
    [slow, slow, slow, succeed],
    [
      [0, "Timeout timeout"],
      [0, "Timeout timeout"],
      [0, "Timeout timeout"],
      [0, "ok"],
    ],
    { failures: 1 },
  )
  check(
    "is still down when the call that finds out gets no reply",
    [down, slow, succeed],
    [
      [0, unsent],
      [5, "Timeout timeout"],
      [6, unsent],
      [15, "ok"],
    ],
    { failures: 1 },
  )
  check(
    "starts from the first pause again once it has answered",
    [down, down, succeed, down, succeed],
    [
      [0, unsent],
      [5, unsent],
      [15, "ok"],
      [15, unsent],
      [19, unsent],
      [20, "ok"],
    ],
    { failures: 1 },
  )

  it.effect("says how long the pause is, which Retry waits out", () => {
    const transport = scripted(succeed, down, succeed)
    const live = Retry.layer().pipe(
      Layer.provide(Breaker.layer({ failures: 1, pause: "20 seconds" })),
      Layer.provide(transport.layer),
    )
    return Effect.gen(function* () {
      yield* outcome()
      const fiber = yield* Effect.forkChild(outcome())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(fiber), "ok")
      assert.deepStrictEqual(transport.sentAt, [0, 0, 20_000])
    }).pipe(Effect.provide(live))
  })

  const bad = fail(new RpcReason.Transport({ said: "HTTP 502", httpStatus: 502 }), "server-error")

  it.effect("that begins with errors 502 gets as many attempts as a call has", () => {
    const transport = scripted(bad, bad, bad, bad, bad, bad, succeed)
    const live = Retry.layer({ times: 6 }).pipe(Layer.provide(Breaker.layer()), Layer.provide(transport.layer))
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(outcome())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(fiber), "ok")
      assert.strictEqual(transport.sentAt.length, 7)
    }).pipe(Effect.provide(live))
  })

  it.effect("that answers with errors 502 for a second loses none of many calls", () => {
    const starting: Answer = (sent) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => (now < 1_000 ? bad(sent) : succeed(sent)))
    const transport = scripted(starting)
    const live = Retry.layer().pipe(Layer.provide(Breaker.layer()), Layer.provide(transport.layer))
    return Effect.gen(function* () {
      const all = Effect.all(
        Array.from({ length: 40 }, () => outcome()),
        { concurrency: 10 },
      )
      const fiber = yield* Effect.forkChild(all)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(new Set(yield* Fiber.join(fiber)), new Set(["ok"]))
    }).pipe(Effect.provide(live))
  })

  it.effect("says what was wrong, and that waiting is of no use where it has never answered", () =>
    Effect.gen(function* () {
      const live = Retry.layer().pipe(Layer.provide(Breaker.layer()), Layer.provide(scripted(down).layer))
      const began = yield* Clock.currentTimeMillis
      const file = Effect.forEach([1, 2, 3, 4], () => Effect.flip(send(request())))
      const fiber = yield* Effect.forkChild(
        Effect.flatMap(file, (errors) => Effect.map(Clock.currentTimeMillis, (ended) => ({ errors, ended }))).pipe(
          Effect.provide(live),
        ),
      )
      yield* TestClock.adjust("1 hour")
      const { ended, errors } = yield* Fiber.join(fiber)
      assert.isBelow(ended - began, 3_000)
      assert.deepStrictEqual(
        errors.map((error) => [error.message, error.retryable]),
        [
          ["test_get on local: nobody there", true],
          ...[1, 2, 3].map(() => [
            "test_get on local: nobody there; it failed several times in a row, so calls to it are paused, and nothing was sent",
            false,
          ]),
        ],
      )
    }),
  )

  const both = (answer: Answer, expected: ReadonlyArray<string>, sent: number) =>
    Effect.gen(function* () {
      const transport = scripted(down, answer, succeed)
      const fibers = yield* Effect.gen(function* () {
        yield* outcome()
        yield* TestClock.adjust("5 seconds")
        const fibers = yield* Effect.forEach([0, 1, 2], () => Effect.forkChild(outcome()))
        yield* TestClock.adjust("1 second")
        return yield* Effect.forEach(fibers, Fiber.join)
      }).pipe(over(transport, { failures: 1 }))
      assert.deepStrictEqual(fibers, expected)
      assert.strictEqual(transport.sent.length, sent)
    })

  it.effect("is asked by one call while the others wait, and go when it has answered", () =>
    both(after(100, succeed), ["ok", "ok", "ok"], 4),
  )
  it.effect("is asked by one call while the others wait, and fail when it has not", () =>
    both(after(100, down), [unsent, unsent, unsent], 2),
  )

  it.effect("is asked by the next call when the one that finds out is interrupted", () => {
    const transport = scripted(down, after(60_000, succeed), succeed)
    return Effect.gen(function* () {
      yield* outcome()
      yield* TestClock.adjust("5 seconds")
      const first = yield* Effect.forkChild(outcome())
      const second = yield* Effect.forkChild(outcome())
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.strictEqual(yield* Fiber.join(second), "ok")
    }).pipe(over(transport, { failures: 1 }))
  })

  it.effect("does not stop the calls to another", () => {
    const far = defineNetwork({ id: "far", plugin: "test", url: "http://127.0.0.1:10/v3/local" })
    return Effect.gen(function* () {
      yield* outcome()
      assert.strictEqual(yield* outcome(request({ network: far })), "ok")
      assert.strictEqual(yield* outcome(), unsent)
    }).pipe(over(scripted(down, succeed), { failures: 1 }))
  })
})

describe("a balance that is used up", () => {
  it.effect("stops calls, and says until when and why", () => {
    const transport = scripted(spent, succeed)
    return Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      assert.strictEqual(yield* outcome(), "BudgetExhausted payment-required")
      yield* TestClock.adjust("20 seconds")
      const error = yield* Effect.flip(send(request()))
      assert.strictEqual(
        error.message,
        "test_get on local: the provider's credits are used up: Payment Required (the server reported this before; nothing was sent. A call that comes in 40 s or later asks it again)",
      )
      assert.include(error.advice, "usually at 2026-11-21T00:00:00.000Z.")
      assert.deepStrictEqual([error.outcome, error.retryable, transport.sent.length], ["unsent", false, 1])
    }).pipe(over(transport))
  })

  const exhausted = "BudgetExhausted unsent"
  const said = "BudgetExhausted payment-required"

  check(
    "is asked about by one call after a minute, and by the next ones more rarely",
    [spentFor, spentFor, spentFor, succeed],
    [
      [0, said],
      [59, exhausted],
      [60, said],
      [179, exhausted],
      [180, said],
      [419, exhausted],
      [420, "ok"],
      [420, "ok"],
    ],
  )
  check(
    "is there again when the call that asks is answered, even with an error",
    [spentFor, refused, spentFor, succeed],
    [
      [0, said],
      [60, "Rejected rpc-error"],
      [61, said],
      [120, exhausted],
      [121, "ok"],
    ],
  )
  check(
    "is asked about again when the call that asks hears nothing",
    [spentFor, slow, succeed],
    [
      [0, said],
      [60, "Timeout timeout"],
      [179, exhausted],
      [180, "ok"],
    ],
  )
  check(
    "may be used again once it has reset at 00:00 UTC",
    [
      fail(
        new RpcReason.BudgetExhausted({ said: "Payment Required", httpStatus: 402, resetsAt: new Date(30_000) }),
        "payment-required",
      ),
      succeed,
    ],
    [
      [0, said],
      [29, exhausted],
      [30, "ok"],
      [30, "ok"],
    ],
  )

  it.effect("stays used up when a call that was in flight succeeds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const fiber = yield* Effect.forkChild(outcome())
      yield* Effect.yieldNow
      yield* outcome()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(fiber), "ok")
      assert.strictEqual(yield* outcome(), "BudgetExhausted unsent")
    }).pipe(over(scripted(after(100, succeed), spent, succeed))),
  )

  it.effect("of our own ledger says nothing about the server", () => {
    const own = fail(
      new RpcReason.DailyLimitReached({ allowed: 600, remaining: 90, needed: 255, kept: 0, resetsAt: midnight }),
      "unsent",
    )
    return Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      yield* outcome()
      assert.strictEqual(yield* outcome(), "ok")
    }).pipe(over(scripted(own, succeed)))
  })

  /** The wall clock as the test sets it; elapsed time stands still. */
  const atWall = (wall: { millis: number }) =>
    Effect.updateService(Clock.Clock, (clock): Clock.Clock => ({
      ...clock,
      sleep: clock.sleep,
      currentTimeMillisUnsafe: () => wall.millis,
      currentTimeMillis: Effect.sync(() => wall.millis),
    }))

  const checkJump = (name: string, wallWhenSaid: number, wallAfter: number, expected: string) =>
    it.effect(name, () => {
      const wall = { millis: wallWhenSaid }
      const dayMillis = 86_400_000
      const resetsAt = new Date((Math.floor(wallWhenSaid / dayMillis) + 1) * dayMillis)
      const answer = fail(new RpcReason.BudgetExhausted({ said: "", httpStatus: 402, resetsAt }), "payment-required")
      return Effect.gen(function* () {
        yield* outcome()
        wall.millis = wallAfter
        assert.strictEqual(yield* outcome(), expected)
      }).pipe(over(scripted(answer, succeed)), atWall(wall))
    })

  const hour = 3_600_000
  checkJump("is used up when the clock goes back an hour", noon, noon - hour, "BudgetExhausted unsent")
  checkJump("is tried when the clock goes on by a day", noon, noon + 24 * hour, "ok")
  checkJump("is tried when the clock was years ahead and is put right", noon + 9_000 * 24 * hour, noon, "ok")
})

describe("a key that is not accepted", () => {
  check(
    "stops calls for 10 seconds",
    [denied, succeed],
    [
      [0, "AuthFailed client-error"],
      [9.9, "AuthFailed unsent"],
      [10, "ok"],
    ],
  )
})
