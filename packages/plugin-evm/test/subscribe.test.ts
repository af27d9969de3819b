/** Subscriptions that a script without types may name: one that does not exist fails as every call does. */
import { type RpcError, Subscriptions } from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"

const subscribe = Evm.subscribe as (name: unknown, filter?: unknown) => Stream.Stream<unknown, RpcError, Subscriptions>

const none = Subscriptions.of({ events: () => Stream.empty })

describe("a subscription", () => {
  const check = (name: unknown, message: string, advice: string) =>
    it(`${JSON.stringify(name)} is refused`, async () => {
      const events = Effect.provideService(Stream.runDrain(subscribe(name)), Subscriptions, none)
      const error = await Effect.runPromise(Effect.flip(events))
      expect(error).toMatchObject({
        _tag: "RpcError",
        outcome: "unsent",
        reason: { _tag: "InvalidParams", said: message, path: [0] },
      })
      expect(error.advice).toContain(advice)
    })
  const expected = 'params[0]: expected one of "logs", "newHeads", "newPendingTransactions", "syncing", found'
  check("newHead", `${expected} "newHead"`, 'Use "newHeads" instead.')
  check("blocks", `${expected} "blocks"`, "Compare the params")
  check(undefined, `${expected} undefined`, "Compare the params")
  check({}, `${expected} object`, "Compare the params")

  for (const name of ["logs", "newHeads", "newPendingTransactions", "syncing"])
    it(`${name} is opened`, async () => {
      const opened = Effect.provideService(Stream.runCollect(subscribe(name)), Subscriptions, none)
      expect(await Effect.runPromise(opened)).toEqual([])
    })
})
