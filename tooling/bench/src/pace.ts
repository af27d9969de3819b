/**
 * What is left of the pace when a server refuses calls, and how long a person waits beside a flood of background calls.
 * Servers and time are simulated and chance is seeded, so that the figures are the same on every machine.
 */
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Breaker, CreditBudget, CreditLedger, Priority, RateLimit, Retry } from "@dotrpc/core"
import {
  type Options as Check,
  defineNetwork,
  type Price,
  RpcError,
  RpcReason,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"

export const refusalColumns = [
  "a server that",
  "offered a second",
  "answered a second",
  "of what it would answer",
  "refused",
]

export const refusalRows = async (): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const { best, name, refuses } of refusing) {
    const { answered, refused } = await Effect.runPromise(flooded(refuses).pipe(Effect.provide(TestClock.layer())))
    rows.push([
      name,
      whole(offered),
      whole(answered),
      `${((100 * answered) / best).toFixed(1)} %`,
      `${((100 * refused) / (answered + refused)).toFixed(2)} %`,
    ])
  }
  return rows
}

export const latencyColumns = ["layers, and a server", "median", "longest"]

export const latencyRows = async (): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const { layers, name, refuses } of combinations) {
    const waits = await Effect.runPromise(personWaits(layers, refuses()).pipe(Effect.provide(TestClock.layer())))
    const sorted = waits.toSorted((left, right) => left - right)
    rows.push([name, `${sorted[sorted.length >> 1]} ms`, `${sorted.at(-1)} ms`])
  }
  return rows
}

export const returnColumns = ["what happens once", "asked again after"]

export const returnRows = async (): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const [name, error] of mistakes) {
    const seconds = await Effect.runPromise(secondsUntilAnswer(error).pipe(Effect.provide(TestClock.layer())))
    rows.push([name, seconds === undefined ? "more than 2 hours" : `${seconds} s`])
  }
  return rows
}

const network = defineNetwork({ id: "simulated", plugin: "bench", url: "http://127.0.0.1:9/v3/KEY" })
const request: RpcRequest = { method: Evm.GetStorageAt, network, params: [] }

const errorOf = (reason: RpcReason.Reason, outcome: Price.Outcome): RpcError =>
  new RpcError({ method: request.method.name, network: network.id, reason, outcome })

/** Whether the server refuses a call that arrives at this millisecond. */
type Refuses = (now: number) => boolean

const latency = 8
const callers = 64
/** What so many callers ask for when each call takes that long. */
const offered = (callers * 1_000) / latency

/** The same numbers in each run. */
const seeded = (): (() => number) => {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const atRandom = (share: number) => (): Refuses => {
  const random = seeded()
  return () => random() < share
}

/** A bucket that holds a second's worth. */
const above = (perSecond: number) => (): Refuses => {
  let tokens = perSecond
  let at = 0
  return (now) => {
    tokens = Math.min(perSecond, tokens + ((now - at) * perSecond) / 1_000)
    at = now
    if (tokens < 1) return true
    tokens--
    return false
  }
}

const never = (): Refuses => () => false

const refusing: ReadonlyArray<{ readonly name: string; readonly refuses: () => Refuses; readonly best: number }> = [
  { name: "refuses nothing", refuses: never, best: offered },
  { name: "refuses 0.1 % at random", refuses: atRandom(0.001), best: offered * 0.999 },
  { name: "refuses 1 % at random", refuses: atRandom(0.01), best: offered * 0.99 },
  { name: "allows 2,000 a second", refuses: above(2_000), best: 2_000 },
  { name: "allows 500 a second", refuses: above(500), best: 500 },
  { name: "allows 20 a second", refuses: above(20), best: 20 },
]

const serverOf = (refuses: Refuses, told: (refused: boolean) => void) =>
  Layer.succeed(Transport, {
    send: ({ onSend }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        onSend?.()
        const isRefused = refuses(now)
        told(isRefused)
        const answer = isRefused
          ? Effect.fail(
              errorOf(new RpcReason.RateLimited({ said: "too many requests", httpStatus: 429 }), "too-many-requests"),
            )
          : Effect.succeed({ result: "0x1" })
        return Effect.delay(answer, latency)
      }),
  })

type Layers = ReadonlyArray<Layer.Layer<Transport, Check.InvalidOptions, Transport | CreditLedger.CreditLedger>>

/** Outermost first. */
const stack = (layers: Layers, server: Layer.Layer<Transport>) =>
  layers
    .reduceRight<Layer.Layer<Transport, Check.InvalidOptions, CreditLedger.CreditLedger>>(
      (below, above) => Layer.provide(above, below),
      server,
    )
    .pipe(Layer.provide(CreditLedger.layerMemory({ daily: 1_000_000_000 })))

const warmUpSeconds = 20
const measuredSeconds = 20

/** Answers and refusals a second, once the pace has been learned. */
const flooded = (refuses: () => Refuses) =>
  Effect.gen(function* () {
    const counts = { answered: 0, refused: 0 }
    const server = serverOf(refuses(), (refused) => counts[refused ? "refused" : "answered"]++)
    const context = yield* Layer.build(stack([Retry.layer(), RateLimit.layer(), Breaker.layer()], server))
    const { send } = Context.get(context, Transport)
    for (let caller = 0; caller < callers; caller++)
      yield* Effect.forkScoped(Effect.forever(Effect.exit(send(request))))
    yield* steps(warmUpSeconds * 1_000)
    counts.answered = 0
    counts.refused = 0
    yield* steps(measuredSeconds * 1_000)
    return { answered: counts.answered / measuredSeconds, refused: counts.refused / measuredSeconds }
  }).pipe(Effect.scoped)

/** Every millisecond passes by itself, so that those who wait for one do not come late. */
const steps = (millis: number) =>
  Effect.gen(function* () {
    for (let passed = 0; passed < millis; passed++) yield* TestClock.adjust(1)
  })

const rate = RateLimit.layer({ requestsPerSecond: 100 })
const credits = CreditBudget.layer({ perSecond: 8_000 })

const combinations: ReadonlyArray<{ readonly name: string; readonly layers: Layers; readonly refuses: () => Refuses }> =
  [
    { name: "`RateLimit` at 100 a second", layers: [Retry.layer(), rate, Breaker.layer()], refuses: never },
    { name: "`CreditBudget` at 100 calls a second", layers: [Retry.layer(), credits, Breaker.layer()], refuses: never },
    { name: "both", layers: [Retry.layer(), credits, rate, Breaker.layer()], refuses: never },
    { name: "both, in the other order", layers: [Retry.layer(), rate, credits, Breaker.layer()], refuses: never },
    {
      name: "neither; allows 100 a second",
      layers: [Retry.layer(), RateLimit.layer(), Breaker.layer()],
      refuses: above(100),
    },
    {
      name: "`CreditBudget` at 100 calls a second; allows 80",
      layers: [Retry.layer(), credits, RateLimit.layer(), Breaker.layer()],
      refuses: above(80),
    },
  ]

/** How long calls that a person waits for wait before they are sent, one a second, beside 1,000 callers in the background. */
const personWaits = (layers: Layers, refuses: Refuses) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      stack(
        layers,
        serverOf(refuses, () => {}),
      ),
    )
    const { send } = Context.get(context, Transport)
    for (let caller = 0; caller < 1_000; caller++)
      yield* Effect.forkScoped(
        Effect.forever(Effect.exit(send(request))).pipe(Effect.provideService(Priority, "background")),
      )
    yield* steps(20_000)
    const waits: Array<number> = []
    for (let call = 0; call < 20; call++) {
      const began = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkScoped(Effect.andThen(Effect.exit(send(request)), Clock.currentTimeMillis))
      let millis = 0
      while (fiber.pollUnsafe() === undefined && millis++ < 100_000) yield* TestClock.adjust(1)
      waits.push((yield* Fiber.join(fiber)) - began - latency)
      yield* steps(1_000)
    }
    return waits
  }).pipe(Effect.scoped)

const mistakes: ReadonlyArray<readonly [name: string, error: RpcError]> = [
  [
    "`Retry-After: 60`",
    errorOf(new RpcReason.RateLimited({ said: "", retryAfterMillis: 60_000 }), "too-many-requests"),
  ],
  [
    "`Retry-After: 60000`",
    errorOf(new RpcReason.RateLimited({ said: "", retryAfterMillis: 60_000_000 }), "too-many-requests"),
  ],
  [
    "a 402 that is a mistake",
    errorOf(
      new RpcReason.BudgetExhausted({ said: "", httpStatus: 402, resetsAt: new Date(86_400_000) }),
      "payment-required",
    ),
  ],
]

/** When the server is sent the next call, after one that failed so; a call comes each second. */
const secondsUntilAnswer = (error: RpcError) =>
  Effect.gen(function* () {
    const sentAt: Array<number> = []
    const server = Layer.succeed(Transport, {
      send: ({ onSend }: RpcRequest) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          onSend?.()
          return sentAt.push(now) === 1 ? Effect.fail(error) : Effect.succeed({ result: "0x1" })
        }),
    })
    const context = yield* Layer.build(stack([RateLimit.layer(), Breaker.layer()], server))
    const { send } = Context.get(context, Transport)
    for (let second = 0; second <= 7_200 && sentAt.length < 2; second++) {
      yield* Effect.forkScoped(Effect.exit(send(request)))
      yield* TestClock.adjust("1 second")
    }
    const [, next] = sentAt
    return next === undefined ? undefined : next / 1_000
  }).pipe(Effect.scoped)

const whole = (value: number): string => Math.round(value).toLocaleString("en")
