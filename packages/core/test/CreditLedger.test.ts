import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { CreditLedger } from "../src/index.ts"

const charge = { method: "test_get", network: "local" }
const noon = Date.UTC(2026, 10, 21, 12)
const midnight = Date.UTC(2026, 10, 22)

/** A ledger of 1,000 credits at noon. */
const test = (name: string, body: (ledger: CreditLedger.CreditLedger["Service"]) => Effect.Effect<void, unknown>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      yield* body(yield* CreditLedger.CreditLedger)
    }).pipe(Effect.provide(CreditLedger.layerMemory({ daily: 1_000 }))),
  )

describe("the balance of a day", () => {
  test("starts full and resets at the next midnight in UTC", (ledger) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ledger.balance, {
        daily: 1_000,
        spent: 0,
        reserved: 0,
        remaining: 1_000,
        resetsAt: new Date(midnight),
        byMethod: {},
        byNetwork: {},
      })
    }))

  test("counts a charge by method and by network, and frees what it leaves", (ledger) =>
    Effect.gen(function* () {
      for (const [method, network, charged] of [
        ["a", "one", 80],
        ["a", "two", 5],
        ["b", "two", 255],
      ] as const)
        yield* ledger.settle(yield* ledger.reserve(255), charged, { method, network })
      const balance = yield* ledger.balance
      assert.strictEqual(balance.spent, 340)
      assert.strictEqual(balance.reserved, 0)
      assert.strictEqual(balance.remaining, 660)
      assert.deepStrictEqual(balance.byMethod, { a: 85, b: 255 })
      assert.deepStrictEqual(balance.byNetwork, { one: { a: 80 }, two: { a: 5, b: 255 } })
    }))

  test("counts a charge above its reservation as it was, and never less than nothing remains", (ledger) =>
    Effect.gen(function* () {
      yield* ledger.settle(yield* ledger.reserve(1_000), 1_200, charge)
      const { spent, remaining } = yield* ledger.balance
      assert.deepStrictEqual([spent, remaining], [1_200, 0])
    }))

  test("gives back all of a released reservation", (ledger) =>
    Effect.gen(function* () {
      const reservation = yield* ledger.reserve(600)
      assert.strictEqual((yield* ledger.balance).remaining, 400)
      yield* ledger.release(reservation)
      assert.strictEqual((yield* ledger.balance).remaining, 1_000)
    }))

  test("fails a reservation of more than remains, with what remains, and takes nothing", (ledger) =>
    Effect.gen(function* () {
      yield* ledger.reserve(600)
      const error = yield* Effect.flip(ledger.reserve(401))
      assert.strictEqual(
        error.message,
        "401 credits are needed, and 400 of 1000 are left until 2026-11-22T00:00:00.000Z",
      )
      assert.strictEqual((yield* ledger.balance).reserved, 600)
      yield* ledger.reserve(400)
    }))

  test("never lets concurrent reservations take more than there is", (ledger) =>
    Effect.gen(function* () {
      const taken = yield* Effect.all(
        Array.from({ length: 50 }, () => Effect.exit(ledger.reserve(80))),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(taken.filter(Exit.isSuccess).length, 12)
      assert.strictEqual((yield* ledger.balance).reserved, 960)
    }))
})

describe("midnight in UTC", () => {
  test("empties what was spent, and not one millisecond earlier", (ledger) =>
    Effect.gen(function* () {
      yield* ledger.settle(yield* ledger.reserve(900), 900, charge)
      yield* TestClock.setTime(midnight - 1)
      assert.strictEqual((yield* ledger.balance).remaining, 100)
      yield* TestClock.setTime(midnight)
      const balance = yield* ledger.balance
      assert.strictEqual(balance.remaining, 1_000)
      assert.deepStrictEqual(balance.byMethod, {})
      assert.strictEqual(balance.resetsAt.toISOString(), "2026-11-23T00:00:00.000Z")
    }))

  test("takes open reservations along into the new day", (ledger) =>
    Effect.gen(function* () {
      const reservation = yield* ledger.reserve(900)
      yield* TestClock.setTime(midnight)
      assert.strictEqual((yield* ledger.balance).remaining, 100)
      yield* ledger.settle(reservation, 255, charge)
      const balance = yield* ledger.balance
      assert.deepStrictEqual([balance.spent, balance.reserved, balance.remaining], [255, 0, 745])
    }))

  test("does not come twice when the clock is set back", (ledger) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(midnight)
      yield* ledger.settle(yield* ledger.reserve(900), 900, charge)
      yield* TestClock.setTime(midnight - 1)
      assert.strictEqual((yield* ledger.balance).remaining, 100)
      yield* TestClock.setTime(midnight + 1)
      assert.strictEqual((yield* ledger.balance).remaining, 100)
    }))
})

describe("mistakes of the caller are defects", () => {
  test("a reservation that is settled twice", (ledger) =>
    Effect.gen(function* () {
      const reservation = yield* ledger.reserve(80)
      yield* ledger.settle(reservation, 80, charge)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(ledger.settle(reservation, 80, charge))))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(ledger.release(reservation))))
      assert.strictEqual((yield* ledger.balance).spent, 80)
    }))

  for (const credits of [-1, Number.NaN])
    test(`a reservation of ${credits} credits`, (ledger) =>
      Effect.gen(function* () {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(ledger.reserve(credits))))
        assert.strictEqual((yield* ledger.balance).remaining, 1_000)
      }))

  it("a daily balance that is not a number of credits", () => {
    assert.throws(() => CreditLedger.layerMemory({ daily: Number.NaN }), /daily must be a number of credits/)
    assert.throws(() => CreditLedger.layerMemory({ daily: -1 }), /it is -1/)
  })
})
