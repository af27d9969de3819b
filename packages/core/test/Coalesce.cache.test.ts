/** What is kept of results that can never change. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Permanence, Price, RpcReason } from "@dotrpc/spec"
import { CallObserver, Coalesce } from "../src/index.ts"
import { type Answer, fail, method, request, scripted, send, succeed } from "./scripted.ts"

const over = (transport: ReturnType<typeof scripted>, options: Coalesce.Options = {}) =>
  Effect.provide(Coalesce.layer(options).pipe(Layer.provide(transport.layer)))

/** A method whose results stay for as long as they say. */
const lasting = (permanence: Permanence) => method({ price: Price.published(80), permanence: () => permanence })

const checkKept = (
  name: string,
  permanence: Permanence,
  sent: number,
  options: Coalesce.CacheOptions = {},
  answer: Answer = succeed,
) =>
  it.effect(name, () => {
    const transport = scripted(answer)
    return Effect.gen(function* () {
      for (let call = 0; call < 3; call++) yield* Effect.result(send(request({ method: lasting(permanence) })))
      assert.strictEqual(transport.sent.length, sent)
    }).pipe(over(transport, { cache: options }))
  })

describe("a result is kept", () => {
  checkKept("when it never changes", "forever", 1)
  checkKept("when its block is final, by the caller's word", { onceFinal: 100n }, 1, { finalBlock: () => 100n })
  checkKept("but not before", { onceFinal: 101n }, 3, { finalBlock: () => 100n })
  checkKept("but not when nobody says what is final", { onceFinal: 0n }, 3)
  checkKept("but not when the final block is not known yet", { onceFinal: 0n }, 3, { finalBlock: () => undefined })
  checkKept("but not when it may change", "changing", 3)
  checkKept("but not when it does not fit the method", "forever", 3, {}, () => Effect.succeed({ result: 7 }))
  checkKept("but not when it is too large", "forever", 3, { bytes: 300 }, () =>
    Effect.succeed({ result: "0".repeat(200) }),
  )
  checkKept("but not when it is an error", "forever", 3, {}, fail(new RpcReason.Rejected({ said: "no" }), "rpc-error"))

  it.effect("only when the layer is asked to", () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      for (let call = 0; call < 3; call++) yield* send(request({ method: lasting("forever") }))
      assert.strictEqual(transport.sent.length, 3)
    }).pipe(over(transport))
  })

  it.effect("for a lifetime", () => {
    const transport = scripted(succeed)
    return Effect.gen(function* () {
      const call = send(request({ method: lasting("forever") }))
      yield* call
      yield* TestClock.adjust("59 minutes")
      yield* call
      assert.strictEqual(transport.sent.length, 1)
      yield* TestClock.adjust("1 minute")
      yield* call
      assert.strictEqual(transport.sent.length, 2)
    }).pipe(over(transport, { cache: {} }))
  })

  it.effect("and the caller's observer is notified", () => {
    const told: Array<string> = []
    const observer = { onAttempt: () => {}, onWait: () => {}, onShared: (from: string) => void told.push(from) }
    const call = send(request({ method: lasting("forever") }))
    return Effect.gen(function* () {
      yield* call
      yield* call
      assert.deepStrictEqual(told, ["cached"])
    }).pipe(Effect.provideService(CallObserver, observer), over(scripted(succeed), { cache: {} }))
  })

  /** Asks for keys in turn; what was sent. */
  const checkOrder = (name: string, options: Coalesce.CacheOptions, asked: string, sent: string, size = 1) =>
    it.effect(name, () => {
      const transport = scripted(() => Effect.succeed({ result: "x".repeat(size) }))
      return Effect.gen(function* () {
        for (const key of asked) yield* send(request({ method: lasting("forever"), params: [key] }))
        assert.strictEqual(
          transport.sent.map(({ params }) => (Array.isArray(params) ? String(params[0]) : "")).join(""),
          sent,
        )
      }).pipe(over(transport, { cache: options }))
    })

  checkOrder(
    "until too many are, the one that was not asked for longest first to go",
    { entries: 2 },
    "abacabcb",
    "abcbc",
  )
  checkOrder("until they take too much memory", { bytes: 3_000 }, "abacab", "abcb", 500)
  checkOrder("and all of them when there is room", {}, "abcabcabc", "abc")
})
