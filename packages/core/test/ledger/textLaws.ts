/** The laws of the text that a store keeps: what becomes of it when it is damaged, and of processes that are killed. */
import { assert, describe, it } from "@effect/vitest"
import { isDeep } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { CreditLedger } from "../../src/index.ts"
import { charge, checkAnyProgram, noon } from "./laws.ts"
import * as fc from "fast-check"
import { enter } from "./sharedLaws.ts"
import { kills, spendAndDie, takeFromRate } from "./spending.ts"
import type { Place } from "./stores.ts"

export const textLaws = (name: string, newPlace: () => Place): void => {
  const visit = <A, E>(place: Place, use: (ledger: CreditLedger.CreditLedger["Service"]) => Effect.Effect<A, E>) =>
    Effect.scoped(Effect.flatMap(enter(place.layer({ daily: 1_000 })), use))
  const spend = (place: Place, credits = 255) =>
    visit(place, (ledger) =>
      Effect.flatMap(ledger.reserve(credits), (reservation) => ledger.settle(reservation, credits, charge)),
    )
  const read = (place: Place) => visit(place, ({ balance }) => balance)

  describe(`the text of a ledger ${name}`, () => {
    checkAnyProgram("that damages one character of it makes the ledger refuse until the user says what was spent", {
      program: fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), end: fc.boolean() }),
      run: ({ at, end }) =>
        Effect.gen(function* () {
          const place = newPlace()
          yield* spend(place)
          const text = (yield* place.text).trimEnd()
          const cut = Math.floor(at * text.length)
          const other = text[cut] === "7" ? "8" : "7"
          yield* place.replace(
            end ? text.slice(0, Math.max(1, cut)) : `${text.slice(0, cut)}${other}${text.slice(cut + 1)}`,
          )
          for (const attempt of [Effect.asVoid(read(place)), spend(place)]) {
            const error = yield* Effect.flip(attempt)
            assert.strictEqual(error._tag, "LedgerUnavailable")
            assert.match(error.message, /is damaged|by a newer version/)
          }
          yield* place.setSpent(300)
          const { byMethod, spent } = yield* read(place)
          assert.deepStrictEqual([spent, byMethod], [300, { "set by hand": 300 }])
        }),
    })

    it.effect("says so, and what to do, when it is damaged", () =>
      Effect.gen(function* () {
        const place = newPlace()
        yield* spend(place)
        yield* place.replace("spent: 255\n")
        const error = yield* Effect.flip(spend(place))
        assert.match(error.message, /is damaged or of an earlier version, so nobody knows what was spent/)
        assert.match("advice" in error ? error.advice : "", /dotrpc credits set SPENT/)
      }),
    )

    it.effect("of a newer version is refused", () =>
      Effect.gen(function* () {
        const place = newPlace()
        yield* spend(place)
        yield* place.replace((yield* place.text).replace('{"format":1,', '{"format":2,'))
        assert.match((yield* Effect.flip(read(place))).message, /was written by a newer version of dotrpc/)
      }),
    )

    it.effect("stays small, whatever networks and methods are called, and loses no credits", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const place = newPlace()
        const names = ["a\0b", "a\uD800b", "x".repeat(100_000), `${"x".repeat(100_000)}y`, "", "'; DROP TABLE x; --"]
        yield* visit(place, (ledger) =>
          Effect.forEach(names, (name) =>
            Effect.flatMap(ledger.reserve(10), (one) => ledger.settle(one, 10, { method: name, network: name })),
          ),
        )
        assert.strictEqual((yield* read(place)).spent, 10 * names.length)
        assert.isBelow((yield* place.text).length, 10_000)
      }),
    )

    it.effect("has no calls of a process in flight when the user sets what was spent, and they come on top", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const place = newPlace()
        yield* visit(place, (ledger) =>
          Effect.gen(function* () {
            const open = yield* ledger.reserve(80)
            yield* place.setSpent(500)
            assert.strictEqual((yield* read(place)).remaining, 420)
            yield* ledger.settle(open, 80, charge)
          }),
        )
        assert.deepStrictEqual((yield* read(place)).byMethod, { "set by hand": 500, test_get: 80 })
      }),
    )
  })

  describe(`processes that share a ledger ${name}`, () => {
    it.live("and are killed, early or late, cost at most their leases, and nothing that was spent is forgotten", () =>
      Effect.gen(function* () {
        const place = newPlace()
        const spent = yield* Effect.promise(() => Promise.all(kills.map((count) => spendAndDie(place.address, count))))
        const truth = spent.reduce((sum, one) => sum + one, 0)
        // The leases that they left count whole, whether they have ended or not.
        const { reserved, spent: written } = yield* Effect.scoped(
          Effect.flatMap(enter(place.layer({})), (ledger) => ledger.balance),
        )
        assert.isAtLeast(written + reserved, truth)
        assert.isAtMost(written + reserved - truth, kills.length * 16 * 80)
      }),
    )

    it.live("keep one rate: each waits for what all have taken", () =>
      Effect.gen(function* () {
        const waits = yield* Effect.promise(() => takeFromRate(newPlace().address, 2, 20))
        assert.strictEqual(waits.length, 40)
        // A process alone would wait 19 seconds for its last call.
        assert.isAbove(Math.max(...waits), 25_000)
        assert.isAtMost(Math.max(...waits), 39_000)
      }),
    )

    it.live("never spend more than the balance together, and almost all of it", () =>
      Effect.gen(function* () {
        const place = newPlace()
        const daily = 20_000
        const all = Array.from({ length: isDeep ? 4 : 2 }, () =>
          spendAndDie(place.address, Number.POSITIVE_INFINITY, daily),
        )
        const spent = (yield* Effect.promise(() => Promise.all(all))).reduce((sum, one) => sum + one, 0)
        assert.isAtMost(spent, daily)
        assert.isAtLeast(spent, daily - 1_000)
        const balance = yield* Effect.scoped(Effect.flatMap(enter(place.layer({ daily })), (ledger) => ledger.balance))
        assert.deepStrictEqual([balance.spent, balance.reserved, balance.lost], [spent, 0, 0])
        assert.deepStrictEqual(balance.byMethod, { test_get: spent })
      }),
    )
  })
}
