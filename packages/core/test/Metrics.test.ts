import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { type Price, RpcReason } from "@dotrpc/spec"
import { Metrics } from "../src/index.ts"
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
const timed = { "dotrpc_attempt_duration_milliseconds test_get local": 2 }

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
        "dotrpc_attempt_duration_milliseconds test_get local": 1,
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
