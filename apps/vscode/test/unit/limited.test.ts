/** One count of credits under several limits. */
import { CreditLedger } from "@dotrpc/core"
import { Context, Effect, Layer } from "effect"
import { expect, test } from "vitest"

import { AllowedOnce, limited } from "../../src/credits/limited.ts"

const counted = CreditLedger.layerMemory({ daily: Number.POSITIVE_INFINITY })
const charge = { method: "eth_getLogs", network: "evm" }

/** Two projects of one window. */
const check = (
  use: (
    small: CreditLedger.CreditLedger["Service"],
    large: CreditLedger.CreditLedger["Service"],
  ) => Effect.Effect<void, unknown>,
) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const memoMap = Layer.makeMemoMapUnsafe()
        const scope = yield* Effect.scope
        const build = (daily: number) =>
          Effect.map(Layer.buildWithMemoMap(limited(daily).pipe(Layer.provide(counted)), memoMap, scope), (context) =>
            Context.get(context, CreditLedger.CreditLedger),
          )
        yield* use(yield* build(100), yield* build(1_000))
      }),
    ),
  )

test("what one project spends counts for the other", () =>
  check((small, large) =>
    Effect.gen(function* () {
      const reservation = yield* large.reserve(60)
      yield* large.settle(reservation, 60, charge)
      const balance = yield* small.balance
      expect(balance).toMatchObject({ daily: 100, spent: 60, remaining: 40, byMethod: { eth_getLogs: 60 } })
    }),
  ))

test("a reservation past the project's own limit is refused and leaves nothing behind", () =>
  check((small, large) =>
    Effect.gen(function* () {
      yield* large.reserve(60)
      const full = yield* Effect.flip(small.reserve(41))
      expect(full).toMatchObject({ needed: 41, remaining: 40, daily: 100 })
      yield* small.reserve(40)
      const balance = yield* large.balance
      expect(balance).toMatchObject({ reserved: 100, remaining: 900 })
    }),
  ))

test("what is kept for others is not touched", () =>
  check((small) =>
    Effect.gen(function* () {
      yield* small.reserve(50, 0.5)
      const full = yield* Effect.flip(small.reserve(1, 0.5))
      expect(full).toMatchObject({ needed: 1, remaining: 50, kept: 50 })
    }),
  ))

test("a run that the person allowed once goes above the limit by that much and no more", () =>
  check((small) =>
    Effect.gen(function* () {
      yield* small.reserve(100)
      yield* Effect.flip(small.reserve(1))
      yield* small.reserve(20).pipe(Effect.provideService(AllowedOnce, 20))
      yield* Effect.flip(small.reserve(1).pipe(Effect.provideService(AllowedOnce, 20)))
    }),
  ))
