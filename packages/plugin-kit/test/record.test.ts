import { createServer, type Server } from "node:http"
import { Json, defineNetwork } from "@dotrpc/spec"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { type Golden, printGolden, record, type RecordedCall, type RecordError } from "../src/index.ts"
import { counter } from "./counter.ts"

const key = "5ecre7-0f-the-node"
const network = defineNetwork({ id: "paid", plugin: "counter", url: `https://node.example/v3/${key}` })
const call: RecordedCall = { method: "counter_list", params: ["ann"], comment: "All of Ann's." }

/** A node that answers with whatever `answer` makes of the number of the call, and notes when it was asked. */
const node = (answer: (count: number) => string) => {
  const asked: Array<{ readonly body: string; readonly at: number }> = []
  const post = (body: string) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      asked.push({ body, at })
      return answer(asked.length)
    })
  return { asked, post }
}
const reply = (result: string) => (count: number) => `{"jsonrpc":"2.0","id":${count},"result":${result}}`

const recordAll = (calls: ReadonlyArray<RecordedCall>, post: ReturnType<typeof node>["post"], maxCalls?: number) =>
  Effect.gen(function* () {
    const options = { plugin: counter, network, calls, post, maxCalls }
    const fiber = yield* Effect.forkChild(Effect.result(record(options)))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

const saidBy = (outcome: Result.Result<Golden, RecordError>): string | undefined =>
  Result.isFailure(outcome) ? outcome.failure.message : undefined

describe("record", () => {
  it.effect("writes what was asked and answered, digit for digit", () =>
    Effect.gen(function* () {
      const { post } = node(reply('[{"name":"a","value":18446744073709551615}]'))
      const golden = yield* record({ plugin: counter, network, calls: [call], post })
      assert.strictEqual(
        printGolden(golden),
        [
          "// network: paid",
          "",
          "// All of Ann's.",
          '>> {"jsonrpc":"2.0","id":1,"method":"counter_list","params":["ann"]}',
          '<< {"jsonrpc":"2.0","id":1,"result":[{"name":"a","value":18446744073709551615}]}',
          "",
        ].join("\n"),
      )
    }),
  )

  it.effect("waits two seconds between calls", () =>
    Effect.gen(function* () {
      const { asked, post } = node(reply("[]"))
      yield* recordAll([call, call, call], post)
      assert.deepStrictEqual(
        asked.map(({ at }) => at),
        [0, 2_000, 4_000],
      )
    }),
  )

  it.effect("sends nothing when there are more calls than allowed", () =>
    Effect.gen(function* () {
      const { asked, post } = node(reply("[]"))
      const outcome = yield* recordAll([call, call, call], post, 2)
      assert.strictEqual(saidBy(outcome), "3 calls are more than the 2 allowed: nothing was sent")
      assert.deepStrictEqual(asked, [])
    }),
  )

  it.effect("allows ten calls, and sends nothing for eleven", () =>
    Effect.gen(function* () {
      const { asked, post } = node(reply("[]"))
      const outcome = yield* recordAll(
        Array.from({ length: 11 }, () => call),
        post,
      )
      assert.strictEqual(saidBy(outcome), "11 calls are more than the 10 allowed: nothing was sent")
      yield* recordAll(
        Array.from({ length: 10 }, () => call),
        post,
      )
      assert.strictEqual(asked.length, 10)
    }),
  )

  it.effect("sends nothing when the plugin would refuse one of the calls", () =>
    Effect.gen(function* () {
      const { asked, post } = node(reply("[]"))
      const outcome = yield* recordAll([call, { method: "counter_list", params: [5] }], post)
      assert.strictEqual(saidBy(outcome), "call 2, counter_list: expected a string, found 5")
      assert.deepStrictEqual(asked, [])
    }),
  )

  it.effect("keeps the address and its key out, wherever a node repeats them", () =>
    Effect.gen(function* () {
      const { post } = node(
        () =>
          `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"${key} at https://node.example/v3/${key}","data":{"${key}":["x${key}x"]}}}`,
      )
      const golden = yield* record({ plugin: counter, network, calls: [{ ...call, comment: `with ${key}` }], post })
      const text = printGolden(golden)
      assert.notInclude(text, key)
      assert.notInclude(text, "node.example/v3")
      assert.include(Json.stringify(golden.exchanges[0]?.reply ?? null), '"message":"••• at •••"')
    }),
  )

  it.live("records nothing of a reply that does not end", () =>
    Effect.gen(function* () {
      const url = yield* endless
      const error = yield* Effect.flip(
        record({ plugin: counter, network: defineNetwork({ id: "paid", plugin: "counter", url }), calls: [call] }),
      )
      assert.strictEqual(error.message, "a reply is longer than 16 MiB: ask for less; it was not recorded")
    }).pipe(Effect.scoped),
  )

  it.effect("records nothing when a secret hides in a number", () =>
    Effect.gen(function* () {
      const numeric = defineNetwork({ id: "paid", plugin: "counter", url: "https://node.example/v3/1234567890" })
      const { post } = node(reply('[{"name":"a","value":91234567890}]'))
      const error = yield* Effect.flip(record({ plugin: counter, network: numeric, calls: [call], post }))
      assert.match(error.message, /a number in the exchange contains a secret/)
    }),
  )

  it.effect("says which reply is not JSON, without quoting it", () =>
    Effect.gen(function* () {
      const { post } = node(() => `<html>${key}</html>`)
      const error = yield* Effect.flip(record({ plugin: counter, network, calls: [call], post }))
      assert.strictEqual(error.message, "the reply to call 1 is not JSON")
    }),
  )

  it.effect("does not name the address that did not answer", () =>
    Effect.gen(function* () {
      const closed = defineNetwork({ id: "paid", plugin: "counter", url: `http://127.0.0.1:9/v3/${key}` })
      const error = yield* Effect.flip(record({ plugin: counter, network: closed, calls: [call] }))
      assert.strictEqual(error.message, 'the endpoint of network "paid" did not answer')
    }),
  )
})

/** The address of a server whose reply goes on as long as somebody reads. */
const endless = Effect.map(
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((_, response) => {
        const pour = () => {
          while (!response.destroyed) if (!response.write("x".repeat(65_536))) return void response.once("drain", pour)
        }
        pour()
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      }),
  ),
  (server) => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  },
)
