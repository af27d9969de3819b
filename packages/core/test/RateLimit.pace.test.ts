/** The pace that is kept after a server has said that it is too fast. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { defineNetwork, RpcReason, type Transport } from "@dotrpc/spec"
import { RateLimit, Retry } from "../src/index.ts"
import { type Answer, fail, request, scripted, send, succeed } from "./scripted.ts"

const far = defineNetwork({ id: "far", plugin: "test", url: "http://127.0.0.1:9/v3/far" })
const ten = (price: number) => Array.from({ length: 10 }, () => price)

/** Runs an effect over a rate limit. */
const limited = <A, E>(
  options: RateLimit.Options,
  transport: ReturnType<typeof scripted>,
  body: Effect.Effect<A, E, Transport>,
) => Effect.provide(body, RateLimit.layer(options).pipe(Layer.provide(transport.layer)))

const after =
  (millis: number, answer: Answer): Answer =>
  (request) =>
    Effect.delay(answer(request), millis)

const refused = fail(new RpcReason.RateLimited({ said: "too fast" }), "too-many-requests")

const askedToWait = fail(new RpcReason.RateLimited({ said: "too fast", retryAfterMillis: 1 }), "too-many-requests")

/** Eight calls that leave at once, then as many more a second later; when those left, in milliseconds after that second. */
const secondWave = (answers: readonly [Answer, ...ReadonlyArray<Answer>], options: RateLimit.Options = {}) =>
  Effect.gen(function* () {
    const transport = scripted(...answers)
    const wave = Effect.forEach(ten(80).slice(2), () => Effect.forkChild(Effect.exit(send(request()))))
    yield* limited(
      options,
      transport,
      Effect.gen(function* () {
        yield* wave
        yield* TestClock.adjust("900 millis")
        yield* wave
        yield* TestClock.adjust("1 hour")
      }),
    )
    return transport.sentAt.slice(8).map((at) => at - 900)
  })

const checkPace = (
  name: string,
  answers: readonly [Answer, ...ReadonlyArray<Answer>],
  expected: ReadonlyArray<number>,
  options: RateLimit.Options = {},
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* secondWave(answers, options), expected)
    }),
  )

const slowRecovery = { recovery: "1000 days" } as const
const late = after(10, refused)
const four = <Item>(item: Item) => Array.from({ length: 4 }, () => item)
const seven = <Item>(item: Item) => Array.from({ length: 7 }, () => item)

describe("after a 429 without a time to wait", () => {
  checkPace("no call is slowed down while there is none", [succeed], [0, 0, 0, 0, 0, 0, 0, 0])
  checkPace(
    "calls are spread at half of what went in a second where none was answered",
    [late, late, late, late, ...four(after(20, succeed)), succeed],
    [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750],
    slowRecovery,
  )
  checkPace(
    "refusals of calls that had left before count once",
    [late, ...seven(late), succeed],
    [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750],
    slowRecovery,
  )
  checkPace(
    "a refusal at that pace halves it again, down to one call a second",
    [late, ...seven(late), refused, refused, refused, succeed],
    [0, 250, 750, 1_750, 2_750, 3_750, 4_750, 5_750],
    slowRecovery,
  )
  checkPace(
    "calls are spread a little below what was answered where that is more than half, once a server asks one to wait",
    [after(10, askedToWait), succeed],
    [0, 151, 302, 453, 604, 755, 906, 1_057],
    slowRecovery,
  )
  checkPace("the pace grows back evenly", [late, ...seven(late), succeed], [0, 174, 338, 493, 641, 783, 920, 1_052], {
    recovery: "2 seconds",
  })
  checkPace("it is never faster than the configured rate", [late, succeed], [0, 0, 0, 0, 0, 0, 0, 100], {
    requestsPerSecond: 8,
    recovery: "1 milli",
  })

  for (const share of [3, 5, 10, 20])
    it.effect(
      `a batch takes no longer where ${share} calls of a hundred are refused at random than its retries take`,
      () =>
        Effect.gen(function* () {
          let state = 7
          const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
          let calls = 0
          const transport = scripted((sent) => {
            calls++
            return random() < share / 100 ? after(50, refused)(sent) : after(50, succeed)(sent)
          })
          const layer = Retry.layer().pipe(Layer.provide(RateLimit.layer()), Layer.provide(transport.layer))
          const batch = Effect.forEach(Array.from({ length: 200 }), () => send(request()), { concurrency: 8 })
          const fiber = yield* Effect.forkChild(Effect.provide(batch, layer))
          let millis = 0
          while (fiber.pollUnsafe() === undefined && millis < 60_000) {
            yield* TestClock.adjust(10)
            millis += 10
          }
          // Eight at a time without a pause, and a wait for each refusal, which some have in common.
          assert.isBelow(millis, (calls / 8) * 60 + (calls - 200) * 30)
          yield* Fiber.join(fiber)
        }),
    )

  it.effect("one refusal of a hundred calls slows nothing down", () => {
    const transport = scripted(succeed, ...Array.from({ length: 98 }, () => succeed), refused, succeed)
    return limited(
      slowRecovery,
      transport,
      Effect.gen(function* () {
        for (let call = 0; call < 200; call++) yield* Effect.exit(send(request()))
        assert.deepStrictEqual(new Set(transport.sentAt), new Set([0]))
      }),
    )
  })

  it.effect("a server that refuses every fifth call however slowly they come is not slowed down for long", () => {
    let calls = 0
    const transport = scripted((sent) => (++calls % 5 === 0 ? refused(sent) : succeed(sent)))
    return limited(
      { recovery: "1 hour" },
      transport,
      Effect.gen(function* () {
        const all = Effect.forEach(Array.from({ length: 400 }), () => Effect.exit(send(request())), { concurrency: 4 })
        yield* Effect.forkChild(all)
        yield* TestClock.adjust("1 hour")
        const waited = transport.sentAt.filter((at, index) => at > (transport.sentAt[index - 1] ?? 0)).length
        assert.strictEqual(transport.sentAt.length, 400)
        assert.isBelow(waited, 30)
        assert.isBelow(transport.sentAt.at(-1) ?? Infinity, 10_000)
      }),
    )
  })

  it.effect("a limit that another program uses up as well is kept, however many calls it refuses", () => {
    // A hundred calls a second, of which the other one makes 98 at the beginning of each.
    const sent = new Map<number, number>()
    let refusals = 0
    const transport = scripted((call) =>
      Effect.gen(function* () {
        const second = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
        sent.set(second, (sent.get(second) ?? 98) + 1)
        if ((sent.get(second) ?? 0) <= 100) return yield* Effect.delay(succeed(call), 20)
        refusals++
        return yield* Effect.delay(refused(call), 20)
      }),
    )
    return limited(
      { recovery: "1 minute" },
      transport,
      Effect.gen(function* () {
        const all = Effect.forEach(Array.from({ length: 600 }), () => Effect.exit(send(request())), { concurrency: 4 })
        yield* Effect.forkChild(all)
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(transport.sentAt.length, 600)
        assert.isBelow(refusals, 150)
      }),
    )
  })

  it.effect("calls to another endpoint keep their pace", () => {
    const transport = scripted(refused, refused, refused, refused, succeed)
    return limited(
      slowRecovery,
      transport,
      Effect.gen(function* () {
        for (let call = 0; call < 4; call++) yield* Effect.exit(send(request()))
        for (let call = 0; call < 3; call++) yield* Effect.forkChild(send(request()))
        for (let call = 0; call < 3; call++) yield* Effect.forkChild(send(request({ network: far })))
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(
          transport.sent.slice(4).map(({ network }, index) => `${transport.sentAt[index + 4]} ${network.id}`),
          ["0 local", "0 far", "0 far", "0 far", "500 local", "1000 local"],
        )
      }),
    )
  })

  it.effect("a call that is interrupted while it keeps the pace gives its place to the next", () => {
    const transport = scripted(refused, refused, refused, refused, succeed)
    return limited(
      slowRecovery,
      transport,
      Effect.gen(function* () {
        for (let call = 0; call < 4; call++) yield* Effect.exit(send(request()))
        const [, second] = yield* Effect.forEach([0, 1, 2], () => Effect.forkChild(send(request())))
        yield* TestClock.adjust("300 millis")
        if (second !== undefined) yield* Fiber.interrupt(second)
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(transport.sentAt.slice(4), [0, 500])
      }),
    )
  })
})
