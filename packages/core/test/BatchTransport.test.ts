import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Layer, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Network } from "@dotrpc/spec"
import { BatchTransport, CreditBudget, CreditLedger, Metrics, RequestTimeout } from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { type Call, cutOff, hangUp, reply, serve } from "./server.ts"

interface Sent {
  readonly id: number
  readonly params: ReadonlyArray<string>
}

const sentIn = ({ body }: Call): ReadonlyArray<Sent> => {
  const sent = JSON.parse(body) as ReadonlyArray<Sent> | Sent
  return "id" in sent ? [sent] : sent
}

/** Answers each request of a batch with its own params, in the other order. */
const echo = (call: Call) => {
  const replies = sentIn(call)
    .map(({ id, params }) => ({ id, result: params[0] }))
    .toReversed()
  reply(200, JSON.stringify(call.body.startsWith("[") ? replies : replies[0]))(call)
}

const over = (options: BatchTransport.Options = {}) => Effect.provide(BatchTransport.layer(options))

const calls = (network: Network, count: number) =>
  Array.from({ length: count }, (_, index) => send(request({ network, params: [String(index)] })))

const together = { concurrency: "unbounded" } as const

describe("calls of one turn", () => {
  it.live("are one request, and each has its own reply", () =>
    Effect.gen(function* () {
      const server = yield* serve(echo)
      const replies = yield* Effect.all(calls(server.network, 5), together)
      assert.deepStrictEqual(
        replies.map(({ result }) => result),
        ["0", "1", "2", "3", "4"],
      )
      assert.strictEqual(server.calls.length, 1)
    }).pipe(over()),
  )

  it.live("are several requests when they are too many for one", () =>
    Effect.gen(function* () {
      const server = yield* serve(echo)
      yield* Effect.all(calls(server.network, 5), together)
      assert.deepStrictEqual(server.calls.map((call) => sentIn(call).length).toSorted(), [1, 2, 2])
    }).pipe(over({ size: 2 })),
  )

  it.live("go to their own addresses", () =>
    Effect.gen(function* () {
      const servers = [yield* serve(echo), yield* serve(echo)]
      yield* Effect.all(
        servers.flatMap(({ network }) => calls(network, 2)),
        together,
      )
      assert.deepStrictEqual(
        servers.map((server) => server.calls.map((call) => sentIn(call).length)),
        [[2], [2]],
      )
    }).pipe(over()),
  )
})

it.effect("a window gathers what is called until it ends", () =>
  Effect.gen(function* () {
    const server = yield* serve(echo)
    const [first, second] = calls(server.network, 2)
    if (first === undefined || second === undefined) return
    const one = yield* Effect.forkChild(first)
    yield* TestClock.adjust("9 millis")
    const two = yield* Effect.forkChild(second)
    assert.strictEqual(server.calls.length, 0)
    yield* TestClock.adjust("1 milli")
    yield* Fiber.join(one)
    yield* Fiber.join(two)
    assert.deepStrictEqual(
      server.calls.map((call) => sentIn(call).length),
      [2],
    )
  }).pipe(over({ window: "10 millis" })),
)

/** What becomes of two calls in one batch, as `result` or as reason, outcome and message. */
const check = (name: string, answer: (call: Call) => void, expected: readonly [string, string]) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const { host, network } = yield* serve(answer)
      const results = yield* Effect.all(calls(network, 2).map(Effect.result), together)
      assert.deepStrictEqual(
        results.map((result) =>
          result._tag === "Success"
            ? String(result.success.result)
            : `${result.failure.reason._tag} ${result.failure.outcome}: ${result.failure.reason.message.replaceAll(host, "HOST")}`,
        ),
        [...expected],
      )
    }).pipe(over()),
  )

const both = (text: string): readonly [string, string] => [text, text]

describe("an answer to a batch", () => {
  check(
    "may be an error for one and a result for the other",
    (call) => {
      const [first, second] = sentIn(call)
      reply(
        200,
        JSON.stringify([
          { id: second?.id, result: "0x1" },
          { id: first?.id, error: { code: -32601, message: "no" } },
        ]),
      )(call)
    },
    ["Unsupported rpc-error: no", "0x1"],
  )
  check(
    "may write its ids as text",
    (call) => reply(200, JSON.stringify(sentIn(call).map(({ id }) => ({ id: String(id), result: "0x1" }))))(call),
    ["0x1", "0x1"],
  )
  check(
    "may end in its middle",
    (call) => reply(200, `[{"id":${String(sentIn(call)[0]?.id)},"result":"0x1"},{"id":`)(call),
    both(
      'Transport malformed: the reply is not JSON: Expected a JSON value, found the end of the text at offset 31: [{"id":1,"result":"0x1"},{"id":',
    ),
  )
  check(
    "may be one error that is a text",
    reply(200, { error: "Too many requests" }),
    both("RateLimited rpc-error: rate limited: Too many requests"),
  )
  check(
    "may hold no reply to one of them",
    (call) => reply(200, JSON.stringify([{ id: sentIn(call)[1]?.id, result: "0x1" }]))(call),
    ["Malformed malformed: the reply to the batch has no reply to this call", "0x1"],
  )
  check(
    "may be an error for the whole of it",
    reply(429, { code: 429, message: "slow down" }, { "retry-after": "2" }),
    both("RateLimited too-many-requests: rate limited for 2 s: slow down"),
  )
  check(
    "may be one error object in an HTTP 200",
    reply(200, { id: null, error: { code: 402, message: "Payment Required" } }),
    both("BudgetExhausted rpc-error: the provider's credits are used up: Payment Required"),
  )
  check(
    "may be the terms of an x402 server",
    reply(402, { x402Version: 2, error: "pay", accepts: [{ network: "eip155:8453", amount: "10", asset: "0x8335" }] }),
    both(
      "PaymentRequired payment-required: the server asks for an x402 payment of 10 units of 0x8335 on eip155:8453, not for credits: pay",
    ),
  )
  check(
    "may be an error page",
    reply(502, "<h1>Bad gateway</h1>"),
    both("Transport server-error: HTTP 502: Bad gateway"),
  )
  check("may break off", cutOff(200, '[{"id":1'), both("Transport malformed: the reply from HOST ended early"))
  check(
    "may not come",
    hangUp,
    both("Transport timeout: the connection was closed before a reply from HOST (ECONNRESET)"),
  )
})

describe("a call that is not waited for any more", () => {
  /** Two calls of which the server holds the batch; some are interrupted. */
  const interrupted = (indexes: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const aborted = yield* Latch.make()
      const held: Array<Call> = []
      const { network } = yield* serve((call) => {
        held.push(call)
        call.response.on("close", () => aborted.openUnsafe())
        arrived.openUnsafe()
      })
      const fibers = yield* Effect.forEach(calls(network, 2), (call) => Effect.forkChild(call))
      yield* arrived.await
      for (const index of indexes) {
        const fiber = fibers[index]
        if (fiber !== undefined) yield* Fiber.interrupt(fiber)
      }
      return { aborted, fibers, held }
    })

  it.live("leaves the others alone", () =>
    Effect.gen(function* () {
      const { fibers, held } = yield* interrupted([0])
      held.forEach(echo)
      const [, second] = fibers
      assert.deepStrictEqual(second === undefined ? undefined : yield* Fiber.join(second), { result: "1" })
    }).pipe(over()),
  )
  it.live("aborts the request when it was the last", () =>
    Effect.gen(function* () {
      const { aborted } = yield* interrupted([0, 1])
      yield* aborted.await
    }).pipe(over()),
  )
  it.effect("is never sent when it leaves before the batch does", () =>
    Effect.gen(function* () {
      const server = yield* serve(echo)
      let sent = 0
      const fibers = yield* Effect.forEach([0, 1], () =>
        Effect.forkChild(send(request({ network: server.network, onSend: () => void sent++ }))),
      )
      yield* Effect.yieldNow
      for (const fiber of fibers) yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([sent, server.calls.length], [0, 0])
    }).pipe(over({ window: "10 millis" })),
  )
  it.effect("times out by itself", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const held: Array<Call> = []
      const { network } = yield* serve((call) => {
        held.push(call)
        arrived.openUnsafe()
      })
      const [first, second] = calls(network, 2)
      if (first === undefined || second === undefined) return
      const hasty = yield* Effect.forkChild(Effect.flip(Effect.provideService(first, RequestTimeout, "1 second")))
      const patient = yield* Effect.forkChild(second)
      yield* TestClock.adjust("1 milli")
      yield* arrived.await
      yield* TestClock.adjust("1 second")
      const error = yield* Fiber.join(hasty)
      assert.deepStrictEqual([error.reason._tag, error.outcome], ["Timeout", "timeout"])
      held.forEach(echo)
      assert.deepStrictEqual(yield* Fiber.join(patient), { result: "1" })
    }).pipe(over({ window: "1 milli" })),
  )
  it.live("ends with the layer", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const { network } = yield* serve(() => arrived.openUnsafe())
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(BatchTransport.layer(), scope)
      const fiber = yield* Effect.forkChild(Effect.provide(send(request({ network })), context))
      yield* arrived.await
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }),
  )
})

/** What a meter, the ledger and the metrics count of so many calls at once, of which each costs 80. */
const checkCharge = (
  name: string,
  options: BatchTransport.Options,
  count: number,
  expected: number,
  answer: (call: Call) => void = echo,
) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const { network } = yield* serve(answer)
      const meter = CreditBudget.makeAllowance({ name: "a meter" })
      const live = CreditBudget.layer().pipe(
        Layer.provideMerge(CreditLedger.layerMemory({ daily: 10_000 })),
        Layer.provide(Metrics.layer()),
        Layer.provide(BatchTransport.layer(options)),
      )
      yield* Effect.gen(function* () {
        yield* Effect.all(calls(network, count).map(Effect.exit), together).pipe(CreditBudget.withAllowance(meter))
        const { reserved, spent } = yield* (yield* CreditLedger.CreditLedger).balance
        const counted = yield* Metric.value(
          Metric.withAttributes(Metrics.credits, { method: "test_get", network: "local" }),
        )
        assert.deepStrictEqual([spent, meter.spent, counted.count, reserved], [expected, expected, expected, 0])
      }).pipe(Effect.provide(live))
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

/** One result, and a JSON-RPC error 429 for every other call. */
const refusingAllButOne = (call: Call) =>
  reply(
    200,
    JSON.stringify(
      sentIn(call).map(({ id }, index) =>
        index === 0 ? { id, result: "0x1" } : { id, error: { code: 429, message: "Too Many Requests" } },
      ),
    ),
  )(call)

describe("a batch", () => {
  checkCharge("costs 80 credits on top of its calls, unless it is known what it costs", {}, 5, 5 * 80 + 80)
  checkCharge("costs what the provider charges for it", { surcharge: 20 }, 5, 5 * 80 + 20)
  checkCharge("costs a little more where that cannot be shared out evenly", {}, 3, 3 * 80 + 81)
  checkCharge("of one call is none, and costs nothing", {}, 1, 80)
  checkCharge("costs what it costs though its calls are refused, all but one", {}, 10, 80 + 80, refusingAllButOne)

  for (const status of [429, 500])
    checkCharge(`whose results come with HTTP ${status} costs as one whose status is right`, {}, 10, 880, (call) =>
      reply(status, JSON.stringify(sentIn(call).map(({ id, params }) => ({ id, result: params[0] }))))(call),
    )

  it.live("whose results come with HTTP 500 loses none of them", () =>
    Effect.gen(function* () {
      const { network } = yield* serve((call) => {
        const [first] = sentIn(call)
        reply(500, JSON.stringify([{ id: first?.id, result: "0x1" }]))(call)
      })
      const [first, second] = yield* Effect.all(calls(network, 2).map(Effect.result), together)
      assert.deepInclude(first, { _tag: "Success", success: { result: "0x1" } })
      assert.strictEqual(second?._tag === "Failure" ? second.failure.reason._tag : "", "Transport")
    }).pipe(over()),
  )

  it.live("that a budget cannot pay for in the worst case is not sent", () =>
    Effect.gen(function* () {
      const server = yield* serve(echo)
      const live = CreditBudget.layer().pipe(
        Layer.provide(CreditLedger.layerMemory({ daily: 10_000 })),
        Layer.provide(BatchTransport.layer()),
      )
      const error = yield* Effect.all(calls(server.network, 1)).pipe(
        CreditBudget.within({ name: "my limit", limit: 119 }),
        Effect.provide(live),
        Effect.flip,
      )
      assert.strictEqual(error._tag, "RpcError")
      assert.deepInclude("reason" in error && error.reason, { _tag: "BudgetRefused", needed: 120, allowed: 119 })
      assert.strictEqual(server.calls.length, 0)
    }),
  )
})
