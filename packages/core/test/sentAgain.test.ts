/** What sends a call again by itself, below the layer that pays: the ledger counts each sending that the server saw. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Options, Transport } from "@dotrpc/spec"
import { CreditBudget, CreditLedger, HttpTransport, Retry } from "../src/index.ts"
import { method, request, send } from "./scripted.ts"
import { type Call, hangUp, result, serve } from "./server.ts"

const price = method().price.credits

/** A layer as a user writes one. */
const foreign = (change: (below: Transport["Service"]) => Transport["Service"]) =>
  Layer.effect(
    Transport,
    Effect.map(Transport, (below) => change(below)),
  )

const check = (
  what: string,
  transport: Layer.Layer<Transport, Options.InvalidOptions>,
  answer: (call: Call, index: number) => void,
  sendings: number,
) =>
  it.live(what, () =>
    Effect.gen(function* () {
      let seen = 0
      const server = yield* serve((call) => answer(call, seen++))
      const { booked, reserved } = yield* Effect.gen(function* () {
        yield* Effect.exit(send(request({ network: server.network })))
        const { reserved, spent } = yield* (yield* CreditLedger.CreditLedger).balance
        return { booked: spent, reserved }
      }).pipe(
        Effect.provide(CreditBudget.layer()),
        Effect.provide(transport),
        Effect.provide(CreditLedger.layerMemory({ daily: 1_000_000 })),
      )
      assert.deepStrictEqual(
        { seen: server.calls.length, booked, reserved },
        { seen: sendings, booked: sendings * price, reserved: 0 },
      )
    }),
  )

describe("each sending is paid", () => {
  const quick = Layer.orDie(Retry.layer({ times: 3, base: 0 }))
  const over = (layer: Layer.Layer<Transport, never, Transport>) => layer.pipe(Layer.provide(HttpTransport.layer()))

  check(
    "of a transport that hides that it sends again",
    over(foreign((below) => ({ send: (call) => below.send(call) })).pipe(Layer.provide(quick))),
    hangUp,
    4,
  )
  check(
    "of a layer that retries by itself",
    over(foreign((below) => ({ send: (call) => Effect.retry(below.send(call), { times: 2 }) }))),
    hangUp,
    3,
  )
  check(
    "of a layer that asks twice and takes what comes first",
    over(foreign((below) => ({ send: (call) => Effect.raceFirst(below.send(call), below.send(call)) }))),
    // Both have been asked before the first is answered.
    (() => {
      const calls: Array<Call> = []
      return (call: Call) => {
        calls.push(call)
        if (calls.length === 2) for (const each of calls) result("0x1")(each)
      }
    })(),
    2,
  )
})
