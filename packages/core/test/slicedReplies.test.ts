/** A call whose long reply is being read ends when it must, and costs its price. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Schema } from "effect"
import { TestClock } from "effect/testing"
import { CurrentNetwork, type RpcError, RpcClient as Client } from "@dotrpc/spec"
import { CreditBudget, CreditLedger, HttpTransport, RpcClient } from "../src/index.ts"
import { methodOf } from "./scripted.ts"
import { serve } from "./server.ts"

const bytes = 2_000_000
const item = "18446744073709551615"
const result = `[${`${item},`.repeat(Math.floor(bytes / (item.length + 1)) - 1)}${item}]`

const anything = methodOf({ params: Schema.Array(Schema.String), result: Schema.Unknown })

const server = Effect.map(
  serve(({ body, response }) => {
    const { id } = JSON.parse(body) as { readonly id: number }
    const text = `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    response.writeHead(200, { "content-length": text.length }).end(Buffer.from(text))
  }),
  ({ network }) => network,
)

/** `fetch`, and a latch that opens when half of the reply has come: the rest does not. */
const watched = Effect.map(Latch.make(), (begun) => ({
  begun,
  fetch: async (address: string, init: RequestInit): Promise<Response> => {
    const { body, ...rest } = await globalThis.fetch(address, init)
    let come = 0
    const half = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        come += chunk.byteLength
        if (come <= bytes / 2) return controller.enqueue(chunk)
        begun.openUnsafe()
        return new Promise(() => undefined)
      },
    })
    return new Response(body === null ? null : body.pipeThrough(half), rest)
  },
}))

describe("a call whose long reply is being read", () => {
  const during = <A>(
    then: (fiber: Fiber.Fiber<unknown, RpcError>) => Effect.Effect<A, never, CreditLedger.CreditLedger>,
  ) =>
    Effect.gen(function* () {
      const { begun, fetch } = yield* watched
      const network = yield* server
      return yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.provideService(Client.call(anything, []), CurrentNetwork, network))
        yield* begun.await
        return yield* then(fiber)
      }).pipe(
        Effect.provide(RpcClient.layer({ networks: [] })),
        Effect.provide(CreditBudget.layer()),
        Effect.provide(HttpTransport.layer({ fetch })),
      )
    }).pipe(Effect.scoped, Effect.provide(CreditLedger.layerMemory({ daily: 1_000 })))

  const spent = Effect.flatMap(CreditLedger.CreditLedger, ({ balance }) => Effect.orDie(balance))

  it.effect("ends with the time it was given, and costs its price", () =>
    during((fiber) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("30 seconds")
        const error = yield* Effect.orDie(Effect.flip(Fiber.join(fiber)))
        assert.strictEqual(error.reason._tag, "Timeout")
        assert.strictEqual((yield* spent).spent, 80)
      }),
    ),
  )
  it.effect("ends when it is interrupted, and costs its price", () =>
    during((fiber) =>
      Effect.gen(function* () {
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
        assert.strictEqual((yield* spent).spent, 80)
      }),
    ),
  )
})
