/** Random calls for parts of blocks, with budgets of their own, over a server that ends calls in every way: as calls by themselves, for no more. */
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type Network, Price, RpcReason, Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CreditBudget, CreditLedger, Retry, WholeBlock } from "../src/index.ts"
import { errorOf, network, send } from "./scripted.ts"
import { answered, listOf, one, valueOf, whole } from "./wholeBlocks.ts"

interface Caller {
  readonly item: string
  readonly moment: number
  readonly interruptedAfter: number | undefined
  readonly limit: number | undefined
}

interface Program {
  readonly callers: ReadonlyArray<Caller>
  /** How requests for whole blocks end, in turn. */
  readonly endings: ReadonlyArray<Ending>
  /** Where results show the items of the blocks, true or not. */
  readonly shown: ReadonlyArray<readonly [block: string, items: ReadonlyArray<string>]>
  readonly isKnown: boolean
  /** What a whole block costs. */
  readonly credits: number
  readonly outer: number | undefined
  readonly calls: number
}

type Ending = "answer" | "null" | "nonsense" | "of another" | Exclude<Price.Outcome, "ok">

const item = fc.constantFrom("7a", "7b", "7c", "7d", "8a", "8b", "8x", "7x", "bad")

const limited: fc.Arbitrary<Program> = fc.record({
  callers: fc.array(
    fc.record({
      item,
      moment: fc.nat({ max: 2 }),
      interruptedAfter: fc.option(fc.nat({ max: 10 }), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  endings: fc.array(
    fc.constantFrom<Ending>(
      "answer",
      "answer",
      "null",
      "nonsense",
      "of another",
      "rpc-error",
      "malformed",
      "timeout",
      "payment-required",
      "client-error",
      "server-error",
      "unsent",
    ),
    { maxLength: 5 },
  ),
  shown: fc.oneof(
    fc.constant([["7", ["7a", "7b", "7c", "7d"]] as const, ["8", ["8a", "8b"]] as const]),
    fc.array(fc.tuple(fc.constantFrom("7", "8"), fc.array(item, { maxLength: 6 })), { maxLength: 4 }),
  ),
  isKnown: fc.boolean(),
  credits: fc.integer({ min: 50, max: 400 }),
  outer: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
  calls: fc.integer({ min: 2, max: 5 }),
})

/** Nobody leaves, nobody has a limit, and the endpoint is there: where it is not, that is the error of each. */
const unlimited = limited.map((given): Program => {
  const callers = given.callers.map((caller) => ({ ...caller, interruptedAfter: undefined, limit: undefined }))
  return { ...given, callers, endings: given.endings.filter((ending) => ending !== "unsent"), outer: undefined }
})

const turns = (count: number): Effect.Effect<void> =>
  Effect.forEach(Array.from({ length: count }), () => Effect.yieldNow, { discard: true })

/** A server that counts as the service does. Calls for parts always end as they should. */
const server = ({ endings }: Program) => {
  const seen = { charged: 0, wholes: 0, lostWholes: 0, chargedForWholes: 0 }
  const layer = Layer.succeed(Transport, {
    send: (sent) =>
      Effect.gen(function* () {
        const price = Price.priceOf(sent.method, sent.network).credits
        if (sent.method.name !== whole.name) {
          yield* turns(1)
          seen.charged += price
          return yield* answered(sent)
        }
        const ending = endings[seen.wholes++] ?? "answer"
        if (ending === "unsent") return yield* errorOf(new RpcReason.Transport({ said: "refused" }), "unsent")
        sent.onSend?.()
        const isReply = ending === "answer" || ending === "null" || ending === "nonsense" || ending === "of another"
        const credits = isReply ? price : Price.chargeFor(whole.settle, price, ending)
        seen.charged += credits
        seen.chargedForWholes += credits
        if (ending !== "answer") seen.lostWholes += credits
        yield* turns(1)
        if (ending === "null") return { result: null }
        if (ending === "nonsense") return { result: ["0x"] }
        if (ending === "of another") return { result: ["whole", "9", "value of 7a", "value of 8a"] }
        if (ending === "answer") return yield* answered({ ...sent, onSend: undefined })
        return yield* errorOf(new RpcReason.Rejected({ said: "no", httpStatus: 200 }), ending)
      }),
  })
  return { seen, layer }
}

const run = (given: Program, use: "try" | "off") =>
  Effect.gen(function* () {
    const { layer, seen } = server(given)
    const credits = { [whole.name]: given.credits }
    const where: Network = { ...network, credits, ...(given.isKnown ? { methods: { [whole.name]: true } } : {}) }
    const outer = CreditBudget.makeAllowance({ name: "outer", limit: given.outer })
    const allowances = given.callers.map(({ item, limit }) =>
      CreditBudget.makeAllowance({ name: item, limit, parent: outer }),
    )
    let broken: string | undefined
    const look = () => {
      for (const { limit = Infinity, name, reserved, spent } of [outer, ...allowances])
        if (spent + reserved > limit || reserved < 0)
          broken ??= `${name}: ${spent} spent, ${reserved} reserved of ${limit}`
    }
    const stack = WholeBlock.layer({ use, calls: given.calls }).pipe(
      Layer.provide(Retry.layer({ times: 0 })),
      Layer.provide(CreditBudget.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily: 100_000 })),
      Layer.provide(layer),
    )
    return yield* Effect.gen(function* () {
      for (const [block, items] of given.shown) yield* send({ ...listOf(block, ...items), network: where })
      const listed = seen.charged
      const ends: Array<Exit.Exit<unknown, unknown> | undefined> = []
      for (const moment of [0, 1, 2]) {
        const fibers = yield* Effect.forEach(given.callers, ({ interruptedAfter, item, ...caller }, index) =>
          caller.moment !== moment
            ? Effect.undefined
            : Effect.gen(function* () {
                const call = send({ ...one(item), network: where }).pipe(
                  CreditBudget.withAllowance(allowances[index] ?? outer),
                )
                const fiber = yield* Effect.forkChild(Effect.ensuring(call, Effect.sync(look)))
                if (interruptedAfter !== undefined) {
                  yield* turns(interruptedAfter)
                  yield* Fiber.interrupt(fiber)
                }
                return yield* Fiber.await(fiber)
              }).pipe(Effect.forkChild),
        )
        for (let second = 0; second < 10; second++) yield* TestClock.adjust("1 second")
        for (const [index, fiber] of fibers.entries()) {
          const end = fiber === undefined ? undefined : fiber.pollUnsafe()
          if (fiber !== undefined) ends[index] = end !== undefined && Exit.isSuccess(end) ? end.value : undefined
        }
        look()
      }
      const { reserved, spent } = yield* CreditLedger.CreditLedger.balance
      return { allowances, broken, ends, listed, outer, reserved, seen, spent }
    }).pipe(Effect.provide(stack))
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))

const isTrue = (shown: Program["shown"]): boolean =>
  shown.every(([block, items]) => items.every((item) => item.startsWith(block) && !item.endsWith("x")))

const wordsOfEnd = (exit: Exit.Exit<unknown, unknown> | undefined): unknown =>
  exit === undefined ? "waits" : Exit.isSuccess(exit) ? exit.value : "failed"

it("ends every call as it would end alone, and shares exactly the charge", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(limited, unlimited), async (given) => {
      const { allowances, broken, ends, listed, outer, reserved, seen } = await Effect.runPromise(run(given, "try"))
      expect(broken).toBeUndefined()
      expect(reserved).toBe(0)
      const paid = allowances.reduce((sum, { spent }) => sum + spent, 0)
      expect(outer.spent).toBe(paid)
      expect(paid).toBeGreaterThanOrEqual(seen.charged - listed)
      if (given.callers.every(({ interruptedAfter }) => interruptedAfter === undefined))
        expect(paid).toBe(seen.charged - listed)
      ends.forEach((end, index) => {
        expect(end, `caller ${index} has ended`).toBeDefined()
        const { item = "" } = given.callers[index] ?? {}
        if (end !== undefined && Exit.isSuccess(end)) expect(end.value).toMatchObject({ result: valueOf(item) })
      })
    }),
    { numRuns: runs(200) },
  )
})

it("costs no more than calls by themselves, except for the blocks that failed", async () => {
  await fc.assert(
    fc.asyncProperty(unlimited, async (given) => {
      const { ends, seen } = await Effect.runPromise(run(given, "try"))
      const alone = await Effect.runPromise(run(given, "off"))
      expect(ends.map(wordsOfEnd)).toEqual(alone.ends.map(wordsOfEnd))
      // A block that was asked for because of a wrong result may not have what is asked for.
      const lost = isTrue(given.shown) ? seen.lostWholes : seen.chargedForWholes
      expect(seen.charged).toBeLessThanOrEqual(alone.seen.charged + lost)
    }),
    { numRuns: runs(200) },
  )
})
