/** Methods that are made of calls of another one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type Composite, defineNetwork, type Json, Price, RpcReason, Transport } from "@dotrpc/spec"
import { Coalesce, CreditBudget, CreditLedger, CurrentNetwork, FinalResults, Retry, RpcClient } from "../src/index.ts"
import { type Answer, errorOf, fail, method, methodOf, scripted } from "./scripted.ts"

const network = defineNetwork({ id: "local", plugin: "test", url: "http://127.0.0.1:9/v3/local" })
const one = method({ name: "test_one", price: Price.published(80) })

/** Calls with what was answered before, as often as its param says, and ends with all answers. */
const counting: Composite["calls"] = function* (params, { now }) {
  const [count] = params as readonly [number]
  const answers: Array<Json.Json> = []
  while (answers.length < count) answers.push(yield [`${answers.at(-1) ?? now}`])
  return { result: answers.join() }
}

const compositeOf = (calls: Composite["calls"] = counting, most = 5, nullIfRefused?: boolean) =>
  methodOf({
    name: "test_composite",
    params: Schema.Tuple([Schema.Number]),
    result: Schema.String,
    price: Price.assumed(0),
    composite: { of: one, least: 1, most, calls, nullIfRefused },
    permanence: () => ({ onceFinal: 7n }),
  })

/** Answers with its number, charged as anything that was sent. */
const numbered = (): Answer => {
  let count = 0
  return (request) =>
    Effect.sync(() => {
      request.onSend?.()
      return { result: String(++count) }
    })
}

const metered = (transport: ReturnType<typeof scripted>, options: Partial<RpcClient.MeteredOptions> = {}) =>
  RpcClient.layerMetered({ networks: [network], ...options }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 10_000 })),
    Layer.provide(transport.layer),
  )

const spent = Effect.flatMap(CreditLedger.CreditLedger, (ledger) => Effect.map(ledger.balance, ({ spent }) => spent))

describe("a composite", () => {
  it.effect(
    "makes its calls one after another, each after the answer to the one before, and is never sent itself",
    () => {
      const transport = scripted(numbered())
      return Effect.gen(function* () {
        yield* TestClock.setTime(1_000)
        assert.strictEqual(yield* RpcClient.call(compositeOf(), [3]), "1,2,3")
        assert.deepStrictEqual(
          transport.sent.map(({ method: { name }, params }) => [name, params]),
          [
            ["test_one", ["1000"]],
            ["test_one", ["1"]],
            ["test_one", ["2"]],
          ],
        )
        assert.strictEqual(yield* spent, 240)
      }).pipe(Effect.provide(metered(transport)))
    },
  )

  it.effect("is charged for each call, by the method that was sent", () => {
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      const allowance = CreditBudget.makeAllowance({ name: "mine", limit: 200 })
      const outcome = yield* Effect.result(
        RpcClient.call(compositeOf(), [5]).pipe(CreditBudget.withAllowance(allowance)),
      )
      assert.strictEqual(Result.isFailure(outcome) && outcome.failure.reason._tag, "BudgetRefused")
      assert.deepStrictEqual([transport.sent.length, allowance.spent, allowance.calls], [2, 160, 2])
    }).pipe(Effect.provide(metered(transport)))
  })

  it.effect("keeps what it says is final, for the endpoint and the chain", () => {
    const once: Composite["calls"] = function* () {
      return { result: yield ["key"], isFinal: true }
    }
    const again: Composite["calls"] = function* () {
      return { result: yield ["key"] }
    }
    const others = [
      network,
      defineNetwork({ id: "same", plugin: "test", url: "http://127.0.0.1:9/v3/local" }),
      defineNetwork({ id: "chain", plugin: "test", url: "http://127.0.0.1:9/v3/local", chainId: 7 }),
      defineNetwork({ id: "endpoint", plugin: "test", url: "http://127.0.0.1:9/v3/other" }),
    ]
    const transport = scripted(numbered())
    const on = (name: string, calls = once) =>
      RpcClient.call(compositeOf(calls), [1]).pipe(
        Effect.provideService(
          CurrentNetwork,
          others.find(({ id }) => id === name),
        ),
        Effect.map(Number),
      )
    return Effect.gen(function* () {
      const answers = [
        yield* on("local"),
        yield* on("local"),
        yield* on("same"),
        yield* on("chain"),
        yield* on("endpoint"),
        yield* on("chain"),
      ]
      assert.deepStrictEqual(answers, [1, 1, 1, 2, 3, 2])
    }).pipe(
      Effect.provide(Layer.merge(metered(transport, { networks: others }), FinalResults.layerMemory())),
      Effect.andThen(
        Effect.gen(function* () {
          const fresh = scripted(numbered())
          const answers = Effect.all([on("local", again), on("local", again)])
          const provided = Effect.provide(
            answers,
            Layer.merge(metered(fresh, { networks: others }), FinalResults.layerMemory()),
          )
          assert.deepStrictEqual(yield* provided, [1, 2])
        }),
      ),
    )
  })

  it.effect("forgets the oldest result of a memory that is full", () => {
    const once: Composite["calls"] = function* (params) {
      return { result: yield params, isFinal: true }
    }
    const transport = scripted(numbered())
    const ask = (key: number) => Effect.map(RpcClient.call(compositeOf(once), [key]), Number)
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3, 2, 3, 1], ask), [1, 2, 3, 2, 3, 4])
    }).pipe(Effect.provide(Layer.merge(metered(transport), FinalResults.layerMemory({ entries: 2 }))))
  })

  it.effect("loses no result that was paid for when its memory cannot be read or written", () => {
    const once: Composite["calls"] = function* (params) {
      return { result: yield params, isFinal: true }
    }
    const full = Effect.promise(() => Promise.reject(new Error("the disk is full")))
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      const answers = yield* Effect.forEach([1, 1], (key) => RpcClient.call(compositeOf(once), [key]))
      assert.deepStrictEqual(answers.map(Number), [1, 2])
    }).pipe(
      Effect.provide(Layer.merge(metered(transport), FinalResults.layer({ read: () => full, write: () => full }))),
    )
  })

  it.effect("says what was sent before a limit refused the rest", () =>
    Effect.gen(function* () {
      const check = (daily: number, expected: RegExp) =>
        Effect.gen(function* () {
          const transport = scripted(numbered())
          const layer = RpcClient.layerMetered({ networks: [network] }).pipe(
            Layer.provide(CreditLedger.layerMemory({ daily })),
            Layer.provide(transport.layer),
            Layer.orDie,
          )
          const error = yield* Effect.flip(Effect.provide(RpcClient.call(compositeOf(), [5]), layer))
          assert.strictEqual(error.reason._tag, "DailyLimitReached")
          assert.match(error.message, expected)
        })
      yield* check(200, /has 40 left\. Before it, 160 credits in 2 calls had been spent\.$/)
      yield* check(81, /has 1 left\. Before it, 80 credits in 1 call had been spent\.$/)
      yield* check(79, /has 79 left\. Nothing was sent\.$/)
    }),
  )

  it.effect("costs what its calls cost, from the fewest to the most", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* RpcClient.estimate(compositeOf(), [3]), { min: 80, max: 400, assumed: false })
    }).pipe(Effect.provide(metered(scripted(numbered())))),
  )

  it.effect("retries only the call that failed, and none of those before", () => {
    const answer = numbered()
    const busy = fail(new RpcReason.Transport({ said: "reset" }), "unsent")
    const transport = scripted(answer, busy, answer)
    return Effect.gen(function* () {
      const running = yield* Effect.forkChild(RpcClient.call(compositeOf(), [2]))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(running), "1,2")
      assert.deepStrictEqual(
        transport.sent.map(({ params }) => params),
        [["0"], ["1"], ["1"]],
      )
    }).pipe(Effect.provide(metered(transport)))
  })

  it.effect("fails as its call does", () => {
    const transport = scripted(fail(new RpcReason.NotFound({ said: "nothing there" }), "rpc-error"))
    return Effect.gen(function* () {
      const outcome = yield* Effect.flip(RpcClient.call(compositeOf(), [2]))
      assert.deepStrictEqual(
        [outcome.reason._tag, outcome.message],
        ["NotFound", errorOf(outcome.reason, "rpc-error").message],
      )
    }).pipe(Effect.provide(metered(transport)))
  })

  describe("that takes what is not there for null", () => {
    const shown: Composite["calls"] = function* () {
      const answer = yield ["key"]
      return answer === null ? { reason: new RpcReason.NotFound({ said: "there is none" }) } : { result: answer }
    }
    const twice: Composite["calls"] = function* () {
      return { result: `${yield ["key"]} ${yield ["key"]}` }
    }
    const check = (name: string, calls: Composite["calls"], reason: RpcReason.Reason, expected: string) =>
      it.effect(name, () => {
        const numbers = numbered()
        const transport = scripted(fail(reason, "rpc-error"), numbers)
        return Effect.gen(function* () {
          const outcome = yield* Effect.result(RpcClient.call(compositeOf(calls, 5, true), [1]))
          assert.strictEqual(
            Result.isFailure(outcome)
              ? `${outcome.failure.reason._tag}: ${outcome.failure.reason.message}`
              : outcome.success,
            expected,
          )
        }).pipe(Effect.provide(metered(transport)))
      })
    check("goes on after it", twice, new RpcReason.NotFound({ said: "no block" }), "null 1")
    check("and whatever words refuse it", twice, new RpcReason.Rejected({ said: "no tipset" }), "null 1")
    check(
      "shows those words where nothing else follows",
      shown,
      new RpcReason.NotFound({ said: "no block" }),
      "NotFound: no block",
    )
    check(
      "fails as its call does otherwise",
      shown,
      new RpcReason.AuthFailed({ said: "no key" }),
      "AuthFailed: the API key was not accepted: no key",
    )
  })

  it.effect("fails with its own reason, at the price of its calls", () => {
    const none: Composite["calls"] = function* () {
      yield ["key"]
      return { reason: new RpcReason.NotFound({ said: "there is none" }) }
    }
    return Effect.gen(function* () {
      const error = yield* Effect.flip(RpcClient.call(compositeOf(none), [1]))
      assert.deepStrictEqual(
        [error.method, error.reason.message, yield* spent],
        ["test_composite", "there is none", 80],
      )
    }).pipe(Effect.provide(metered(scripted(numbered()))))
  })

  it.effect("never makes more calls than it says", () => {
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      const error = yield* Effect.flip(RpcClient.call(compositeOf(counting, 4), [1_000_000]))
      assert.deepStrictEqual([error.reason._tag, transport.sent.length], ["Unsupported", 4])
    }).pipe(Effect.provide(metered(transport)))
  })

  it.effect("gets a result that does not fit the method that was called as it was sent", () => {
    const transport = scripted(() => Effect.succeed({ result: 7 }))
    return Effect.gen(function* () {
      assert.strictEqual(yield* RpcClient.call(compositeOf(), [2]), "7,7")
    }).pipe(Effect.provide(metered(transport)))
  })

  it.effect("is kept as a whole once its block is final, by the caller's word", () => {
    const transport = scripted(numbered())
    return Effect.gen(function* () {
      for (let call = 0; call < 3; call++) assert.strictEqual(yield* RpcClient.call(compositeOf(), [2]), "1,2")
      assert.deepStrictEqual([transport.sent.length, yield* spent], [2, 160])
    }).pipe(Effect.provide(metered(transport, { coalesce: { cache: { finalBlock: () => 7n } } })))
  })

  it.effect("is paid for call by call under layers that are composed by hand, in any order", () => {
    const transport = scripted(numbered())
    const layers = RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(CreditBudget.layer()),
      Layer.provide(Coalesce.layer()),
      Layer.provide(Retry.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily: 10_000 })),
      Layer.provide(transport.layer),
    )
    return Effect.gen(function* () {
      assert.strictEqual(yield* RpcClient.call(compositeOf(), [3]), "1,2,3")
      assert.strictEqual(yield* spent, 240)
    }).pipe(Effect.provide(layers))
  })

  it.effect("passes through a layer of the user's own", () => {
    const transport = scripted(numbered())
    const seen: Array<string> = []
    const own = Transport.wrap((below) => (request) => {
      seen.push(request.method.name)
      return below.send(request)
    })
    return Effect.gen(function* () {
      yield* RpcClient.call(compositeOf(), [2])
      assert.deepStrictEqual(seen, ["test_composite", "test_one", "test_one"])
    }).pipe(Effect.provide(metered(transport, { aroundCall: own, aroundAttempt: own })))
  })
})
