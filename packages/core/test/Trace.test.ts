import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, References, Tracer } from "effect"
import { RpcReason } from "@dotrpc/spec"
import { Trace } from "../src/index.ts"
import { type Answer, fail, request, scripted, send, succeed } from "./scripted.ts"

const check = (name: string, answer: Answer, expected: Readonly<Record<string, string | number>>) =>
  it.effect(name, () => {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    return Effect.gen(function* () {
      yield* Effect.result(send(request()))
      assert.deepStrictEqual(
        spans.map(({ attributes, kind, name, status }) => [name, kind, status._tag, Object.fromEntries(attributes)]),
        [["test_get", "client", "Ended", expected]],
      )
    }).pipe(
      Effect.provide(Trace.layer().pipe(Layer.provide(scripted(answer).layer))),
      Effect.provideService(Tracer.Tracer, tracer),
    )
  })

const names = { "rpc.method": "test_get", "dotrpc.network": "local", "dotrpc.credits": 80 }
const call = { "rpc.system.name": "jsonrpc", ...names, "server.address": "127.0.0.1", "server.port": 9 }

check("a span tells what was called", succeed, call)
check("and the code of an error", fail(new RpcReason.Rejected({ said: "no", rpcCode: -8 }), "rpc-error"), {
  ...call,
  "error.type": "Rejected",
  "rpc.response.status_code": "-8",
  "dotrpc.outcome": "rpc-error",
})
check("and how it failed", fail(new RpcReason.RateLimited({ said: "slow down" }), "too-many-requests"), {
  ...call,
  "error.type": "RateLimited",
  "dotrpc.outcome": "too-many-requests",
})

it.effect("what is logged during a call says which call it was", () => {
  const logged: Array<unknown> = []
  const logger = Logger.make(({ fiber }) => void logged.push(fiber.getRef(References.CurrentLogAnnotations)))
  return Effect.gen(function* () {
    yield* send(request())
    assert.deepStrictEqual(logged, [names])
  }).pipe(
    Effect.provide(
      Trace.layer().pipe(
        Layer.provide(scripted((request) => Effect.andThen(Effect.log("sending"), succeed(request))).layer),
      ),
    ),
    Effect.provide(Logger.layer([logger])),
  )
})
