import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect } from "vitest"
import { defineNetwork, type Json, RpcReason, type RpcRequest, Transport } from "@dotrpc/spec"
import {
  CallObserver,
  Coalesce,
  CreditBudget,
  CreditLedger,
  NarrowsOnTimeout,
  Priority,
  RequestTimeout,
  RetryTimes,
  TransportKind,
} from "../src/index.ts"
import { type Answer, errorOf, fail, methodOf, network, request, scripted, send } from "./scripted.ts"

const over = (transport: ReturnType<typeof scripted>, options: Coalesce.Options = {}) =>
  Effect.provide(Coalesce.layer(options).pipe(Layer.provide(transport.layer)))

/** Answers with a number of its own after a second. */
const numbered = (): Answer => {
  let count = 0
  return (request) =>
    Effect.suspend(() => {
      request.onSend?.()
      return Effect.delay(Effect.succeed({ result: String(++count) }), "1 second")
    })
}

/** Runs effects at once for a minute. */
const together = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.gen(function* () {
    const fibers = yield* Effect.forEach(effects, (effect) => Effect.forkChild(effect))
    yield* TestClock.adjust("1 minute")
    return yield* Effect.forEach(fibers, Fiber.await)
  })

const anyParams = methodOf({ params: Schema.Unknown, result: Schema.String })

/** How many calls two calls at the same time become. */
const check = (name: string, first: Partial<RpcRequest>, second: Partial<RpcRequest>, sent: 1 | 2) =>
  it.effect(name, () => {
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      const base = { method: anyParams, params: [] }
      const exits = yield* together([send(request({ ...base, ...first })), send(request({ ...base, ...second }))])
      assert.strictEqual(transport.sent.length, sent)
      const expected = sent === 1 ? ["1", "1"] : ["1", "2"]
      assert.deepStrictEqual(
        exits.map((exit) => Exit.isSuccess(exit) && exit.value.result),
        expected,
      )
    }).pipe(over(transport))
  })

describe("calls at the same time are one when they", () => {
  const filter = { fromBlock: "0x1", toBlock: "0x2" }
  check("are the same", {}, {}, 1)
  check(
    "differ in the order of members only",
    { params: [filter] },
    { params: [{ toBlock: "0x2", fromBlock: "0x1" }] },
    1,
  )
  check("differ in how a digit is held only", { params: [18446744073709551615n] }, { params: [2n ** 64n - 1n] }, 1)
  check(
    "differ in a member that is absent only",
    { params: [filter] },
    { params: [{ ...filter, x: undefined as never }] },
    1,
  )
})

describe("calls at the same time are two when they differ in", () => {
  check("a value", { params: ["0x1"] }, { params: ["0x2"] }, 2)
  check("the order of items", { params: [1, 2] }, { params: [2, 1] }, 2)
  check("kind: a number and its text", { params: [1] }, { params: ["1"] }, 2)
  check("digits that a double does not hold", { params: [9007199254740993n] }, { params: [9007199254740992n] }, 2)
  check("the method", {}, { method: { ...anyParams, name: "test_other" } }, 2)
  check(
    "the network",
    {},
    { network: defineNetwork({ id: "far", plugin: "test", url: "http://127.0.0.1:9/v3/far" }) },
    2,
  )
  check("the network's id", {}, { network: { ...network, id: "other" } }, 2)
  check(
    "nothing, and the method is not idempotent",
    { method: { ...anyParams, idempotent: false } },
    { method: { ...anyParams, idempotent: false } },
    2,
  )
  check(
    "nothing, and the method writes",
    { method: { ...anyParams, writes: true } },
    { method: { ...anyParams, writes: true } },
    2,
  )

  const checkSetting = (name: string, setting: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
    it.effect(name, () => {
      const transport = scripted(numbered())
      return Effect.gen(function* () {
        yield* together([send(request()), setting(send(request())), setting(send(request()))])
        assert.strictEqual(transport.sent.length, 2)
      }).pipe(over(transport))
    })
  checkSetting("the timeout", Effect.provideService(RequestTimeout, "5 seconds"))
  checkSetting("the number of retries", Effect.provideService(RetryTimes, 0))
  checkSetting("who narrows a query that times out", Effect.provideService(NarrowsOnTimeout, true))
  checkSetting("the priority", Effect.provideService(Priority, "background"))
  checkSetting("the transport", Effect.provideService(TransportKind, "ws"))
})

it("params are the same exactly when they say the same", async () => {
  // What is sent of -0 is 0.
  const params = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json.Json)
  await fc.assert(
    fc.asyncProperty(params, params, async (left, right) => {
      expect(await sentTogether(left, right)).toBe(isDeepStrictEqual(left, right) ? 1 : 2)
      expect(await sentTogether(left, shuffled(left))).toBe(1)
    }),
  )
})

/** How many calls two calls at the same time become. */
const sentTogether = (...params: ReadonlyArray<Json.Json>): Promise<number> => {
  const transport = scripted(() => Effect.as(Effect.yieldNow, { result: "0x1" }))
  const calls = params.map((params) => send(request({ method: anyParams, params })))
  return Effect.runPromise(
    Effect.all(calls, { concurrency: "unbounded" }).pipe(
      Effect.map(() => transport.sent.length),
      over(transport),
    ),
  )
}

/** The same value with its members the other way round. */
const shuffled = (value: Json.Json): Json.Json => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffled(member as Json.Json)]),
  )
}

describe("a call that is shared", () => {
  it.effect("is over when it has ended: the next one is sent again", () => {
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      yield* together([send(request())])
      yield* together([send(request())])
      assert.strictEqual(transport.sent.length, 2)
    }).pipe(over(transport))
  })

  it.effect("fails for all waiting callers", () => {
    const transport = scripted((request) =>
      Effect.delay(fail(new RpcReason.Rejected({ said: "no" }), "rpc-error")(request), 10),
    )
    return Effect.gen(function* () {
      const results = yield* together([Effect.flip(send(request())), Effect.flip(send(request()))])
      assert.deepStrictEqual(results, [
        Exit.succeed(errorOf(new RpcReason.Rejected({ said: "no" }), "rpc-error")),
        Exit.succeed(errorOf(new RpcReason.Rejected({ said: "no" }), "rpc-error")),
      ])
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(over(transport))
  })

  it.effect("tells those who join that they pay nothing", () => {
    const told: Array<string> = []
    const observer = (name: string) => ({
      onAttempt: () => {},
      onWait: () => {},
      onShared: (from: string) => void told.push(`${name}: ${from}`),
    })
    return together(
      ["first", "second", "third"].map((name) => Effect.provideService(send(request()), CallObserver, observer(name))),
    ).pipe(
      Effect.andThen(Effect.sync(() => assert.deepStrictEqual(told, ["second: in flight", "third: in flight"]))),
      over(scripted(numbered())),
    )
  })

  /** Three callers of whom some are interrupted; whether the call was, and what became of the others. */
  const checkInterrupted = (name: string, interrupted: ReadonlyArray<number>, callInterrupted: boolean) =>
    it.effect(name, () => {
      let aborted = false
      const answer: Answer = () =>
        Effect.onInterrupt(Effect.delay(Effect.succeed({ result: "0x1" }), "1 second"), () =>
          Effect.sync(() => {
            aborted = true
          }),
        )
      return Effect.gen(function* () {
        const fibers = yield* Effect.forEach([0, 1, 2], () => Effect.forkChild(send(request())))
        yield* TestClock.adjust("10 millis")
        for (const index of interrupted) {
          const fiber = fibers[index]
          if (fiber !== undefined) yield* Fiber.interrupt(fiber)
        }
        assert.strictEqual(aborted, callInterrupted)
        yield* TestClock.adjust("1 minute")
        for (const [index, fiber] of fibers.entries())
          assert.strictEqual(Exit.isSuccess(yield* Fiber.await(fiber)), !interrupted.includes(index))
      }).pipe(over(scripted(answer)))
    })

  checkInterrupted("goes on when the first caller leaves", [0], false)
  checkInterrupted("goes on when one who joined leaves", [1], false)
  checkInterrupted("goes on until the last one leaves", [0, 2], false)
  checkInterrupted("is interrupted when all have left", [1, 0, 2], true)

  it.effect("that was left by all is not joined any more", () => {
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(send(request()))
      yield* TestClock.adjust("10 millis")
      yield* Fiber.interrupt(fiber)
      const [exit] = yield* together([send(request())])
      assert.isTrue(exit !== undefined && Exit.isSuccess(exit))
      assert.strictEqual(transport.sent.length, 2)
    }).pipe(over(transport))
  })

  it.effect("ends for all waiting callers when the layer is closed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(
        Coalesce.layer().pipe(Layer.provide(scripted(numbered()).layer)),
        scope,
      )
      const fiber = yield* Effect.forkChild(Effect.provide(send(request()), context))
      yield* TestClock.adjust("10 millis")
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }),
  )
})

/** A layer that takes its time, so that others join before the budget has refused. */
const delay = Layer.effect(
  Transport,
  Effect.map(Transport, (below) =>
    Transport.of({ send: (request) => Effect.delay(below.send(request), "100 millis") }),
  ),
)

describe("of a call that is shared", () => {
  const live = (transport: ReturnType<typeof scripted>) =>
    Effect.provide(
      Coalesce.layer().pipe(
        Layer.provide(delay),
        Layer.provide(CreditBudget.layer()),
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
        Layer.provide(transport.layer),
      ),
    )
  const paidFrom = (allowance: CreditBudget.Allowance) => CreditBudget.withAllowance(allowance)(send(request()))

  it.effect("the first caller pays, also when it has left before the reply", () =>
    Effect.gen(function* () {
      const first = CreditBudget.makeAllowance({ name: "first" })
      const second = CreditBudget.makeAllowance({ name: "second" })
      const leaving = yield* Effect.forkChild(paidFrom(first))
      const staying = yield* Effect.forkChild(paidFrom(second))
      yield* TestClock.adjust("10 millis")
      yield* Fiber.interrupt(leaving)
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(staying)))
      assert.deepStrictEqual([first.spent, first.reserved, first.calls], [80, 0, 1])
      assert.deepStrictEqual([second.spent, second.reserved, second.calls], [0, 0, 0])
    }).pipe(live(scripted(numbered()))),
  )

  it.effect("a budget above pays for everyone who waited when the call left, or came later", () => {
    const leavesLate: Answer = (request) =>
      Effect.gen(function* () {
        yield* Effect.sleep("1 second")
        request.onSend?.()
        yield* Effect.sleep("1 second")
        return { result: "0x1" }
      })
    return Effect.gen(function* () {
      const meters = ["left early", "stayed", "came late"].map((name) => CreditBudget.makeAllowance({ name }))
      const [early, staying, late] = yield* Effect.forEach(meters, (meter, index) =>
        Effect.forkChild(Effect.delay(paidFrom(meter), index < 2 ? 0 : "1500 millis")),
      )
      yield* TestClock.adjust("500 millis")
      if (early !== undefined) yield* Fiber.interrupt(early)
      yield* TestClock.adjust("1100 millis")
      for (const fiber of [staying, late]) if (fiber !== undefined) yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(
        meters.map(({ name, spent }) => [name, spent]),
        [
          ["left early", 0],
          ["stayed", 80],
          ["came late", 80],
        ],
      )
    }).pipe(
      Effect.provide(
        CreditBudget.layer().pipe(
          Layer.provide(Coalesce.layer()),
          Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
          Layer.provide(scripted(leavesLate).layer),
        ),
      ),
    )
  })

  it.effect("a refusal by the first caller's budget is its own: the next one tries by itself", () =>
    Effect.gen(function* () {
      const poor = CreditBudget.makeAllowance({ name: "poor", limit: 10 })
      const rich = CreditBudget.makeAllowance({ name: "rich", limit: 1_000 })
      const exits = yield* together([paidFrom(poor), paidFrom(rich), paidFrom(poor), paidFrom(rich)])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, true, true])
      assert.deepStrictEqual([poor.spent, rich.spent], [0, 80])
    }).pipe(live(scripted(numbered()))),
  )
})
