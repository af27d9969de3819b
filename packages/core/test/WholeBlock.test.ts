import { describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { type Network, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { CallObserver, CreditBudget, CreditLedger, MulticallUse, Retry, SeenBlocks, WholeBlock } from "../src/index.ts"
import { type Answer, fail, network, scripted, send } from "./scripted.ts"
import { answered, listOf, one, valueOf, whole, wordsOfRequest } from "./wholeBlocks.ts"

const metered = (transport: ReturnType<typeof scripted>, options: WholeBlock.Options = {}) =>
  Effect.provide(
    WholeBlock.layer(options).pipe(
      Layer.provide(Retry.layer({ times: 0 })),
      Layer.provide(CreditBudget.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily: 10_000 })),
      Layer.provide(transport.layer),
    ),
  )

const offering: Network = { ...network, methods: { [whole.name]: true } }
const without: Network = { ...network, methods: { [whole.name]: false } }
const on = (where: Network, ...requests: ReadonlyArray<RpcRequest>) =>
  requests.map((each) => ({ ...each, network: where }))
const items = (...names: ReadonlyArray<string>) => names.map((name) => one(name))

const atOnce = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.gen(function* () {
    const fibers = yield* Effect.forEach(effects, (effect) => Effect.forkChild(effect))
    yield* TestClock.adjust("1 minute")
    return yield* Effect.forEach(fibers, Fiber.await)
  })

const endOf = (exit: Exit.Exit<Result.Result<{ readonly result: unknown }, { readonly reason: { _tag: string } }>>) =>
  Exit.isFailure(exit)
    ? "died"
    : Result.isSuccess(exit.value)
      ? exit.value.success.result
      : exit.value.failure.reason._tag

interface Expected {
  /** What each moment sends, in the order of its texts. */
  readonly sent: ReadonlyArray<ReadonlyArray<string>>
  /** How the calls of the last moment end; as calls of their own, when absent. */
  readonly ends?: ReadonlyArray<unknown>
  readonly spent: number
}

/** Moments follow each other; the calls of one are made at once. */
const check = (
  name: string,
  moments: ReadonlyArray<ReadonlyArray<RpcRequest>>,
  expected: Expected,
  options: WholeBlock.Options = {},
  answers: readonly [Answer, ...ReadonlyArray<Answer>] = [answered],
) =>
  it.effect(name, () => {
    const transport = scripted(...answers)
    return Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      let ends: ReadonlyArray<unknown> = []
      for (const calls of moments) {
        const before = transport.sent.length
        ends = (yield* atOnce(calls.map((call) => Effect.result(send(call))))).map(endOf)
        sent.push(transport.sent.slice(before).map(wordsOfRequest).toSorted())
      }
      expect(sent).toEqual(expected.sent)
      expect(ends).toEqual(expected.ends ?? (moments.at(-1) ?? []).map((call) => valueOf(wordsOfRequest(call))))
      expect((yield* CreditLedger.CreditLedger.balance).spent).toBe(expected.spent)
    }).pipe(metered(transport, options))
  })

const list7 = listOf("7", "7a", "7b", "7c", "7d", "7x", "bad")
const list8 = listOf("8", "8a", "8b")

describe("parts of a block", () => {
  check(
    "become one call for the block that an earlier result shows",
    [on(offering, list7), on(offering, ...items("7a", "7b"))],
    {
      sent: [["list 7"], ["whole 7"]],
      spent: 110,
    },
  )
  check("are asked for one by one when no result shows their block", [on(offering, ...items("7a", "7b"))], {
    sent: [["7a", "7b"]],
    spent: 160,
  })
  check(
    "become one call for each block",
    [on(offering, list7, list8), on(offering, ...items("7a", "8a", "7b", "8b", "9a"))],
    {
      sent: [
        ["list 7", "list 8"],
        ["9a", "whole 7", "whole 8"],
      ],
      spent: 300,
    },
  )
  check("are asked for alone when nobody joins", [on(offering, list7), on(offering, one("7a"))], {
    sent: [["list 7"], ["7a"]],
    spent: 90,
  })
  check("stay apart where so few would cost more than the block", [[list7], items("7a", "7b")], {
    sent: [["list 7"], ["7a", "7b"]],
    spent: 170,
  })
  check(
    "become one where nobody knows of the method, once they save more than the attempt costs",
    [[list7], items("7a", "7b", "7c")],
    { sent: [["list 7"], ["whole 7"]], spent: 110 },
  )
  check(
    "stay apart where nobody knows of the method and only known networks are allowed",
    [[list7], items("7a", "7b", "7c")],
    { sent: [["list 7"], ["7a", "7b", "7c"]], spent: 250 },
    { use: "known" },
  )
  check(
    "stay apart where the network does not have the method",
    [on(without, list7), on(without, ...items("7a", "7b", "7c"))],
    {
      sent: [["list 7"], ["7a", "7b", "7c"]],
      spent: 250,
    },
  )
  check(
    "stay apart when they are turned off",
    [on(offering, list7), on(offering, ...items("7a", "7b"))],
    { sent: [["list 7"], ["7a", "7b"]], spent: 170 },
    { use: "off" },
  )
  check(
    "are no more than the options say",
    [on(offering, list7), on(offering, ...items("7a", "7b", "7c"))],
    { sent: [["list 7"], ["7c", "whole 7"]], spent: 190 },
    { calls: 2 },
  )
  check(
    "are not known once more recent items took their place",
    [on(offering, list7), on(offering, list8), on(offering, ...items("7a", "7b")), on(offering, ...items("8a", "8b"))],
    { sent: [["list 7"], ["list 8"], ["7a", "7b"], ["whole 8"]], spent: 280 },
    { items: 2 },
  )
  check(
    "are in the block that was seen last",
    [on(offering, listOf("8", "7a", "7b")), on(offering, list7), on(offering, ...items("7a", "7b"))],
    {
      sent: [["list 8"], ["list 7"], ["whole 7"]],
      spent: 120,
    },
  )
})

const failing = (reason: RpcReason.Reason): Answer => fail(reason, "rpc-error")
const answering =
  (result: RpcRequest["params"]): Answer =>
  (sent) =>
    Effect.sync(() => {
      sent.onSend?.()
      return { result }
    })
const rejected = failing(new RpcReason.Rejected({ said: "no", httpStatus: 200 }))
const noMethod = failing(new RpcReason.Unsupported({ said: "no such method", httpStatus: 200, lacks: "method" }))
const tooLong = fail(new RpcReason.ReplyTooLarge({ said: "too long", limit: 1 }), "malformed")

/** The answers after that to the list. */
const checkWith = (
  name: string,
  answers: ReadonlyArray<Answer>,
  moments: ReadonlyArray<ReadonlyArray<RpcRequest>>,
  expected: Expected,
) =>
  check(name, [on(offering, list7), ...moments.map((each) => on(offering, ...each))], expected, {}, [
    answered,
    ...answers,
    answered,
  ])

describe("what goes wrong", () => {
  check(
    "with one part is asked for alone: no result",
    [on(offering, list7), on(offering, ...items("7a", "7b", "7x"))],
    {
      sent: [["list 7"], ["7x", "whole 7"]],
      spent: 190,
    },
  )
  check(
    "with one part is asked for alone: an error",
    [on(offering, list7), on(offering, ...items("7a", "7b", "bad"))],
    {
      sent: [["list 7"], ["bad", "whole 7"]],
      ends: ["value of 7a", "value of 7b", "Rejected"],
      spent: 190,
    },
  )
  checkWith(
    "with one part is not asked for in the block again",
    [],
    [items("7a", "7b", "7x"), items("7a", "7b", "7x")],
    {
      sent: [["list 7"], ["7x", "whole 7"], ["7x", "whole 7"]],
      spent: 370,
    },
  )
  checkWith(
    "with a part that does not fit the method is asked for alone",
    [answering(["whole", "7", "value of 7a", "value of 7b".padEnd(50)])],
    [items("7a", "7b")],
    { sent: [["list 7"], ["7b", "whole 7"]], spent: 190 },
  )
  checkWith(
    "with the block has each asked for alone: it was replaced",
    [answering(null)],
    [items("7a", "7b"), items("7a", "7b")],
    {
      sent: [["list 7"], ["7a", "7b", "whole 7"], ["7a", "7b"]],
      spent: 430,
    },
  )
  checkWith(
    "with the block has each asked for alone: it is another one",
    [answering(["whole", "8", "value of 7a", "value of 7b"])],
    [items("7a", "7b")],
    { sent: [["list 7"], ["7a", "7b", "whole 7"]], spent: 270 },
  )
  checkWith("with the method is remembered", [noMethod], [items("7a", "7b"), items("7c", "7d")], {
    sent: [["list 7"], ["7a", "7b", "whole 7"], ["7c", "7d"]],
    spent: 430,
  })
  checkWith("with a reply that is too long is remembered", [tooLong], [items("7a", "7b"), items("7c", "7d")], {
    sent: [["list 7"], ["7a", "7b", "whole 7"], ["7c", "7d"]],
    spent: 430,
  })
  checkWith("once is tried again", [rejected], [items("7a", "7b"), items("7c", "7d")], {
    sent: [["list 7"], ["7a", "7b", "whole 7"], ["whole 7"]],
    spent: 370,
  })
  checkWith(
    "twice in a row is not tried again",
    [rejected, answered, answered, rejected],
    [items("7a", "7b"), items("7a", "7b"), items("7a", "7b")],
    { sent: [["list 7"], ["7a", "7b", "whole 7"], ["7a", "7b", "whole 7"], ["7a", "7b"]], spent: 690 },
  )
  checkWith(
    "at the endpoint is the error of each",
    [fail(new RpcReason.RateLimited({ said: "too many", httpStatus: 429 }), "too-many-requests")],
    [items("7a", "7b")],
    { sent: [["list 7"], ["whole 7"]], ends: ["RateLimited", "RateLimited"], spent: 10 },
  )
})

describe("who pays", () => {
  it.effect("is each caller, an equal share in whole credits", () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      yield* Effect.forEach(on(offering, list7), send)
      const callers = ["7a", "7b", "7c"].map((name) => CreditBudget.makeAllowance({ name }))
      const saved: Array<number> = []
      const observer: CallObserver = {
        onAttempt: () => {},
        onWait: () => {},
        onSaved: ({ credits }) => void saved.push(credits),
      }
      yield* atOnce(
        callers.map((caller) =>
          Effect.forEach(on(offering, one(caller.name)), send).pipe(
            CreditBudget.withAllowance(caller),
            Effect.provideService(CallObserver, observer),
          ),
        ),
      )
      expect(callers.map(({ reserved, spent }) => [reserved, spent])).toEqual([
        [0, 34],
        [0, 33],
        [0, 33],
      ])
      expect(saved).toEqual([46, 47, 47])
    }).pipe(metered(transport))
  })

  it.effect("is nobody who cannot pay a share: that caller goes alone and is refused", () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      yield* Effect.forEach(on(offering, list7), send)
      const exits = yield* atOnce(
        on(offering, ...items("7a", "7b", "7c")).map((call, index) =>
          Effect.result(send(call)).pipe(CreditBudget.within({ name: "own", limit: index === 1 ? 5 : 100 })),
        ),
      )
      expect(exits.map(endOf)).toEqual(["value of 7a", "BudgetRefused", "value of 7c"])
      expect(transport.sent.map(wordsOfRequest)).toEqual(["list 7", "whole 7"])
    }).pipe(metered(transport))
  })
})

describe("a call", () => {
  it.effect("may be turned off by itself", () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      yield* Effect.forEach(on(offering, list7), send)
      yield* atOnce(
        on(offering, ...items("7a", "7b", "7c")).map((call, index) =>
          index === 1 ? Effect.provideService(send(call), MulticallUse, "off") : send(call),
        ),
      )
      expect(transport.sent.map(wordsOfRequest).toSorted()).toEqual(["7b", "list 7", "whole 7"])
    }).pipe(metered(transport))
  })

  it.effect("may bring what it has seen", () => {
    const transport = scripted(answered)
    return Effect.gen(function* () {
      const own = SeenBlocks.make()
      own.see(offering, [
        { item: "7a", block: "7" },
        { item: "7b", block: "7" },
      ])
      const both = atOnce(on(offering, ...items("7a", "7b")).map((call) => send(call)))
      yield* Effect.provideService(both, SeenBlocks.Current, own)
      yield* both
      expect(transport.sent.map(wordsOfRequest)).toEqual(["whole 7", "7a", "7b"])
    }).pipe(metered(transport))
  })
})
