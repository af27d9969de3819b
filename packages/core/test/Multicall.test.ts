import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { defineNetwork, RpcReason, type RpcRequest } from "@dotrpc/spec"
import {
  CallObserver,
  CreditBudget,
  CreditLedger,
  Multicall,
  MulticallUse,
  Priority,
  RequestTimeout,
  Retry,
} from "../src/index.ts"
import { answered, keysOf, several, valueOf } from "./multicalls.ts"
import { type Answer, fail, request, scripted, send } from "./scripted.ts"

const call = (key: string, block = "latest", overrides: Partial<RpcRequest> = {}): RpcRequest =>
  request({ method: several, params: [key, block], ...overrides })

const metered = (transport: ReturnType<typeof scripted>, options: Multicall.Options = {}, daily = 10_000) =>
  Effect.provide(
    Multicall.layer(options).pipe(
      Layer.provide(Retry.layer({ times: 0 })),
      Layer.provide(CreditBudget.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily })),
      Layer.provide(transport.layer),
    ),
  )

const together = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.gen(function* () {
    const fibers = yield* Effect.forEach(effects, (effect) => Effect.forkChild(effect))
    yield* TestClock.adjust("1 minute")
    return yield* Effect.forEach(fibers, Fiber.await)
  })

const spentOf = Effect.map(CreditLedger.CreditLedger.balance, ({ spent }) => spent)

/** What each request that was sent asked for. */
const sentBy = ({ sent }: ReturnType<typeof scripted>) => sent.map(({ params }) => keysOf(params).join(" "))

/** Calls that are made at once, and what each request that was sent asked for. */
const checkSent = (
  name: string,
  calls: ReadonlyArray<RpcRequest>,
  sent: ReadonlyArray<string>,
  options: Multicall.Options = {},
  settings: ReadonlyArray<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> = [],
) =>
  it.effect(name, () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      const exits = yield* together(calls.map((one, index) => (settings[index] ?? same)(send(one))))
      expect(sentBy(transport).toSorted()).toEqual(sent.toSorted())
      const values = exits.map((exit) => (Exit.isSuccess(exit) ? exit.value.result : "failed"))
      expect(values).toEqual(calls.map(({ params }) => valueOf(keysOf(params)[0] ?? "")))
      expect(yield* spentOf).toBe(sent.length * 80)
    }).pipe(metered(transport, options))
  })

const same = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => effect

describe("calls of one moment", () => {
  checkSent("become one when they read the same block", [call("a"), call("b"), call("c")], ["a b c"])
  checkSent("stay apart at other blocks", [call("a", "1"), call("b", "2"), call("c", "1")], ["a c", "b"])
  checkSent("are made alone when nobody joins", [call("a")], ["a"])
  checkSent("stay apart where they must", [call("apart"), call("b"), call("c")], ["apart", "b c"])
  checkSent(
    "stay apart where one has another price",
    [
      call("a"),
      call("b", "latest", { network: defineNetwork({ id: "other", plugin: "test", url: "http://127.0.0.1:8" }) }),
    ],
    ["a", "b"],
  )
  checkSent(
    "are no more than the options say",
    ["a", "b", "c", "d", "e"].map((key) => call(key)),
    ["a b", "c d", "e"],
    {
      calls: 2,
    },
  )
  checkSent("are no longer than the options say", [call("aaaa"), call("bbbb"), call("cccc")], ["aaaa bbbb", "cccc"], {
    bytes: 8,
  })
  checkSent("go alone where they are too long by themselves", [call("a"), call("b"), call("long")], ["a b", "long"], {
    bytes: 3,
  })
  checkSent("stay apart when they are turned off", [call("a"), call("b")], ["a", "b"], { use: "off" })
  checkSent(
    "stay apart where the contract is unknown and two calls save too little",
    [call("a", "unknown"), call("b", "unknown")],
    ["a", "b"],
  )
  checkSent(
    "try an unknown contract when three save more than the attempt costs",
    ["a", "b", "c"].map((key) => call(key, "unknown")),
    ["a b c"],
  )
  checkSent(
    "do not try an unknown contract when only known networks are allowed",
    ["a", "b", "c"].map((key) => call(key, "unknown")),
    ["a", "b", "c"],
    { use: "known" },
  )
  checkSent("are made alone for a caller that turns them off", [call("a"), call("b"), call("c")], ["a c", "b"], {}, [
    same,
    Effect.provideService(MulticallUse, "off"),
  ])
  checkSent("go with those of the same settings", [call("a"), call("b"), call("c"), call("d")], ["a d", "b", "c"], {}, [
    same,
    Effect.provideService(Priority, "background"),
    Effect.provideService(RequestTimeout, "5 seconds"),
  ])
})

/** How calls end, and what is sent for them, in what order. */
const checkEnds = (
  name: string,
  answers: readonly [Answer, ...ReadonlyArray<Answer>],
  calls: ReadonlyArray<RpcRequest>,
  expected: { readonly sent: ReadonlyArray<string>; readonly ends: ReadonlyArray<string>; readonly spent: number },
) =>
  it.effect(name, () => {
    const transport = scripted(...answers)
    return Effect.gen(function* () {
      const exits = yield* together(calls.map((one) => Effect.result(send(one))))
      expect(sentBy(transport)).toEqual(expected.sent)
      expect(
        exits.map((exit) =>
          Exit.isFailure(exit)
            ? "died"
            : Result.isSuccess(exit.value)
              ? exit.value.success.result
              : exit.value.failure.reason._tag,
        ),
      ).toEqual(expected.ends)
      expect(yield* spentOf).toBe(expected.spent)
    }).pipe(metered(transport))
  })

const abc = [call("a"), call("b"), call("c")]
const values = ["value of a", "value of b", "value of c"]
const failsWith = (reason: RpcReason.Reason): Answer => fail(reason, "rpc-error")
const answersWith =
  (result: RpcRequest["params"]): Answer =>
  (sent) =>
    Effect.sync(() => {
      sent.onSend?.()
      return { result }
    })

describe("what goes wrong", () => {
  checkEnds("is the error of its caller alone", [answered], [call("a"), call("revert"), call("c")], {
    sent: ["a revert c"],
    ends: ["value of a", "Rejected", "value of c"],
    spent: 80,
  })
  checkEnds("is found by a separate call where the entry does not show it", [answered], [call("a"), call("unclear")], {
    sent: ["a unclear", "unclear"],
    ends: ["value of a", "value of unclear"],
    spent: 160,
  })
  checkEnds(
    "with the whole call has each made alone",
    [failsWith(new RpcReason.Rejected({ said: "out of gas", httpStatus: 200 })), answered],
    abc,
    {
      sent: ["a b c", "a", "b", "c"],
      ends: values,
      spent: 320,
    },
  )
  checkEnds("with its reply has each made alone", [answersWith("0x"), answered], abc, {
    sent: ["a b c", "a", "b", "c"],
    ends: values,
    spent: 320,
  })
  checkEnds("with its length has each made alone", [answersWith(["many", "a", "b"]), answered], abc, {
    sent: ["a b c", "a", "b", "c"],
    ends: values,
    spent: 320,
  })
  checkEnds(
    "for every call is the error of each",
    [failsWith(new RpcReason.NotFound({ said: "unknown block", httpStatus: 200 }))],
    abc,
    { sent: ["a b c"], ends: ["NotFound", "NotFound", "NotFound"], spent: 80 },
  )
  checkEnds(
    "at the endpoint is the error of each",
    [fail(new RpcReason.RateLimited({ said: "too many", httpStatus: 429 }), "too-many-requests")],
    abc,
    { sent: ["a b c"], ends: ["RateLimited", "RateLimited", "RateLimited"], spent: 0 },
  )
  checkEnds("as a defect ends each", [() => Effect.die("a bug")], abc, {
    sent: ["a b c"],
    ends: ["died", "died", "died"],
    spent: 0,
  })
})

const checkRemembered = (
  name: string,
  first: Answer,
  block: string,
  later: ReadonlyArray<readonly [block: string, sent: ReadonlyArray<string>]>,
) =>
  it.effect(name, () => {
    const transport = scripted(first, answered)
    return Effect.gen(function* () {
      yield* together(["a", "b", "c", "d"].map((key) => send(call(key, block))))
      for (const [block, sent] of later) {
        transport.sent.length = 0
        transport.sent.push(call("before"))
        yield* together(["a", "b", "c", "d"].map((key) => send(call(key, block))))
        expect(sentBy(transport).slice(1).toSorted(), block).toEqual(sent)
      }
    }).pipe(metered(transport))
  })

const alone = ["a", "b", "c", "d"]

describe("what is remembered", () => {
  checkRemembered("is that a network has no contract", answersWith("0x"), "latest", [
    ["latest", alone],
    ["100", alone],
    ["hash", alone],
  ])
  checkRemembered("is that it has none up to a block", answersWith("0x"), "100", [
    ["99", alone],
    ["100", alone],
    ["101", ["a b c d"]],
    ["latest", ["a b c d"]],
  ])
  checkRemembered("is that it has none at a hash", answersWith("0x"), "hash", [
    ["hash", alone],
    ["latest", ["a b c d"]],
  ])
  checkRemembered(
    "is how many were too many",
    failsWith(new RpcReason.Rejected({ said: "out of gas", httpStatus: 200 })),
    "latest",
    [["latest", ["a b", "c d"]]],
  )
})

/** What the observers of four calls get, the first time and the second time. */
const checkWhy = (name: string, first: Answer, expected: ReadonlyArray<ReadonlyArray<string>>, block = "latest") =>
  it.effect(name, () =>
    Effect.gen(function* () {
      for (const whys of expected) {
        const got: Array<string> = []
        const observed = (key: string) =>
          Effect.provideService(send(call(key, block)), CallObserver, {
            onAttempt: () => {},
            onWait: () => {},
            onSeparate: ({ calls, why }) => got.push(`${key}: ${calls}, ${why}`),
          })
        yield* together(alone.map(observed))
        expect(got).toEqual(whys)
      }
    }).pipe(metered(scripted(first, answered))),
  )

describe("calls that are made one by one", () => {
  const missing = "the network has no Multicall contract"
  checkWhy("say once that the contract is missing, and then each", answersWith("0x"), [
    [`a: 4, ${missing}`],
    alone.map((key) => `${key}: 1, ${missing}`),
  ])
  checkWhy(
    "say that it may be missing at a block",
    answersWith("0x"),
    [[`a: 4, ${missing}, or not yet at this block`]],
    "100",
  )
  checkWhy(
    "say why the one call failed, and nothing where fewer go together",
    failsWith(new RpcReason.Rejected({ said: "out of gas", httpStatus: 200 })),
    [["a: 4, the one call failed: out of gas"], []],
  )
  checkWhy("say nothing where they go together", answered, [[], []])
})

describe("who pays", () => {
  it.effect("is each caller, an equal share in whole credits", () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      const run = CreditBudget.makeAllowance({ name: "the run" })
      const callers = ["a", "b", "c"].map((name) => CreditBudget.makeAllowance({ name, parent: run }))
      const saved: Array<number> = []
      const observer: CallObserver = {
        onAttempt: () => {},
        onWait: () => {},
        onSaved: ({ calls, credits }) => {
          expect(calls).toBe(3)
          saved.push(credits)
        },
      }
      yield* together(
        callers.map((caller) =>
          send(call(caller.name)).pipe(
            CreditBudget.withAllowance(caller),
            Effect.provideService(CallObserver, observer),
          ),
        ),
      )
      expect(callers.map(({ calls, reserved, spent }) => ({ calls, reserved, spent }))).toEqual([
        { calls: 1, reserved: 0, spent: 27 },
        { calls: 1, reserved: 0, spent: 27 },
        { calls: 1, reserved: 0, spent: 26 },
      ])
      expect(saved).toEqual([53, 53, 54])
      expect(run.spent).toBe(80)
      expect(yield* spentOf).toBe(80)
    }).pipe(metered(transport))
  })

  it.effect("is nobody who cannot pay a share: that caller goes alone and is refused", () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      const exits = yield* together(
        ["a", "b", "c"].map((key) =>
          Effect.result(send(call(key))).pipe(CreditBudget.within({ name: key, limit: key === "b" ? 5 : 100 })),
        ),
      )
      const ends = exits.map((exit) =>
        Exit.isSuccess(exit) && Result.isFailure(exit.value) ? exit.value.failure.reason._tag : "ok",
      )
      expect(ends).toEqual(["ok", "BudgetRefused", "ok"])
      expect(sentBy(transport)).toEqual(["a c"])
    }).pipe(metered(transport))
  })

  it.effect("is a caller that leaves in flight, its share; the others get their results", () => {
    const slow = scripted((sent) =>
      Effect.suspend(() => {
        sent.onSend?.()
        return Effect.delay(answered({ ...sent, onSend: undefined }), "1 second")
      }),
    )
    return Effect.gen(function* () {
      const callers = ["a", "b", "c"].map((name) => CreditBudget.makeAllowance({ name }))
      const fibers = yield* Effect.forEach(callers, (caller) =>
        Effect.forkChild(send(call(caller.name)).pipe(CreditBudget.withAllowance(caller))),
      )
      yield* TestClock.adjust("500 millis")
      const [first] = fibers
      assert.isDefined(first)
      yield* Fiber.interrupt(first)
      expect(callers.map(({ reserved, spent }) => [reserved, spent])).toEqual([
        [0, 27],
        [27, 0],
        [26, 0],
      ])
      yield* TestClock.adjust("1 second")
      const exits = yield* Effect.forEach(fibers.slice(1), Fiber.await)
      expect(exits.map((exit) => Exit.isSuccess(exit) && exit.value.result)).toEqual(["value of b", "value of c"])
      expect(callers.map(({ reserved, spent }) => [reserved, spent])).toEqual([
        [0, 27],
        [0, 27],
        [0, 26],
      ])
      expect(sentBy(slow)).toEqual(["a b c"])
      expect(yield* spentOf).toBe(80)
    }).pipe(metered(slow))
  })

  it.effect("is not a caller that leaves before anything was sent: the call is written again without it", () => {
    const slow = scripted((sent) => Effect.flatMap(Effect.sleep("1 second"), () => answered(sent)))
    return Effect.gen(function* () {
      const callers = ["a", "b", "c"].map((name) => CreditBudget.makeAllowance({ name }))
      const fibers = yield* Effect.forEach(callers, (caller) =>
        Effect.forkChild(send(call(caller.name)).pipe(CreditBudget.withAllowance(caller))),
      )
      yield* TestClock.adjust("500 millis")
      const [first] = fibers
      assert.isDefined(first)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 minute")
      const exits = yield* Effect.forEach(fibers.slice(1), Fiber.await)
      expect(exits.map((exit) => Exit.isSuccess(exit) && exit.value.result)).toEqual(["value of b", "value of c"])
      expect(callers.map(({ calls, reserved, spent }) => [calls, reserved, spent])).toEqual([
        [0, 0, 0],
        [1, 0, 40],
        [1, 0, 40],
      ])
      expect(sentBy(slow)).toEqual(["a b c", "b c"])
      expect(yield* spentOf).toBe(80)
    }).pipe(metered(slow))
  })
})
