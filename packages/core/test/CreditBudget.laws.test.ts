import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type Options, Price, RpcReason, Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CreditBudget, CreditLedger, Priority } from "../src/index.ts"
import { during, pass } from "./passing.ts"
import { errorOf, method, request, send } from "./scripted.ts"

type Ending = Price.Outcome | "defect"

/** One call of a random program. Durations are counted in turns of the scheduler. */
interface Call {
  readonly price: number
  readonly ending: Ending
  readonly turnsBeforeSend: number
  readonly turnsAfterSend: number
  /** Which allowances it runs in. */
  readonly allowance: "none" | "outer" | "inner" | "other inside outer"
  readonly startsAfter: number
  readonly interruptedAfter: number | undefined
  readonly priority: Priority
}

interface Program {
  readonly calls: ReadonlyArray<Call>
  readonly daily: number
  readonly options: CreditBudget.Options
  readonly outer: number | undefined
  readonly inner: number | undefined
  readonly other: number | undefined
  /** Turns that each operation of the ledger takes, as in a store outside this process. */
  readonly ledgerTurns: number
}

const turns = fc.nat({ max: 4 })
const limit = fc.option(fc.integer({ min: 0, max: 1_500 }), { nil: undefined })

const call: fc.Arbitrary<Call> = fc.record({
  price: fc.constantFrom(0, 3, 80, 255),
  ending: fc.constantFrom<Ending>(
    "ok",
    "rpc-error",
    "malformed",
    "timeout",
    "payment-required",
    "too-many-requests",
    "client-error",
    "server-error",
    "unsent",
    "defect",
  ),
  turnsBeforeSend: turns,
  turnsAfterSend: turns,
  allowance: fc.constantFrom("none", "outer", "inner", "other inside outer"),
  startsAfter: turns,
  interruptedAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  priority: fc.constantFrom<Priority>("interactive", "background"),
})

const options: fc.Arbitrary<CreditBudget.Options> = fc.record(
  {
    perSecond: fc.constantFrom(80, 255, 600),
    reserveForInteractive: fc.constantFrom(0, 0.1, 0.6),
    onExhausted: fc.constantFrom("fail", "wait"),
  },
  { requiredKeys: [] },
)

const program: fc.Arbitrary<Program> = fc.record({
  calls: fc.array(call, { maxLength: 12 }),
  daily: fc.integer({ min: 0, max: 2_500 }),
  options,
  outer: limit,
  inner: limit,
  other: limit,
  ledgerTurns: fc.nat({ max: 2 }),
})

/** A ledger whose operations take their time, and which tells what was settled. */
const slowLedger = (
  options: { readonly daily: number },
  count: number,
  onSettle: (charged: number) => void,
): Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> =>
  Layer.effect(
    CreditLedger.CreditLedger,
    Effect.map(CreditLedger.CreditLedger, (ledger) =>
      CreditLedger.CreditLedger.of({
        reserve: (credits, keepShare) => Effect.andThen(pass(count), ledger.reserve(credits, keepShare)),
        settle: (reservation, charged, charge) =>
          Effect.andThen(pass(count), ledger.settle(reservation, charged, charge)).pipe(
            Effect.tap(() => Effect.sync(() => onSettle(charged))),
          ),
        release: (reservation) => Effect.andThen(pass(count), ledger.release(reservation)),
        balance: ledger.balance,
      }),
    ),
  ).pipe(Layer.provide(CreditLedger.layerMemory(options)))

/** The allowances a call is paid from, and how it enters them. */
interface Setting {
  readonly allowances: ReadonlyArray<CreditBudget.Allowance>
  readonly enter: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const allowanceOf = (name: string, limit: number | undefined, parent?: CreditBudget.Allowance) =>
  CreditBudget.makeAllowance({
    name,
    limit,
    parent,
  })

/** Runs a program and checks the limits at each moment at which something happens. */
const execute = (program: Program) => {
  const outer = allowanceOf("outer", program.outer)
  const inner = allowanceOf("inner", program.inner, outer)
  const other = allowanceOf("other", program.other)
  const settings: Readonly<Record<Call["allowance"], Setting>> = {
    none: { allowances: [], enter: (effect) => effect },
    outer: { allowances: [outer], enter: CreditBudget.withAllowance(outer) },
    inner: { allowances: [inner, outer], enter: CreditBudget.withAllowance(inner) },
    "other inside outer": {
      allowances: [other, outer],
      enter: (effect) => effect.pipe(CreditBudget.withAllowance(other), CreditBudget.withAllowance(outer)),
    },
  }
  const chargedByServer = program.calls.map(() => 0)
  const sent = program.calls.map(() => false)
  const overdrafts: Array<string> = []
  let settled = 0

  return Effect.gen(function* () {
    const ledger = yield* CreditLedger.CreditLedger
    const watch = Effect.map(Effect.orDie(ledger.balance), ({ spent, reserved }) => {
      if (spent + reserved > program.daily) overdrafts.push("daily")
      for (const allowance of [outer, inner, other])
        if (allowance.spent + allowance.reserved > (allowance.limit ?? Infinity)) overdrafts.push(allowance.name)
    })

    /** The server as it is: it charges whatever reached it, even if nobody waits for the reply any more. */
    const server = (index: number, call: Call) => {
      const charge = (outcome: Price.Outcome) => {
        chargedByServer[index] = Price.chargeFor(Price.defaultSettlePolicy, call.price, outcome)
      }
      return (onSend: () => void) =>
        Effect.gen(function* () {
          yield* watch
          yield* pass(call.turnsBeforeSend)
          onSend()
          sent[index] = true
          charge("timeout")
          yield* pass(call.turnsAfterSend)
          yield* watch
          if (call.ending === "defect") return yield* Effect.die("a mistake")
          charge(call.ending)
          if (call.ending === "ok") return { result: "0x1" }
          return yield* Effect.fail(errorOf(new RpcReason.Rejected({ said: "no" }), call.ending))
        })
    }

    const all = yield* Effect.all(
      program.calls.map((call, index) => {
        const attempt = request({ method: method({ price: Price.published(call.price) }), params: [String(index)] })
        const paid = Effect.provideService(settings[call.allowance].enter(send(attempt)), Priority, call.priority)
        return during(call, paid)
      }),
      { concurrency: "unbounded" },
    ).pipe(
      Effect.provide(
        CreditBudget.layer(program.options).pipe(
          Layer.provide(
            Layer.succeed(Transport, {
              send: ({ params, onSend }) => {
                const index = Number(Array.isArray(params) ? params[0] : Number.NaN)
                const call = program.calls[index]
                return call === undefined ? Effect.die("unknown call") : server(index, call)(() => onSend?.())
              },
            }),
          ),
          Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
        ),
      ),
      Effect.forkChild,
    )
    // Twelve calls that wait for nothing but credits are through after as many days.
    for (let halfDay = 0; halfDay < 26; halfDay++) {
      yield* pass(60)
      yield* TestClock.adjust("12 hours")
    }
    const stuck = all.pollUnsafe() === undefined
    const exits = stuck ? [] : yield* Fiber.join(all)

    const balance = yield* ledger.balance
    const meters = [outer, inner, other].map((allowance) => {
      const own = program.calls.flatMap((call, index) =>
        settings[call.allowance].allowances.includes(allowance) ? [index] : [],
      )
      return {
        name: allowance.name,
        measured: { spent: allowance.spent, reserved: allowance.reserved, calls: allowance.calls },
        expected: {
          spent: own.reduce((sum, index) => sum + (chargedByServer[index] ?? 0), 0),
          reserved: 0,
          calls: own.filter((index) => sent[index] === true).length,
        },
      }
    })
    return { balance, chargedByServer, exits, meters, overdrafts, sent, settled, stuck }
  }).pipe(
    Effect.provide(slowLedger({ daily: program.daily }, program.ledgerTurns, (charged) => (settled += charged))),
    Effect.provide(TestClock.layer()),
  )
}

it("no credit is lost, found or spent twice, whatever ends a call and whenever it is interrupted", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (program) => {
      const { balance, chargedByServer, exits, meters, overdrafts, sent, settled, stuck } = await Effect.runPromise(
        execute(program),
      )
      expect(overdrafts).toEqual([])
      expect(stuck).toBe(false)
      expect(settled).toBe(chargedByServer.reduce((sum, charged) => sum + charged, 0))
      expect(balance.reserved).toBe(0)
      for (const { name, measured, expected } of meters) expect({ name, ...measured }).toEqual({ name, ...expected })
      const refused = exits.map((exit) => {
        const error = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined
        const tag = error?._tag === "Some" ? error.value.reason._tag : undefined
        return tag === "BudgetRefused" || tag === "DailyLimitReached"
      })
      expect(refused.filter((isRefused, index) => isRefused && sent[index] === true)).toEqual([])
    }),
    { numRuns: runs(400) },
  )
})

const anyRule: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom("price", "5", undefined, null),
  fc.integer({ min: -500, max: 500 }),
  fc.double(),
)

const anySurcharge = fc.oneof(fc.constant(undefined), fc.integer({ min: -500, max: 500 }), fc.double())

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER

/** Sends one call with a policy and a surcharge that types would not let through. */
const chargeOnce = (rule: unknown, surcharge: number | undefined) =>
  Effect.gen(function* () {
    const meter = CreditBudget.makeAllowance({ name: "meter" })
    const settle = { ...Price.defaultSettlePolicy }
    Reflect.set(settle, "ok", rule)
    yield* CreditBudget.withAllowance(meter)(send(request({ method: { ...method(), settle } })))
    const { reserved, spent } = yield* (yield* CreditLedger.CreditLedger).balance
    return { spent, reserved, meter: meter.spent }
  }).pipe(
    Effect.provide(CreditBudget.layer()),
    Effect.provide(
      Layer.succeed(Transport, {
        surchargeOf: () => Price.assumed(20),
        send: ({ onSend }) =>
          Effect.sync(() => {
            onSend?.(surcharge)
            return { result: "0x1" }
          }),
      }),
    ),
    Effect.provide(CreditLedger.layerMemory({ daily: Infinity })),
  )

it("a charge or a surcharge that is not a number of credits counts as all that was reserved", async () => {
  await fc.assert(
    fc.asyncProperty(anyRule, anySurcharge, async (rule, surcharge = 0) => {
      const charge = isAmount(rule) ? Math.min(rule, 80) : 80
      const expected = isAmount(surcharge) ? charge + surcharge : 100
      const spent = isAmount(expected) ? expected : 100
      expect(await Effect.runPromise(chargeOnce(rule, surcharge))).toEqual({ spent, reserved: 0, meter: spent })
    }),
    { numRuns: runs(1_000) },
  )
})
