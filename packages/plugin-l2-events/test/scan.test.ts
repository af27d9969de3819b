import { assert, describe, it } from "@effect/vitest"
import { defineNetwork, type Json, ResultNotes, RpcClient, RpcError, RpcReason } from "@dotrpc/spec"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { L2Events } from "../src/index.ts"

const event = (block: number): L2Events.EmittedEvent => ({
  block_number: block,
  data: [],
  from_address: "0x4",
  keys: ["0x9"],
  transaction_hash: "0x5",
})

const filter: L2Events.EventFilter = {
  from_block: { block_number: 0 },
  to_block: { block_number: 9 },
  keys: [["0x9"]],
  chunk_size: 2,
}

type Answer = Effect.Effect<L2Events.EventPage, RpcError>

const failed = (reason: RpcReason.Reason) =>
  new RpcError({ method: "l2_getEvents", network: "l2", reason, outcome: "rpc-error" })

/** A client that gives the answers in turn and notes the tokens it was asked with. */
const scripted = (answers: ReadonlyArray<Answer>, asked: Array<string | undefined>) =>
  Layer.succeed(RpcClient, {
    call: <Params, Result>(_method: unknown, params: Params) => {
      const sent = params as { readonly filter: L2Events.EventFilter }
      asked.push(sent.filter.continuation_token)
      assert.deepStrictEqual({ ...sent.filter, continuation_token: "" }, { ...filter, continuation_token: "" })
      const answer = answers[asked.length - 1] ?? Effect.die("asked for a page after the last")
      return answer as Effect.Effect<Result, RpcError>
    },
    estimate: () => Effect.die("not asked"),
    networkOf: () => Effect.succeed(defineNetwork({ id: "l2", plugin: "l2-events" })),
    prepare: (_method: unknown, params: Json.Json) => Effect.succeed({ params }),
  })

/** The blocks of the events a scan emits, the tokens it asked with, and how it ended. */
const scan = Effect.fn(function* (answers: ReadonlyArray<Answer>, take = 100, note?: (words: string) => void) {
  const blocks: Array<number> = []
  const asked: Array<string | undefined> = []
  const ended = yield* L2Events.scanEvents(filter).pipe(
    Stream.take(take),
    Stream.runForEach((each) => Effect.sync(() => blocks.push(Number(each.block_number)))),
    Effect.as("done"),
    Effect.catch((error) => Effect.succeed(error.reason._tag)),
    Effect.provide(scripted(answers, asked)),
    Effect.provideService(ResultNotes, note),
  )
  return { blocks, asked, ended }
})

const page = (blocks: ReadonlyArray<number>, token?: string): Answer =>
  Effect.succeed({ events: blocks.map(event), ...(token === undefined ? {} : { continuation_token: token }) })

const check = (
  sentence: string,
  answers: ReadonlyArray<Answer>,
  expected: {
    readonly blocks: ReadonlyArray<number>
    readonly asked: ReadonlyArray<string | undefined>
    readonly ended: string
  },
) =>
  it.effect(`a scan ${sentence}`, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* scan(answers), expected)
    }),
  )

describe("a scan follows tokens alone", () => {
  check("of one page asks once", [page([1, 2])], { blocks: [1, 2], asked: [undefined], ended: "done" })
  check("of nothing asks once", [page([])], { blocks: [], asked: [undefined], ended: "done" })
  check("goes on after a short page", [page([1], "a"), page([2, 3])], {
    blocks: [1, 2, 3],
    asked: [undefined, "a"],
    ended: "done",
  })
  check("goes on after empty pages with a token", [page([], "a"), page([], "b"), page([4], "c"), page([])], {
    blocks: [4],
    asked: [undefined, "a", "b", "c"],
    ended: "done",
  })
  check("takes a token of null for none", [Effect.succeed({ events: [event(1)], continuation_token: null })], {
    blocks: [1],
    asked: [undefined],
    ended: "done",
  })
  check("takes an empty token for none", [page([1], "a"), page([2], "")], {
    blocks: [1, 2],
    asked: [undefined, "a"],
    ended: "done",
  })
})

describe("a scan that goes wrong keeps what came before", () => {
  check(
    "fails with the error of its page",
    [page([1, 2], "a"), Effect.fail(failed(new RpcReason.NotFound({ said: "Block not found", rpcCode: 24 })))],
    { blocks: [1, 2], asked: [undefined, "a"], ended: "NotFound" },
  )
  check("fails when a page names its own token", [page([1], "a"), page([2], "a")], {
    blocks: [1, 2],
    asked: [undefined, "a"],
    ended: "Malformed",
  })
  check("fails when pages go round", [page([1], "a"), page([2], "b"), page([1], "a")], {
    blocks: [1, 2],
    asked: [undefined, "a", "b"],
    ended: "Malformed",
  })
})

describe("a scan whose notes somebody takes ends with what was read", () => {
  const noted = (sentence: string, answers: ReadonlyArray<Answer>, blocks: ReadonlyArray<number>, said: RegExp) =>
    it.effect(sentence, () =>
      Effect.gen(function* () {
        const notes: Array<string> = []
        const found = yield* scan(answers, undefined, (words) => notes.push(words))
        assert.deepStrictEqual([found.blocks, found.ended, found.asked.length], [blocks, "done", answers.length])
        assert.strictEqual(notes.length, 1)
        assert.match(notes[0] ?? "", said)
      }),
    )
  noted("where a page names its own token", [page([1], "a"), page([2], "a")], [1, 2], /^the server named a page again/)
  noted(
    "where pages go round",
    [page([1], "a"), page([2], "b"), page([1], "a")],
    [1, 2],
    /^the server named a page again/,
  )
  noted("where a token is empty", [page([1], "a"), page([2], "")], [1, 2], /^the server sent an empty token/)
})

describe("a scan sends no more than it is pulled for", () => {
  it.effect("when enough was taken", () =>
    Effect.gen(function* () {
      const { blocks, asked } = yield* scan([page([1, 2], "a"), page([3, 4], "b")], 2)
      assert.deepStrictEqual({ blocks, asked }, { blocks: [1, 2], asked: [undefined] })
    }),
  )
  it.effect("when it is interrupted, which interrupts the call in flight", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const hanging: Answer = Deferred.succeed(started, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
      )
      const fiber = yield* Effect.forkChild(scan([page([1], "a"), hanging]))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(interrupted))
    }),
  )
})

it.effect("the typed call gives one page as received", () =>
  Effect.gen(function* () {
    const asked: Array<string | undefined> = []
    const first = yield* L2Events.getEvents(filter).pipe(Effect.provide(scripted([page([1], "a")], asked)))
    assert.deepStrictEqual(first, { events: [event(1)], continuation_token: "a" })
  }),
)
