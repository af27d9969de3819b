import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { type Price, RpcReason, Transport } from "@dotrpc/spec"
import { Breaker, CreditBudget, CreditLedger, Metrics } from "../src/index.ts"
import { type Answer, fail, request, scripted, send, succeed } from "./scripted.ts"

const over = (...answers: readonly [Answer, ...ReadonlyArray<Answer>]) =>
  Effect.provide(Metrics.layer().pipe(Layer.provide(scripted(...answers).layer)))

/** Every series as its name and attributes, with its count. */
const counts = Effect.map(Metric.snapshot, (series) =>
  Object.fromEntries(
    series
      .filter(({ id }) => id.startsWith("dotrpc_"))
      .map(({ attributes, id, state }) => [
        `${id} ${Object.values(attributes ?? {}).join(" ")}`,
        "count" in state ? state.count : state,
      ]),
  ),
)

const isolated = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Metric.MetricRegistry, new Map())

const check = (name: string, answer: Answer, expected: Readonly<Record<string, number>>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* Effect.result(send(request()))
      yield* Effect.result(send(request()))
      assert.deepStrictEqual(yield* counts, expected)
    }).pipe(over(answer), isolated),
  )

const failing = (outcome: Price.Outcome): Answer => fail(new RpcReason.Rejected({ said: "no" }), outcome)
const timed = { "dotrpc_attempt_duration_seconds s test_get local": 2 }

describe("attempts are counted", () => {
  check("that succeed", succeed, {
    "dotrpc_attempts_total test_get local ok": 2,
    "dotrpc_credits_total test_get local": 160,
    ...timed,
  })
  check("that fail and are charged", failing("rpc-error"), {
    "dotrpc_attempts_total test_get local rpc-error": 2,
    "dotrpc_credits_total test_get local": 160,
    ...timed,
  })
  check("that fail and are charged in part", failing("client-error"), {
    "dotrpc_attempts_total test_get local client-error": 2,
    "dotrpc_credits_total test_get local": 10,
    ...timed,
  })
  check("that fail and are not charged", failing("server-error"), {
    "dotrpc_attempts_total test_get local server-error": 2,
    ...timed,
  })
  check("that were never sent", failing("unsent"), { "dotrpc_attempts_total test_get local unsent": 2 })

  it.effect("that were interrupted after they had been sent", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(send(request()))
      yield* TestClock.adjust("300 millis")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* counts, {
        "dotrpc_attempts_total test_get local timeout": 1,
        "dotrpc_credits_total test_get local": 80,
        "dotrpc_attempt_duration_seconds s test_get local": 1,
      })
    }).pipe(
      over((request) => {
        request.onSend?.()
        return Effect.never
      }),
      isolated,
    ),
  )
})

/** Every gauge as its name and attributes, with its value. */
const gauges = Effect.map(Metric.snapshot, (series) =>
  Object.fromEntries(
    series.flatMap(({ attributes, id, state }) =>
      "value" in state ? [[[id, ...Object.values(attributes ?? {})].join(" "), state.value]] : [],
    ),
  ),
)

it.effect("an attempt is timed in seconds", () =>
  Effect.gen(function* () {
    yield* send(request())
    const timed = (yield* Metric.snapshot).find(({ id }) => id === "dotrpc_attempt_duration_seconds")
    assert.deepInclude(timed?.state, { count: 1, sum: 1.5 })
  }).pipe(
    over((request) => Effect.andThen(TestClock.adjust("1500 millis"), succeed(request))),
    isolated,
  ),
)

it.effect("the gauges of the balance follow the ledger", () =>
  Effect.gen(function* () {
    yield* TestClock.adjust(0)
    const before = yield* gauges
    yield* send(request())
    yield* TestClock.adjust("10 seconds")
    const after = yield* gauges
    const expected = (remaining: number) => ({
      dotrpc_credits_remaining: remaining,
      dotrpc_credits_reserved: 0,
      dotrpc_credits_daily: 1_000,
    })
    assert.deepStrictEqual([before, after], [expected(1_000), expected(920)])
  }).pipe(
    Effect.provide(CreditBudget.layer()),
    Effect.provide(scripted(succeed).layer),
    Effect.provide(Metrics.layerBalance()),
    Effect.provide(CreditLedger.layerMemory({ daily: 1_000 })),
    isolated,
  ),
)

it.effect("a call waits until its first byte leaves, or until it is given up", () =>
  Effect.gen(function* () {
    const held: Array<() => void> = []
    const transport = Layer.succeed(Transport, {
      send: (request) => Effect.callback(() => void held.push(() => request.onSend?.())),
    })
    const waiting = Effect.map(gauges, ({ "dotrpc_calls_waiting local": count }) => count)
    const seen = yield* Effect.gen(function* () {
      const fork = Effect.forkChild(send(request()), { startImmediately: true })
      const [, second] = [yield* fork, yield* fork]
      const both = yield* waiting
      held[0]?.()
      const one = yield* waiting
      yield* Fiber.interrupt(second)
      return [both, one, yield* waiting]
    }).pipe(Effect.provide(Metrics.layerWaiting().pipe(Layer.provide(transport))))
    assert.deepStrictEqual(seen, [2, 1, 0])
  }).pipe(isolated),
)

it.effect("an endpoint is shown as paused while calls to it are refused", () =>
  Effect.gen(function* () {
    const shown: Array<unknown> = []
    for (let call = 0; call < 4; call++) {
      yield* Effect.result(send(request()))
      shown.push((yield* gauges)["dotrpc_endpoint_paused local"])
      if (call === 2) yield* TestClock.adjust("10 seconds")
    }
    assert.deepStrictEqual(shown, [undefined, 1, 1, 0])
  }).pipe(
    Effect.provide(
      Breaker.layer().pipe(
        Layer.provide(
          scripted(fail(new RpcReason.AuthFailed({ said: "no", httpStatus: 401 }), "client-error"), succeed).layer,
        ),
      ),
    ),
    isolated,
  ),
)
