/**
 * The laws of the layers in whatever order they are composed: a server that is only simulated, time that is only told, a
 * clock on the wall that jumps, and calls that are interrupted at any moment.
 */
import { Clock, Context, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type Options as Check, Price, RpcReason, Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import {
  Breaker,
  Coalesce,
  CreditBudget,
  CreditLedger,
  Metrics,
  Priority,
  RateLimit,
  Retry,
  Trace,
} from "../src/index.ts"
import { errorOf, method, request } from "./scripted.ts"

const price = 80

const answers: Readonly<
  Record<Answer, { readonly charged: boolean; readonly outcome: Price.Outcome; readonly reason?: RpcReason.Reason }>
> = {
  result: { charged: true, outcome: "ok" },
  error: { charged: true, outcome: "rpc-error", reason: new RpcReason.Rejected({ said: "no" }) },
  truncated: { charged: true, outcome: "malformed", reason: new RpcReason.Malformed({ said: "not JSON" }) },
  "too fast": {
    charged: false,
    outcome: "too-many-requests",
    reason: new RpcReason.RateLimited({ said: "slow down" }),
  },
  "come back later": {
    charged: false,
    outcome: "too-many-requests",
    reason: new RpcReason.RateLimited({ said: "slow down", retryAfterMillis: 5_000 }),
  },
  "server error": { charged: false, outcome: "server-error", reason: new RpcReason.Transport({ said: "HTTP 503" }) },
  "hang up": { charged: true, outcome: "timeout", reason: new RpcReason.Transport({ said: "closed" }) },
  silence: { charged: true, outcome: "timeout", reason: new RpcReason.Timeout({ millis: 10_000 }) },
}

type Answer = "result" | "error" | "truncated" | "too fast" | "come back later" | "server error" | "hang up" | "silence"

/** What the server does with one request. */
interface Behaviour {
  readonly answer: Answer
  /** Milliseconds before the request leaves, and before its answer comes. */
  readonly leaves: number
  readonly takes: number
}

interface Call {
  readonly key: string
  readonly idempotent: boolean
  readonly priority: Priority
  readonly startsAt: number
  readonly interruptedAt: number | undefined
}

const layers = {
  coalesce: Coalesce.layer({ cache: {} }),
  retry: Retry.layer({ times: 2 }),
  rate: RateLimit.layer({ requestsPerSecond: 20 }),
  breaker: Breaker.layer({ failures: 2 }),
  trace: Trace.layer(),
  metrics: Metrics.layer(),
  // Layers of somebody else's.
  logs: Transport.wrap((below) => (request) => Effect.tap(below.send(request), () => Effect.void)),
  rebuilds: Transport.wrap(
    (below) =>
      ({ method, network, params }) =>
        below.send({ method, network, params }),
  ),
  forks: Transport.wrap(
    (below) =>
      ({ method, network, params }) =>
        Effect.flatMap(Effect.forkChild(below.send({ method, network, params })), Fiber.join),
  ),
}

type Name = keyof typeof layers | "budget"

const names = Object.keys(layers) as ReadonlyArray<keyof typeof layers>

interface Program {
  /** Outermost first. */
  readonly order: ReadonlyArray<Name>
  readonly calls: ReadonlyArray<Call>
  readonly behaviours: ReadonlyArray<Behaviour>
  readonly jumps: ReadonlyArray<{ readonly at: number; readonly hours: number }>
  readonly limit: number | undefined
  readonly daily: number
  readonly onExhausted: "fail" | "wait"
}

const moment = fc.nat({ max: 20_000 })
const briefly = fc.oneof(fc.constant(0), fc.nat({ max: 2_000 }))

const program: fc.Arbitrary<Program> = fc.record({
  order: fc.shuffledSubarray<Name>([...names, "budget"]).filter((order) => order.includes("budget")),
  calls: fc.array(
    fc.record({
      key: fc.constantFrom("a", "b", "c"),
      idempotent: fc.boolean(),
      priority: fc.constantFrom("interactive", "background"),
      startsAt: moment,
      interruptedAt: fc.option(moment, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  behaviours: fc.array(
    fc.record({ answer: fc.constantFrom(...(Object.keys(answers) as Array<Answer>)), leaves: briefly, takes: briefly }),
    { maxLength: 12 },
  ),
  jumps: fc.array(fc.record({ at: moment, hours: fc.integer({ min: -12, max: 12 }) }), { maxLength: 3 }),
  limit: fc.option(fc.integer({ min: 0, max: 800 }), { nil: undefined }),
  daily: fc.constantFrom(800, 100_000),
  onExhausted: fc.constantFrom("fail", "wait"),
})

/** A server that counts what it charges once a request has arrived. */
const simulate = (behaviours: ReadonlyArray<Behaviour>) => {
  let received = 0
  let charged = 0
  const layer = Layer.succeed(Transport, {
    send: (request) =>
      Effect.gen(function* () {
        const { answer, leaves, takes } = behaviours[received] ?? { answer: "result", leaves: 0, takes: 10 }
        received++
        yield* Effect.sleep(leaves)
        request.onSend?.()
        const { charged: isCharged, outcome, reason } = answers[answer]
        if (isCharged) charged += price
        yield* Effect.sleep(answer === "silence" ? "10 seconds" : takes)
        if (reason !== undefined) return yield* errorOf(reason, outcome)
        return { result: "0x1" }
      }),
  })
  return { layer, charged: () => charged }
}

/** A ledger that tells what became of all it has reserved. */
const counting = (daily: number) => {
  const totals = { reserved: 0, settled: 0, released: 0, charged: 0 }
  const layer = Layer.effect(
    CreditLedger.CreditLedger,
    Effect.map(CreditLedger.CreditLedger, (ledger) =>
      CreditLedger.CreditLedger.of({
        ...ledger,
        reserve: (credits, keepShare) =>
          Effect.tap(ledger.reserve(credits, keepShare), () => Effect.sync(() => (totals.reserved += credits))),
        settle: (reservation, charged, charge) =>
          Effect.tap(ledger.settle(reservation, charged, charge), () =>
            Effect.sync(() => {
              totals.settled += reservation.credits
              totals.charged += charged
            }),
          ),
        release: (reservation) =>
          Effect.tap(ledger.release(reservation), () => Effect.sync(() => (totals.released += reservation.credits))),
      }),
    ),
  ).pipe(Layer.provide(CreditLedger.layerMemory({ daily })))
  return { layer, totals }
}

const compose = ({ onExhausted, order }: Program, server: Layer.Layer<Transport>) =>
  order
    .toReversed()
    .reduce<Layer.Layer<Transport, Check.InvalidOptions, CreditLedger.CreditLedger>>(
      (below, name) =>
        (name === "budget" ? CreditBudget.layer({ onExhausted, reserveForInteractive: 0.1 }) : layers[name]).pipe(
          Layer.provide(below),
        ),
      server,
    )

/** The clock of the test, beside which the one on the wall is set forwards and back. */
const jumpingClock = Effect.map(Clock.Clock, (clock) => {
  let offset = 0
  const millis = () => clock.currentTimeMillisUnsafe() + offset
  const jumping: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: () => BigInt(millis()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(millis()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
  }
  return { jumping, jump: (hours: number) => void (offset += hours * 3_600_000) }
})

const execute = (program: Program): Effect.Effect<Ending, Check.InvalidOptions, Scope.Scope> =>
  Effect.gen(function* () {
    // Noon of some day, so that no jump leads before 1970.
    yield* TestClock.setTime(Date.UTC(2026, 0, 5, 12))
    const server = simulate(program.behaviours)
    const ledger = counting(program.daily)
    const allowance = CreditBudget.makeAllowance({
      name: "all of them",
      limit: program.limit,
    })
    const { jump, jumping } = yield* jumpingClock
    const context = yield* Layer.build(compose(program, server.layer).pipe(Layer.provide(ledger.layer))).pipe(
      Effect.provideService(Clock.Clock, jumping),
    )
    const { send } = Context.get(context, Transport)
    const fibers = new Map<Call, Fiber.Fiber<unknown, unknown>>()
    const events = [
      ...program.calls.map((call) => ({
        at: call.startsAt,
        happen: Effect.gen(function* () {
          const sent = request({
            method: method({ idempotent: call.idempotent, price: Price.published(price) }),
            params: [call.key],
          })
          const running = send(sent).pipe(
            CreditBudget.withAllowance(allowance),
            Effect.provideService(Priority, call.priority),
            Effect.provideService(Clock.Clock, jumping),
          )
          fibers.set(call, yield* Effect.forkScoped(running))
        }),
      })),
      ...program.calls.map((call) => ({
        at: call.interruptedAt ?? Infinity,
        happen: Effect.suspend(() => {
          const fiber = fibers.get(call)
          return fiber === undefined ? Effect.void : Effect.forkScoped(Fiber.interrupt(fiber))
        }),
      })),
      ...program.jumps.map(({ at, hours }) => ({ at, happen: Effect.sync(() => jump(hours)) })),
    ]
    let now = 0
    for (const { at, happen } of events
      .filter(({ at }) => at < Infinity)
      .toSorted((left, right) => left.at - right.at)) {
      yield* TestClock.adjust(at - now)
      now = at
      yield* happen
    }
    // A day of the balance pays for ten attempts, and there are 24 at most.
    yield* TestClock.adjust("4 days")
    const exits = [...fibers.values()].map((fiber) => fiber.pollUnsafe())
    return { allowance, exits, totals: ledger.totals, charged: server.charged() }
  })

interface Ending {
  readonly allowance: CreditBudget.Allowance
  readonly exits: ReadonlyArray<Exit.Exit<unknown, unknown> | undefined>
  readonly totals: ReturnType<typeof counting>["totals"]
  readonly charged: number
}

it("in any order of the layers every call ends, what was reserved is settled or released, and nothing is counted short", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (program) => {
      const { allowance, charged, exits, totals } = await Effect.runPromise(
        execute(program).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
      )
      expect(exits.map((exit) => exit !== undefined && !Exit.hasDies(exit))).toEqual(exits.map(() => true))
      expect(totals.settled + totals.released).toBe(totals.reserved)
      expect(allowance.reserved).toBe(0)
      expect(allowance.spent).toBe(totals.charged)
      expect(allowance.spent).toBeLessThanOrEqual(program.limit ?? Infinity)
      expect(allowance.spent).toBeGreaterThanOrEqual(charged)
    }),
    { numRuns: runs(1_000) },
  )
})

const permutations = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) => permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))

it("in each of the 120 orders of the five layers, every attempt is paid for", async () => {
  const lost: Behaviour = { answer: "silence", leaves: 0, takes: 0 }
  const orders = permutations<Name>(["coalesce", "retry", "budget", "rate", "breaker"])
  const spent = await Promise.all(
    orders.map(async (order) => {
      const call: Call = { key: "a", idempotent: true, priority: "interactive", startsAt: 0, interruptedAt: undefined }
      const program: Program = {
        order,
        calls: [call, { ...call, startsAt: 5 }],
        behaviours: [lost, lost],
        jumps: [],
        limit: undefined,
        daily: 100_000,
        onExhausted: "fail",
      }
      const { allowance, charged } = await Effect.runPromise(
        execute(program).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
      )
      return { order, missing: Math.max(0, charged - allowance.spent), charged: charged >= 3 * price }
    }),
  )
  expect(spent).toEqual(orders.map((order) => ({ order, missing: 0, charged: true })))
})
