/** Transports that are not of their type, as a script without types may write them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Options as Check, defineNetwork, RpcError, type RpcReply, Transport } from "@dotrpc/spec"
import { Breaker, Coalesce, CreditBudget, CreditLedger, Metrics, RateLimit, Retry, RpcClient } from "../src/index.ts"
import { method, request, send } from "./scripted.ts"

const layers: Readonly<
  Record<string, Layer.Layer<Transport, Check.InvalidOptions, Transport | CreditLedger.CreditLedger>>
> = {
  Breaker: Breaker.layer(),
  Coalesce: Coalesce.layer(),
  CreditBudget: CreditBudget.layer(),
  Metrics: Metrics.layer(),
  RateLimit: RateLimit.layer(),
  Retry: Retry.layer(),
}

const key = "k3yOfTheNetworkThatNobodySees"
const network = defineNetwork({ id: "local", plugin: "test", url: `http://127.0.0.1:9/v3/${key}` })

/** A transport that ends each call so, as far as types go. */
const ending = (end: Effect.Effect<unknown, unknown>) => {
  const calls: Array<unknown> = []
  const layer = Layer.succeed(Transport, {
    send: (request) => {
      calls.push(request.params)
      return end as Effect.Effect<RpcReply, RpcError>
    },
  })
  return { calls, layer }
}

const endings: ReadonlyArray<readonly [name: string, end: Effect.Effect<unknown, unknown>, said: string]> = [
  ["an error of its own", Effect.fail(new Error("boom")), "the transport failed: boom"],
  ["an error without words", Effect.fail(new TypeError()), "the transport failed: TypeError"],
  ["an error with the key", Effect.fail(new Error(`no ${key}`)), "the transport failed: no •••"],
  ["a string", Effect.fail("boom"), "the transport failed: boom"],
  ["undefined", Effect.fail(undefined), "the transport failed: undefined"],
  ["an object", Effect.fail({ code: 5 }), 'the transport failed: {"code":5}'],
  ["an object that has no text", Effect.fail({ code: 5n }), "the transport failed: a value of type object"],
  ["no reply", Effect.succeed(undefined), "the transport returned undefined, not { result: … }"],
  ["null", Effect.succeed(null), "the transport returned null, not { result: … }"],
  ["a reply without a result", Effect.succeed({}), "the transport returned {}, not { result: … }"],
  ["the result itself", Effect.succeed("0x1"), "the transport returned 0x1, not { result: … }"],
]

describe("a transport that ends a call with something else is reported in its own words", () => {
  for (const [name, end, said] of endings) {
    for (const [layerName, layer] of Object.entries(layers))
      it.effect(`${name}, below ${layerName}`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(send(request({ network })))
          assert.instanceOf(error, RpcError)
          assert.strictEqual(error.message, `test_get on local: ${said}`)
        }).pipe(
          Effect.provide(layer),
          Effect.provide(Layer.merge(ending(end).layer, CreditLedger.layerMemory({ daily: 1_000 }))),
        ),
      )

    it.effect(`${name}, below all layers, is sent once and charged`, () => {
      const own = ending(end)
      const client = RpcClient.layerMetered({ networks: [network] }).pipe(
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
        Layer.provide(own.layer),
      )
      return Effect.gen(function* () {
        const error = yield* Effect.flip(RpcClient.call(method(), ["key"]))
        assert.strictEqual(error.message, `test_get on local: ${said}`)
        assert.strictEqual((yield* (yield* CreditLedger.CreditLedger).balance).spent, 80)
        assert.strictEqual(own.calls.length, 1)
      }).pipe(Effect.provide(client))
    })
  }
})
