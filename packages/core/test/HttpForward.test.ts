import { assert, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import { HttpForward } from "../src/index.ts"
import { defineNetwork, type Network, uncheckedMethod } from "@dotrpc/spec"
import { type Call, reply, serve } from "./server.ts"

const text = `{ "id":7,"method":"odd", "params":[1.50] }`

const forwarded = (network: Network): HttpForward.Forwarded => ({
  method: uncheckedMethod("test", "a call"),
  network,
  params: null,
  text,
})

describe("a text that is passed on", () => {
  const packed = ({ response }: Call) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{ "result":1.0 }'))
  const long = `[${'"0123456789", '.repeat(500_000)}1.50]`
  it.live.each<readonly [what: string, answer: (call: Call) => void, status: number, text: string]>([
    ["every digit and blank", reply(200, '{"id":7, "result":1.50}'), 200, '{"id":7, "result":1.50}'],
    ["a page", reply(403, "<h1>no</h1>"), 403, "<h1>no</h1>"],
    ["nothing", reply(204, ""), 204, ""],
    ["a packed reply", packed, 200, '{ "result":1.0 }'],
    ["a reply of seven megabytes", reply(200, long), 200, long],
    ["a reply with the key, which is masked", reply(200, "it is key-3f9c1d27"), 200, "it is •••"],
  ])("gets what the node said: %s", ([, answer, status, expected]) =>
    Effect.gen(function* () {
      const { calls, network } = yield* serve(answer, "key-3f9c1d27")
      const forward = yield* HttpForward.make()
      let left = 0
      const received = yield* forward({ ...forwarded(network), onSend: () => left++ })
      assert.deepStrictEqual([received.status, received.text, left], [status, expected, 1])
      assert.strictEqual(calls[0]?.body, text)
    }),
  )

  it.live.each<readonly [what: string, answer: (call: Call) => void, outcome: string, reason: string]>([
    ["a redirect", reply(302, "", { location: "/" }), "client-error", "Malformed"],
    ["a reply beyond its limit", reply(200, "x".repeat(2_000)), "malformed", "ReplyTooLarge"],
    ["a connection that closes", ({ response }) => response.destroy(), "timeout", "Transport"],
  ])("fails as a call does: %s", ([, answer, outcome, reason]) =>
    Effect.gen(function* () {
      const { network } = yield* serve(answer)
      const forward = yield* HttpForward.make({ maxReplyBytes: 1_000 })
      const error = yield* Effect.flip(forward(forwarded(network)))
      assert.deepStrictEqual([error.outcome, error.reason._tag], [outcome, reason])
    }),
  )

  it.live("has not left where nobody listens", () =>
    Effect.gen(function* () {
      const forward = yield* HttpForward.make()
      const away = defineNetwork({ id: "away", plugin: "test", url: "http://127.0.0.1:1/v3/key" })
      const error = yield* Effect.flip(forward(forwarded(away)))
      assert.strictEqual(error.outcome, "unsent")
    }),
  )
})
