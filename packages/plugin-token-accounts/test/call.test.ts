import { assert, it } from "@effect/vitest"
import { type Json, RpcClient } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { TokenAccounts } from "../src/index.ts"

const delegate = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
const mint = "3wyAj7Rt1TWVPZVteFJPLa26JmLvdb1CAKEFZm3NY75E"

/** A client that answers with an empty list and notes what it was asked. */
const recording = (calls: Array<readonly [method: string, params: unknown]>) =>
  Layer.succeed(RpcClient, {
    call: <Params, Result>(method: { readonly name: string }, params: Params) =>
      Effect.sync(() => {
        calls.push([method.name, params])
        return { context: { slot: 1 }, value: [] } as Result
      }),
    estimate: () => Effect.die("not asked"),
    networkOf: () => Effect.die("not asked"),
    prepare: (_method: unknown, params: Json.Json) => Effect.succeed({ params }),
  })

const calls: Array<readonly [string, unknown]> = []

it.effect("the typed call needs a client alone and sends positions", () =>
  Effect.gen(function* () {
    const list = yield* TokenAccounts.getTokenAccountsByDelegate(delegate, { mint })
    yield* TokenAccounts.getTokenAccountsByDelegate(delegate, { programId: mint }, { commitment: "confirmed" })
    assert.deepStrictEqual(list.value, [])
    assert.deepStrictEqual(calls, [
      ["getTokenAccountsByDelegate", [delegate, { mint }]],
      ["getTokenAccountsByDelegate", [delegate, { programId: mint }, { commitment: "confirmed" }]],
    ])
  }).pipe(Effect.provide(recording(calls))),
)
