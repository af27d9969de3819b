/** A lease over a store that is slow, and away. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { RpcReason } from "@dotrpc/spec"
import { makeLeased, withDefaults } from "../../src/ledger/lease.ts"
import type { LedgerStore } from "../../src/ledger/store.ts"

const gone = new RpcReason.LedgerUnavailable({ why: "the store is away", advice: "Bring it back.", retryable: true })

it.effect("calls that wait in line while the store is found to be away fail with the first of them", () =>
  Effect.gen(function* () {
    let steps = 0
    let isAway = true
    const store: Pick<LedgerStore, "step" | "account"> = {
      step: ({ need }) =>
        Effect.suspend(() => {
          steps++
          return isAway
            ? Effect.andThen(Effect.sleep("5 seconds"), Effect.fail(gone))
            : Effect.succeed({ granted: need, free: 1_000, others: 0, now: 0 })
        }),
      account: () => Effect.fail(gone),
    }
    const ledger = yield* makeLeased(store, withDefaults({ daily: 1_000, ahead: 0 }))
    const calls = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 20 }, () => Effect.flip(ledger.reserve(80))),
        { concurrency: "unbounded" },
      ),
    )
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual([...new Set(yield* Fiber.join(calls))], [gone])
    assert.strictEqual(steps, 1)
    isAway = false
    assert.strictEqual((yield* ledger.reserve(80)).credits, 80)
  }),
)
