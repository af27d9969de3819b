import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { defineNetwork, type Network, Price, RpcError, RpcReason, type RpcRequest, type Transport } from "@dotrpc/spec"
import { CreditBudget, CreditLedger, Retry } from "../src/index.ts"
import { type Answer, fail, method, request, scripted, send, succeed } from "./scripted.ts"

const said = "the server's words"
const getLogs = method({ name: "test_getLogs", price: Price.published(255) })
const free = method({ name: "test_free", price: Price.published(0) })

interface Setup {
  readonly answer?: Answer
  readonly daily?: number
  readonly perCall?: number
}

/** Runs an effect over a budget with a ledger of 1,000 credits, if not told otherwise. */
const run = <A, E>(
  setup: Setup,
  body: (world: {
    readonly sent: ReadonlyArray<RpcRequest>
  }) => Effect.Effect<A, E, Transport | CreditLedger.CreditLedger>,
) => {
  const transport = scripted(setup.answer ?? succeed)
  const budget = CreditBudget.layer(setup.perCall === undefined ? {} : { perCall: setup.perCall })
  const ledger = CreditLedger.layerMemory({ daily: setup.daily ?? 1_000 })
  return body(transport).pipe(Effect.provide(budget.pipe(Layer.provideMerge(ledger), Layer.provide(transport.layer))))
}

const balance = Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance)

const checkCharge = (outcome: Price.Outcome, price: number, charged: number) =>
  it.effect(`${outcome} at a price of ${price} is charged ${charged}`, () => {
    const answer = outcome === "ok" ? succeed : fail(new RpcReason.Rejected({ said }), outcome)
    return run({ answer }, () =>
      Effect.gen(function* () {
        const meter = CreditBudget.makeAllowance({ name: "a meter" })
        const priced = request({ method: method({ price: Price.published(price) }) })
        yield* Effect.exit(send(priced).pipe(CreditBudget.withAllowance(meter)))
        const { spent, reserved, byMethod } = yield* balance
        assert.deepStrictEqual([spent, reserved], [charged, 0])
        assert.deepStrictEqual([meter.spent, meter.reserved, meter.calls], [charged, 0, 1])
        assert.deepStrictEqual(byMethod, charged === 0 ? {} : { test_get: charged })
      }),
    )
  })

describe("what an attempt is charged by its outcome", () => {
  checkCharge("ok", 255, 255)
  checkCharge("rpc-error", 255, 255)
  checkCharge("malformed", 255, 255)
  checkCharge("timeout", 255, 255)
  checkCharge("payment-required", 255, 0)
  checkCharge("too-many-requests", 255, 0)
  checkCharge("client-error", 255, 5)
  checkCharge("client-error", 3, 3)
  checkCharge("server-error", 255, 0)
  checkCharge("unsent", 255, 0)

  it.effect("a method may have a policy of its own", () =>
    run({ answer: fail(new RpcReason.Rejected({ said }), "rpc-error") }, () =>
      Effect.gen(function* () {
        const lenient = method({ settle: { ...Price.defaultSettlePolicy, "rpc-error": 1 } })
        yield* Effect.exit(send(request({ method: lenient })))
        assert.strictEqual((yield* balance).spent, 1)
      }),
    ),
  )

  it.effect("a network may have prices of its own", () =>
    run({}, () =>
      Effect.gen(function* () {
        const cheap: Network = defineNetwork({ id: "cheap", plugin: "test", credits: { test_get: 7 } })
        yield* send(request({ network: cheap }))
        assert.deepStrictEqual((yield* balance).byNetwork, { cheap: { test_get: 7 } })
      }),
    ),
  )
})

const checkStopped = (name: string, answer: Answer, charged: number) =>
  it.effect(name, () =>
    run({ answer }, () =>
      Effect.gen(function* () {
        const meter = CreditBudget.makeAllowance({ name: "a meter" })
        const fiber = yield* Effect.forkChild(send(request()).pipe(CreditBudget.withAllowance(meter)))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        const { spent, reserved } = yield* balance
        assert.deepStrictEqual([spent, reserved], [charged, 0])
        assert.deepStrictEqual([meter.spent, meter.reserved, meter.calls], [charged, 0, charged === 0 ? 0 : 1])
      }),
    ),
  )

const neverSent: Answer = () => Effect.never

const sentForEver: Answer = (request) =>
  Effect.andThen(
    Effect.sync(() => request.onSend?.()),
    Effect.never,
  )

const broken: Answer = (request) =>
  Effect.andThen(
    Effect.sync(() => request.onSend?.()),
    Effect.die("a mistake"),
  )

describe("an attempt that is stopped", () => {
  checkStopped("gives everything back before the first byte left", neverSent, 0)
  checkStopped("is charged like a timeout after it", sentForEver, 80)
  checkStopped("is charged like a timeout when a defect stopped it", broken, 80)

  it.effect("holds its credits meanwhile, for all to see", () =>
    run({ answer: sentForEver }, () =>
      Effect.gen(function* () {
        const meter = CreditBudget.makeAllowance({ name: "a meter" })
        yield* Effect.forkChild(send(request({ method: getLogs })).pipe(CreditBudget.withAllowance(meter)))
        yield* Effect.yieldNow
        assert.deepStrictEqual([meter.spent, meter.reserved, meter.calls], [0, 255, 0])
        assert.strictEqual((yield* balance).remaining, 745)
      }),
    ),
  )
})

const checkRefusal = (
  name: string,
  setup: Setup,
  program: Effect.Effect<unknown, unknown, Transport>,
  expected: { readonly error: string; readonly advice: string; readonly sent: number },
) =>
  it.effect(name, () =>
    run(setup, ({ sent }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(program)
        assert.instanceOf(error, RpcError)
        assert.propertyVal(error, "message", `test_getLogs on local: ${expected.error}`)
        assert.propertyVal(error, "advice", expected.advice)
        assert.propertyVal(error, "outcome", "unsent")
        assert.strictEqual(sent.length, expected.sent)
        assert.strictEqual((yield* balance).reserved, 0)
      }),
    ),
  )

describe("a refusal", () => {
  const logs = send(request({ method: getLogs }))
  const threeLogs = Effect.andThen(logs, Effect.andThen(logs, logs))

  checkRefusal(
    "names the allowance that has too little",
    {},
    logs.pipe(CreditBudget.within({ name: "# @budget", limit: 254 })),
    {
      error: "refused: the call needs 255 credits, and # @budget of 254 has 254 left. Nothing was sent.",
      advice: "Raise # @budget to at least 255, or make the request cheaper.",
      sent: 0,
    },
  )
  checkRefusal(
    "counts what the allowance has spent",
    {},
    threeLogs.pipe(CreditBudget.within({ name: "--max-credits", limit: 600 })),
    {
      error: "refused: the call needs 255 credits, and --max-credits of 600 has 90 left. It was not sent.",
      advice: "Raise --max-credits to at least 765, or make the request cheaper.",
      sent: 2,
    },
  )
  checkRefusal(
    "comes from an outer allowance when the inner one has enough",
    {},
    threeLogs.pipe(
      CreditBudget.within({ name: "# @budget", limit: 900 }),
      CreditBudget.within({ name: "--max-credits", limit: 510 }),
    ),
    {
      error: "refused: the call needs 255 credits, and --max-credits of 510 has 0 left. It was not sent.",
      advice: "Raise --max-credits to at least 765, or make the request cheaper.",
      sent: 2,
    },
  )
  checkRefusal("comes from the limit per call", { perCall: 100 }, logs, {
    error: "refused: the call needs 255 credits, and the limit per call of 100 has 100 left. Nothing was sent.",
    advice: "Raise the limit per call to at least 255, or make the request cheaper.",
    sent: 0,
  })
  checkRefusal("of the daily balance says when it resets", { daily: 600 }, threeLogs, {
    error: "refused: the call needs 255 credits, and the daily limit of 600 has 90 left. Nothing was sent.",
    advice:
      "Raise the daily limit (limits.daily in rpc.config.json, or daily of the ledger's layer in a script), or wait until it resets at 1970-01-02T00:00:00.000Z. If the count is wrong, correct it with dotrpc credits set.",
    sent: 2,
  })

  it.effect("counts what the allowance has set aside for calls in flight", () =>
    run({ answer: sentForEver }, () =>
      Effect.gen(function* () {
        const allowance = CreditBudget.makeAllowance({ name: "# @budget", limit: 300 })
        yield* Effect.forkChild(logs.pipe(CreditBudget.withAllowance(allowance)))
        yield* Effect.yieldNow
        const error = yield* Effect.flip(logs.pipe(CreditBudget.withAllowance(allowance)))
        assert.include(error.message, "# @budget of 300 has 45 left")
        assert.strictEqual(error.advice, "Raise # @budget to at least 510, or make the request cheaper.")
      }),
    ),
  )

  it.effect("of the daily balance gives the allowances back what they had set aside", () =>
    run({ daily: 100 }, () =>
      Effect.gen(function* () {
        const meter = CreditBudget.makeAllowance({ name: "a meter" })
        yield* Effect.exit(logs.pipe(CreditBudget.withAllowance(meter)))
        assert.deepStrictEqual([meter.spent, meter.reserved, meter.calls], [0, 0, 0])
      }),
    ),
  )

  it.effect("never meets a call that costs nothing", () =>
    run({ daily: 0 }, ({ sent }) =>
      Effect.gen(function* () {
        yield* send(request({ method: free })).pipe(CreditBudget.within({ name: "--max-credits", limit: 0 }))
        assert.strictEqual(sent.length, 1)
      }),
    ),
  )

  it.effect("ends at midnight", () =>
    run({ daily: 300 }, () =>
      Effect.gen(function* () {
        yield* logs
        assert.isTrue(Exit.isFailure(yield* Effect.exit(logs)))
        yield* TestClock.setTime(86_400_000)
        yield* logs
      }),
    ),
  )
})

describe("allowances", () => {
  it.effect("are each paid from once, however they are nested", () =>
    run({}, () =>
      Effect.gen(function* () {
        const outer = CreditBudget.makeAllowance({ name: "outer" })
        const inner = CreditBudget.makeAllowance({ name: "inner", parent: outer })
        yield* send(request()).pipe(
          CreditBudget.withAllowance(inner),
          CreditBudget.withAllowance(inner),
          CreditBudget.withAllowance(outer),
        )
        yield* send(request()).pipe(CreditBudget.withAllowance(inner))
        yield* send(request()).pipe(CreditBudget.withAllowance(outer))
        assert.deepStrictEqual([inner.spent, inner.calls], [160, 2])
        assert.deepStrictEqual([outer.spent, outer.calls], [240, 3])
        assert.strictEqual((yield* balance).spent, 240)
      }),
    ),
  )

  it.effect("end with the effect they are around", () =>
    run({}, () =>
      Effect.gen(function* () {
        const meter = CreditBudget.makeAllowance({ name: "a meter" })
        yield* send(request()).pipe(CreditBudget.withAllowance(meter))
        yield* send(request())
        assert.strictEqual(meter.spent, 80)
      }),
    ),
  )

  it.effect("of `within` begin again with each run", () =>
    run({}, ({ sent }) =>
      Effect.gen(function* () {
        const once = send(request()).pipe(CreditBudget.within({ name: "# @budget", limit: 80 }))
        yield* once
        yield* once
        assert.strictEqual(sent.length, 2)
      }),
    ),
  )

  it.effect("are not overdrawn by calls that run at the same time", () =>
    run({ answer: (request) => Effect.andThen(Effect.yieldNow, succeed(request)) }, ({ sent }) =>
      Effect.gen(function* () {
        const calls = Array.from({ length: 10 }, () => Effect.exit(send(request())))
        const exits = yield* Effect.all(calls, { concurrency: "unbounded" }).pipe(
          CreditBudget.within({ name: "--max-credits", limit: 250 }),
        )
        assert.strictEqual(exits.filter(Exit.isSuccess).length, 3)
        assert.strictEqual(sent.length, 3)
      }),
    ),
  )

  it("refuse a limit that is not a number of credits", () => {
    for (const limit of [-1, Number.NaN])
      assert.throws(
        () => CreditBudget.makeAllowance({ name: "# @budget", limit }),
        /# @budget must be a number of credits/,
      )
  })
})

it.effect("every attempt of a call is paid for, and the budget ends the retries", () =>
  Effect.gen(function* () {
    const transport = scripted(fail(new RpcReason.NodeBehind({ said }), "rpc-error"))
    const retrying = Retry.layer().pipe(
      Layer.provide(CreditBudget.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
      Layer.provide(transport.layer),
    )
    yield* Effect.gen(function* () {
      const logs = send(request({ method: getLogs })).pipe(CreditBudget.within({ name: "# @budget", limit: 600 }))
      const fiber = yield* Effect.forkChild(Effect.flip(logs))
      yield* TestClock.adjust("1 minute")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason._tag, "BudgetRefused")
      assert.strictEqual(transport.sent.length, 2)
      assert.strictEqual((yield* balance).spent, 510)
    }).pipe(Effect.provide(retrying))
  }),
)

describe("two layers above each other", () => {
  it.effect("pay from a ledger each, and an allowance pays once", () =>
    Effect.gen(function* () {
      const transport = scripted(succeed)
      const shared = yield* Layer.build(CreditLedger.layerMemory({ daily: 1_000 }))
      const own = yield* Layer.build(CreditLedger.layerMemory({ daily: 300 }))
      const below = CreditBudget.layer().pipe(
        Layer.provide(Layer.succeedContext(shared)),
        Layer.provide(transport.layer),
      )
      const layer = CreditBudget.layer({ allowances: false }).pipe(
        Layer.provide(Layer.succeedContext(own)),
        Layer.provide(below),
      )
      const meter = CreditBudget.makeAllowance({ name: "a meter" })
      const call = send(request({ method: getLogs })).pipe(CreditBudget.withAllowance(meter))
      yield* Effect.gen(function* () {
        yield* call
        assert.strictEqual((yield* Effect.flip(call)).reason._tag, "DailyLimitReached")
      }).pipe(Effect.provide(layer))
      const spent = (context: typeof own) => Effect.map(Effect.provideContext(balance, context), ({ spent }) => spent)
      assert.deepStrictEqual([yield* spent(own), yield* spent(shared), meter.spent], [255, 255, 255])
    }).pipe(Effect.scoped),
  )
})
