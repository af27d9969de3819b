/** Random callers that join and leave, with budgets of their own, over a server that ends calls in every way. */
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { Price, RpcReason, Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CreditBudget, CreditLedger, Multicall, Retry } from "../src/index.ts"
import { during, pass } from "./passing.ts"
import { answered, isMany, keysOf, several, valueOf } from "./multicalls.ts"
import { errorOf, request, send } from "./scripted.ts"

interface Caller {
  readonly key: string
  readonly block: string
  readonly startsAfter: number
  readonly interruptedAfter: number | undefined
  readonly limit: number | undefined
  readonly isInsideOuter: boolean
}

interface Program {
  readonly callers: ReadonlyArray<Caller>
  /** How the requests end, in turn. */
  readonly endings: ReadonlyArray<Ending>
  readonly outer: number | undefined
  readonly daily: number
  readonly perSecond: number | undefined
  readonly onExhausted: "fail" | "wait"
  readonly turnsBeforeSend: number
  readonly turnsAfterSend: number
  readonly calls: number
  readonly retries: number
}

type Ending = "answer" | "nonsense" | Exclude<Price.Outcome, "ok">

const limit = fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined })

const caller: fc.Arbitrary<Caller> = fc.record({
  key: fc.constantFrom("a", "b", "c", "revert", "unclear", "apart"),
  block: fc.constantFrom("latest", "latest", "latest", "unknown", "7"),
  startsAfter: fc.nat({ max: 2 }),
  interruptedAfter: fc.option(fc.nat({ max: 14 }), { nil: undefined }),
  limit,
  isInsideOuter: fc.boolean(),
})

const program: fc.Arbitrary<Program> = fc.record({
  callers: fc.array(caller, { minLength: 1, maxLength: 8 }),
  endings: fc.array(
    fc.constantFrom<Ending>(
      "answer",
      "answer",
      "nonsense",
      "rpc-error",
      "malformed",
      "timeout",
      "payment-required",
      "too-many-requests",
      "client-error",
      "server-error",
      "unsent",
    ),
    { maxLength: 6 },
  ),
  outer: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
  daily: fc.constantFrom(100, 400, 5_000),
  perSecond: fc.constantFrom(undefined, 160),
  onExhausted: fc.constantFrom("fail", "wait"),
  turnsBeforeSend: fc.nat({ max: 3 }),
  turnsAfterSend: fc.nat({ max: 3 }),
  calls: fc.integer({ min: 2, max: 5 }),
  retries: fc.nat({ max: 1 }),
})

/** A server that counts as the service does; each of its requests is of one attempt. */
const server = ({ endings, turnsAfterSend, turnsBeforeSend }: Program) => {
  const seen = { charged: 0, requests: 0 }
  const layer = Layer.succeed(Transport, {
    send: (sent) =>
      Effect.gen(function* () {
        const ending = endings[seen.requests++] ?? "answer"
        yield* pass(turnsBeforeSend)
        if (ending === "unsent") return yield* errorOf(new RpcReason.Transport({ said: "refused" }), "unsent")
        sent.onSend?.()
        const isAnswer = ending === "answer" || ending === "nonsense"
        seen.charged += isAnswer ? 80 : Price.chargeFor(several.settle, 80, ending)
        yield* pass(turnsAfterSend)
        if (ending === "nonsense") return { result: isMany(sent.params) ? "0x" : valueOf(keysOf(sent.params)[0] ?? "") }
        if (ending === "answer") return yield* answered({ ...sent, onSend: undefined })
        return yield* errorOf(new RpcReason.Rejected({ said: "no", httpStatus: 200 }), ending)
      }),
  })
  return { seen, layer }
}

const run = (program: Program) =>
  Effect.gen(function* () {
    const { callers, calls, daily, onExhausted, outer, perSecond, retries } = program
    const { layer, seen } = server(program)
    const whole = CreditBudget.makeAllowance({ name: "outer", limit: outer })
    const allowances = callers.map(({ isInsideOuter, key, limit }) =>
      CreditBudget.makeAllowance({ name: key, limit, parent: isInsideOuter ? whole : undefined }),
    )
    let broken: string | undefined
    const look = () => {
      for (const { limit = Infinity, name, reserved, spent } of [whole, ...allowances])
        if (spent + reserved > limit || reserved < 0)
          broken ??= `${name}: ${spent} spent, ${reserved} reserved of ${limit}`
    }
    const stack = Multicall.layer({ calls }).pipe(
      Layer.provide(Retry.layer({ times: retries })),
      Layer.provide(CreditBudget.layer({ perSecond, onExhausted })),
      Layer.provideMerge(CreditLedger.layerMemory({ daily })),
      Layer.provide(layer),
    )
    return yield* Effect.gen(function* () {
      const fibers = yield* Effect.forEach(callers, ({ block, interruptedAfter, key, startsAfter }, index) => {
        const allowance = allowances[index] ?? whole
        const call = send(request({ method: several, params: [key, block] })).pipe(
          CreditBudget.withAllowance(allowance),
        )
        const stay = { startsAfter, interruptedAfter }
        return Effect.forkChild(during(stay, Effect.ensuring(call, Effect.sync(look))))
      })
      for (let second = 0; second < 30; second++) {
        yield* TestClock.adjust("1 second")
        look()
      }
      // Credits that never come free are waited for without end.
      yield* TestClock.adjust("3 days")
      const ends = yield* Effect.forEach(fibers, (fiber) => Effect.sync(() => fiber.pollUnsafe()))
      for (const fiber of fibers) yield* Fiber.interrupt(fiber)
      look()
      const { reserved, spent } = yield* CreditLedger.CreditLedger.balance
      const paid = allowances.reduce((sum, { spent }) => sum + spent, 0)
      return { allowances, broken, charged: seen.charged, ends, paid, reserved, spent, whole }
    }).pipe(Effect.provide(stack))
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))

it("never counts less than the server, shares exactly the charge, and ends every call as it would end alone", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (given) => {
      const { allowances, broken, charged, ends, paid, reserved, whole } = await Effect.runPromise(run(given))
      expect(broken).toBeUndefined()
      expect(reserved).toBe(0)
      for (const allowance of [whole, ...allowances]) expect(allowance.reserved).toBe(0)
      expect(paid).toBeGreaterThanOrEqual(charged)
      if (given.callers.every(({ interruptedAfter }) => interruptedAfter === undefined)) expect(paid).toBe(charged)
      const insideOuter = allowances.filter((_, index) => given.callers[index]?.isInsideOuter)
      expect(whole.spent).toBe(insideOuter.reduce((sum, { spent }) => sum + spent, 0))
      ends.forEach((end, index) => {
        const exit = end !== undefined && Exit.isSuccess(end) ? end.value : undefined
        if (exit !== undefined && Exit.isSuccess(exit))
          expect(exit.value.result).toBe(valueOf(given.callers[index]?.key ?? ""))
        if (given.onExhausted === "fail") expect(end, `caller ${index} has ended`).toBeDefined()
      })
    }),
    { numRuns: runs(200) },
  )
})
