/** A breaker that several processes share; here each is a build of the layer, over one store. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, type Scope } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { TestClock } from "effect/testing"
import { type Options as Check, RpcReason, Transport } from "@dotrpc/spec"
import { afterAll } from "vitest"
import { Breaker, SharedSql, SqliteFile } from "../src/index.ts"
import { type Answer, fail, request, scripted, succeed } from "./scripted.ts"

const down = fail(new RpcReason.Transport({ said: "nobody there" }), "unsent")
const refused = fail(new RpcReason.Rejected({ said: "no", rpcCode: -32000 }), "rpc-error")
const spent = fail(
  new RpcReason.BudgetExhausted({ said: "Payment Required", httpStatus: 402, resetsAt: new Date(86_400_000) }),
  "payment-required",
)
/** Three failures in a row. */
const fails = [down, down, down] as const

/** A process of its own, whose server gives these answers. */
const start = (...answers: readonly [Answer, ...ReadonlyArray<Answer>]) =>
  Effect.gen(function* () {
    const transport = scripted(...answers)
    const live = Breaker.layerShared({ failures: 3 }).pipe(Layer.provide(transport.layer))
    const { send } = Context.get(yield* Layer.build(live), Transport)
    const call = Effect.map(Effect.exit(send(request())), (exit) => {
      if (Exit.isSuccess(exit)) return "ok"
      const error = exit.cause.reasons[0]
      return error?._tag === "Fail" ? `${error.error.reason._tag} ${error.error.outcome}` : "?"
    })
    return { call, sent: transport.sent }
  })

const folder = mkdtempSync(join(tmpdir(), "dotrpc-shared-"))
afterAll(() => rmSync(folder, { recursive: true }))
const inFile = Layer.suspend(() => {
  const file = SqliteFile.layer(join(mkdtempSync(join(folder, "breaker-")), "shared.sqlite"))
  return Layer.orDie(Layer.provide(SharedSql.layer(), file))
})

const check = (
  name: string,
  body: () => Effect.Effect<void, Check.InvalidOptions, CircuitBreaker.CircuitBreakerStore | Scope.Scope>,
) => {
  it.effect(`${name}, in memory`, () => Effect.provide(Effect.scoped(body()), CircuitBreaker.layerStoreMemory()))
  it.effect(`${name}, in a file`, () => Effect.provide(Effect.scoped(body()), inFile))
}

describe("a breaker that processes share", () => {
  check("stops all of them after failures of one, within a quarter of a second", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* start(...fails, succeed), yield* start(succeed)]
      assert.strictEqual(yield* other.call, "ok")
      for (let call = 0; call < 3; call++) assert.strictEqual(yield* one.call, "Transport unsent")
      assert.strictEqual(yield* one.call, "Transport unsent")
      assert.strictEqual(one.sent.length, 3)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* other.call, "Transport unsent")
      assert.strictEqual(other.sent.length, 1)
    }),
  )

  check("counts the failures of all of them together", () =>
    Effect.gen(function* () {
      const all = [yield* start(down), yield* start(down), yield* start(down)]
      for (const { call } of all) assert.strictEqual(yield* call, "Transport unsent")
      yield* TestClock.adjust("250 millis")
      for (const { call, sent } of all) {
        yield* call
        assert.strictEqual(sent.length, 1)
      }
    }),
  )

  check("lets one call of one of them find out, and the others go once it was answered", () =>
    Effect.gen(function* () {
      const slowly: Answer = (sent) => Effect.delay(refused(sent), "100 millis")
      const [one, other] = [yield* start(...fails, slowly, succeed), yield* start(succeed)]
      for (let call = 0; call < 4; call++) yield* one.call
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* other.call, "Transport unsent")
      yield* TestClock.adjust("4500 millis")
      const probe = yield* Effect.forkScoped(one.call)
      yield* Effect.yieldNow
      assert.strictEqual(yield* other.call, "Transport unsent")
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(probe.pollUnsafe(), Exit.succeed("Rejected rpc-error"))
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* other.call, "ok")
      assert.strictEqual(yield* one.call, "ok")
    }),
  )

  check("asks a server that has said the credits are used up after a minute, once for all", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* start(spent, spent, succeed), yield* start(succeed)]
      assert.strictEqual(yield* one.call, "BudgetExhausted payment-required")
      assert.strictEqual(yield* other.call, "BudgetExhausted unsent")
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* one.call, "BudgetExhausted unsent")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* one.call, "BudgetExhausted payment-required")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* other.call, "BudgetExhausted unsent")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* other.call, "ok")
      assert.deepStrictEqual([one.sent.length, other.sent.length], [2, 1])
    }),
  )

  check("is not closed to all by errors of the calls themselves", () =>
    Effect.gen(function* () {
      const one = yield* start(refused)
      for (let call = 0; call < 10; call++) assert.strictEqual(yield* one.call, "Rejected rpc-error")
    }),
  )
})
