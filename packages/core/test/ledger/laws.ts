/** The laws of every ledger, wherever it keeps its balance. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, type Layer, type Scope } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import type { Options } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { CreditLedger } from "../../src/index.ts"

export type Ledger = CreditLedger.CreditLedger["Service"]

/** Each call is a place of its own; each layer of it is a ledger that keeps its balance there. */
export type Place = () => (options: {
  readonly daily: number
  readonly window?: CreditLedger.Window | undefined
}) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>

export const charge = { method: "test_get", network: "local" }
export const noon = Date.UTC(2026, 10, 21, 12)
export const midnight = Date.UTC(2026, 10, 22)
export const lateEvening = midnight - 60_000

export const ledgerLaws = (name: string, place: Place): void => {
  /** A ledger of 1,000 credits at noon. */
  const test = (name: string, body: (ledger: Ledger) => Effect.Effect<void, unknown>) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const layer = place()({ daily: 1_000 })
        yield* Effect.provide(Effect.flatMap(CreditLedger.CreditLedger, body), layer)
      }),
    )

  describe(`a ledger ${name}`, () => {
    describe("the balance of a day", () => {
      test("starts full and resets at the next midnight in UTC", (ledger) =>
        Effect.gen(function* () {
          const { uses = [], ...balance } = yield* ledger.balance
          assert.deepStrictEqual(uses, [])
          assert.deepStrictEqual(balance, {
            daily: 1_000,
            spent: 0,
            reserved: 0,
            remaining: 1_000,
            lost: 0,
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

      test("counts methods and networks by any name, such as those that every object has", (ledger) =>
        Effect.gen(function* () {
          const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then", "toJSON"]
          for (const name of names) yield* ledger.settle(yield* ledger.reserve(10), 10, { method: name, network: name })
          const { byMethod, byNetwork, spent } = yield* ledger.balance
          assert.strictEqual(spent, 10 * names.length)
          assert.deepStrictEqual(
            Object.entries(byMethod).toSorted(),
            names.map((name): [string, number] => [name, 10]).toSorted(),
          )
          assert.deepStrictEqual(Object.keys(byNetwork).toSorted(), names.toSorted())
        }))

      test("counts a charge above its reservation as it was, and never less than nothing remains", (ledger) =>
        Effect.gen(function* () {
          yield* ledger.settle(yield* ledger.reserve(1_000), 1_200, charge)
          const { spent, remaining } = yield* ledger.balance
          assert.deepStrictEqual([spent, remaining], [1_200, 0])
          assert.isTrue(Exit.isFailure(yield* Effect.exit(ledger.reserve(1))))
        }))

      test("counts a charge that is not a number of credits as the whole reservation", (ledger) =>
        Effect.gen(function* () {
          for (const charged of [-1, -1e9, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300])
            yield* ledger.settle(yield* ledger.reserve(80), charged, charge)
          const { byMethod, remaining, reserved, spent } = yield* ledger.balance
          assert.deepStrictEqual(
            { byMethod, remaining, reserved, spent },
            { byMethod: { test_get: 480 }, remaining: 520, reserved: 0, spent: 480 },
          )
        }))

      test("returns all of a released reservation", (ledger) =>
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

      test("may keep a share for others, up to the last credit above it", (ledger) =>
        Effect.gen(function* () {
          const keepShare = 0.25
          yield* ledger.reserve(500, keepShare)
          const error = yield* Effect.flip(ledger.reserve(251, keepShare))
          assert.strictEqual(
            error.message,
            "251 credits are needed, and 500 of 1000 are left until 2026-11-22T00:00:00.000Z, 250 of them kept for interactive calls",
          )
          yield* ledger.reserve(250, keepShare)
          assert.isTrue(Exit.isFailure(yield* Effect.exit(ledger.reserve(1, keepShare))))
          yield* ledger.reserve(250)
        }))

      test("keeps the share from what others have returned, too", (ledger) =>
        Effect.gen(function* () {
          const reservation = yield* ledger.reserve(990)
          yield* ledger.settle(reservation, 500, charge)
          assert.isTrue(Exit.isFailure(yield* Effect.exit(ledger.reserve(300, 0.25))))
          yield* ledger.reserve(250, 0.25)
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
          assert.strictEqual(balance.resetsAt?.toISOString(), "2026-11-23T00:00:00.000Z")
        }))

      test("takes open reservations along into the new day", (ledger) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(lateEvening)
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

    describe("a clock that is wrong for a moment", () => {
      for (const days of [1, 10, 40, 400])
        test(`and ${days} days ahead loses nothing that was spent, and the day is right when the clock is`, (ledger) =>
          Effect.gen(function* () {
            yield* ledger.settle(yield* ledger.reserve(600), 600, charge)
            yield* TestClock.setTime(noon + days * 86_400_000)
            yield* ledger.settle(yield* ledger.reserve(80), 80, charge)
            yield* TestClock.setTime(noon)
            const { byMethod, remaining, spent } = yield* ledger.balance
            assert.deepStrictEqual([spent, remaining, byMethod], [680, 320, { test_get: 680 }])
            yield* ledger.settle(yield* ledger.reserve(20), 20, charge)
            // A clock that is set back has to insist.
            yield* TestClock.setTime(noon + 3_600_000)
            yield* ledger.settle(yield* ledger.reserve(20), 20, charge)
            assert.strictEqual((yield* ledger.balance).spent, 720)
            yield* TestClock.setTime(midnight)
            assert.strictEqual((yield* ledger.balance).remaining, 1_000)
          }))

      for (const days of [1, 10, 40])
        test(`and ${days} days behind brings nothing back`, (ledger) =>
          Effect.gen(function* () {
            yield* ledger.settle(yield* ledger.reserve(600), 600, charge)
            yield* TestClock.setTime(noon - days * 86_400_000)
            assert.strictEqual((yield* ledger.balance).remaining, 400)
            yield* ledger.settle(yield* ledger.reserve(80), 80, charge)
            yield* TestClock.setTime(noon)
            assert.deepStrictEqual((yield* ledger.balance).byMethod, { test_get: 680 })
          }))
    })

    describe("a window of other days", () => {
      /** Spends 100 on each of these days, and says what is counted, and until when, on the last. */
      const check = (
        name: string,
        window: CreditLedger.Window,
        days: ReadonlyArray<string>,
        expected: { readonly spent: number; readonly resetsAt: string | undefined },
      ) =>
        it.effect(name, () =>
          Effect.gen(function* () {
            const ledger = yield* CreditLedger.CreditLedger
            for (const day of days) {
              yield* TestClock.setTime(Date.parse(day))
              yield* ledger.settle(yield* ledger.reserve(100), 100, charge)
            }
            const { byMethod, remaining, resetsAt, spent } = yield* ledger.balance
            assert.deepStrictEqual(
              { spent, remaining, resetsAt: resetsAt?.toISOString(), byMethod },
              { ...expected, remaining: 1_000 - expected.spent, byMethod: { test_get: expected.spent } },
            )
            // What it grants is what it says.
            assert.isTrue(Exit.isFailure(yield* Effect.exit(ledger.reserve(remaining + 1))))
            yield* ledger.release(yield* ledger.reserve(remaining))
          }).pipe(Effect.scoped, Effect.provide(place()({ daily: 1_000, window })), (effect) =>
            Effect.andThen(TestClock.setTime(Date.parse(days[0] ?? "")), effect),
          ),
        )

      const month = { kind: "month" } as const
      check("a month counts all of its days", month, ["2026-11-01T00:00Z", "2026-11-15T12:00Z", "2026-11-30T23:59Z"], {
        spent: 300,
        resetsAt: "2026-12-01T00:00:00.000Z",
      })
      check("a month begins at 00:00 UTC of its first day", month, ["2026-11-30T23:59:59.999Z", "2026-12-01T00:00Z"], {
        spent: 100,
        resetsAt: "2027-01-01T00:00:00.000Z",
      })
      check("a month ends with the year", month, ["2026-12-01T12:00Z", "2026-12-31T12:00Z"], {
        spent: 200,
        resetsAt: "2027-01-01T00:00:00.000Z",
      })
      check(
        "February has 29 days in a leap year",
        month,
        ["2028-01-31T12:00Z", "2028-02-01T12:00Z", "2028-02-29T12:00Z"],
        {
          spent: 200,
          resetsAt: "2028-03-01T00:00:00.000Z",
        },
      )
      const week = { kind: "days", days: 7 } as const
      check(
        "seven days count today and the six before",
        week,
        ["2026-11-14T23:59Z", "2026-11-15T00:00Z", "2026-11-21T12:00Z"],
        {
          spent: 200,
          resetsAt: "2026-11-22T00:00:00.000Z",
        },
      )
      check("seven days after the last charge only today counts", week, ["2026-11-14T12:00Z", "2026-11-21T12:00Z"], {
        spent: 100,
        resetsAt: "2026-11-22T00:00:00.000Z",
      })
      check(
        "a year of days counts across years",
        { kind: "days", days: 366 },
        ["2026-03-01T12:00Z", "2027-03-01T12:00Z"],
        {
          spent: 200,
          resetsAt: "2027-03-02T00:00:00.000Z",
        },
      )
      check(
        "a window without end counts everything, and never resets",
        { kind: "none" },
        ["2026-01-01T12:00Z", "2026-11-21T12:00Z", "2029-02-03T12:00Z"],
        {
          spent: 300,
          resetsAt: undefined,
        },
      )

      it.effect("a window without end forgets no day, however many there are", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(noon)
          yield* Effect.provide(
            Effect.gen(function* () {
              const ledger = yield* CreditLedger.CreditLedger
              for (let day = 0; day < 150; day++) {
                yield* TestClock.setTime(noon + day * 86_400_000)
                yield* ledger.settle(yield* ledger.reserve(2), 2, charge)
              }
              const { byMethod, spent } = yield* ledger.balance
              assert.deepStrictEqual([spent, byMethod], [300, { test_get: 300 }])
            }),
            place()({ daily: 1_000, window: { kind: "none" } }),
          )
        }),
      )

      it.effect("a clock that is a month ahead for a moment ends no month", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(noon)
          yield* Effect.provide(
            Effect.gen(function* () {
              const ledger = yield* CreditLedger.CreditLedger
              yield* ledger.settle(yield* ledger.reserve(600), 600, charge)
              yield* TestClock.setTime(noon + 40 * 86_400_000)
              yield* ledger.settle(yield* ledger.reserve(80), 80, charge)
              yield* TestClock.setTime(noon)
              assert.strictEqual((yield* ledger.balance).spent, 680)
            }),
            place()({ daily: 1_000, window: month }),
          )
        }),
      )

      it.effect("a window that changes counts the same charges by the new one", () =>
        Effect.gen(function* () {
          const at = place()
          const visit = (window: CreditLedger.Window, credits: number) =>
            Effect.provide(
              Effect.gen(function* () {
                const ledger = yield* CreditLedger.CreditLedger
                yield* ledger.settle(yield* ledger.reserve(credits), credits, charge)
                return (yield* ledger.balance).spent
              }),
              at({ daily: 1_000, window }),
            )
          yield* TestClock.setTime(Date.parse("2026-11-02T12:00Z"))
          yield* visit({ kind: "day" }, 50)
          yield* TestClock.setTime(noon)
          const spent = []
          for (const window of [{ kind: "day" }, month, week, { kind: "none" }, { kind: "day" }] as const)
            spent.push(yield* visit(window, 10))
          // A ledger in memory begins with each program.
          assert.include([[10, 70, 30, 90, 50].join(), [10, 10, 10, 10, 10].join()], spent.join())
        }),
      )
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

      for (const credits of [-1, Number.NaN, Number.POSITIVE_INFINITY])
        test(`a reservation of ${credits} credits`, (ledger) =>
          Effect.gen(function* () {
            assert.isTrue(Exit.hasDies(yield* Effect.exit(ledger.reserve(credits))))
            assert.strictEqual((yield* ledger.balance).remaining, 1_000)
          }))
    })

    it.effect("a balance without end only counts", () =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger.CreditLedger
        yield* ledger.settle(yield* ledger.reserve(5_000_000, 0.5), 5_000_000, charge)
        const { remaining, spent } = yield* ledger.balance
        assert.deepStrictEqual([spent, remaining], [5_000_000, Number.POSITIVE_INFINITY])
      }).pipe(Effect.provide(place()({ daily: Number.POSITIVE_INFINITY }))),
    )

    checkAnyProgram("that charges any number counts each as it is, or as the whole reservation", {
      program: fc.array(fc.tuple(fc.nat({ max: 9 }), anyAmount), { maxLength: 12 }),
      run: (charges) =>
        Effect.gen(function* () {
          const ledger = yield* CreditLedger.CreditLedger
          let spent = 0
          for (const [credits, charged] of charges) {
            yield* ledger.settle(yield* ledger.reserve(credits), charged, charge)
            spent += isAmount(charged) ? charged : credits
          }
          assert.strictEqual((yield* ledger.balance).spent, spent)
        }).pipe(Effect.provide(place()({ daily: Number.POSITIVE_INFINITY }))),
    })

    checkAnyProgram("of one process sees exactly what it did", {
      program: fc.record({
        daily: fc.integer({ min: 0, max: 3_000 }),
        operations: fc.array(operation, { maxLength: 25 }),
      }),
      run: ({ daily, operations }) => Effect.provide(follow(daily, operations), place()({ daily })),
    })
  })
}

/** Anything that a script may give as a number of credits. */
const anyAmount = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 1e15, -1e15, 1e300),
)

const isAmount = (charged: number): boolean => charged >= 0 && charged <= Number.MAX_SAFE_INTEGER

/** Runs random programs, each from shortly before midnight on. */
export const checkAnyProgram = <Program>(name: string, law: Law<Program>): void =>
  it(`any program ${name}`, () => assertHolds(law))

interface Law<Program> {
  readonly program: fc.Arbitrary<Program>
  readonly run: (program: Program) => Effect.Effect<void, unknown, Scope.Scope>
}

const assertHolds = <Program>(law: Law<Program>) =>
  fc.assert(
    fc.asyncProperty(law.program, (program) =>
      Effect.andThen(TestClock.setTime(lateEvening), law.run(program)).pipe(
        Effect.scoped,
        Effect.provide(TestClock.layer()),
        Effect.runPromise,
      ),
    ),
    { numRuns: runs(100) },
  )

export type Operation =
  | { readonly _tag: "Reserve"; readonly credits: number; readonly keepShare: number }
  | { readonly _tag: "Settle"; readonly which: number; readonly part: number }
  | { readonly _tag: "Release"; readonly which: number }
  | { readonly _tag: "Pass"; readonly millis: number }

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    arbitrary: fc.record({
      _tag: fc.constant("Reserve" as const),
      credits: fc.constantFrom(0, 1, 5, 80, 160, 255, 700),
      keepShare: fc.constantFrom(0, 0, 0.1, 0.5),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      _tag: fc.constant("Settle" as const),
      which: fc.nat(),
      part: fc.constantFrom(0.02, 0.5, 1),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ _tag: fc.constant("Release" as const), which: fc.nat() }), weight: 1 },
  {
    arbitrary: fc.record({ _tag: fc.constant("Pass" as const), millis: fc.constantFrom(1, 999, 40_000) }),
    weight: 1,
  },
)

/** Compares a ledger with plain arithmetic. */
const follow = (daily: number, operations: ReadonlyArray<Operation>) =>
  Effect.gen(function* () {
    const ledger = yield* CreditLedger.CreditLedger
    const open: Array<CreditLedger.Reservation> = []
    const reserved = () => open.reduce((sum, { credits }) => sum + credits, 0)
    let spent = 0
    let now = lateEvening
    for (const operation of operations) {
      if (operation._tag === "Pass") {
        if (Math.floor(now / 86_400_000) !== Math.floor((now + operation.millis) / 86_400_000)) spent = 0
        now += operation.millis
        yield* TestClock.setTime(now)
      }
      if (operation._tag === "Reserve") {
        const { credits, keepShare } = operation
        const fits = credits === 0 || credits + daily * keepShare <= Math.max(0, daily - spent - reserved())
        const exit = yield* Effect.exit(ledger.reserve(credits, keepShare))
        assert.strictEqual(Exit.isSuccess(exit), fits)
        if (Exit.isSuccess(exit)) open.push(exit.value)
      }
      const [ended] = "which" in operation && open.length > 0 ? open.splice(operation.which % open.length, 1) : []
      if (ended !== undefined && operation._tag === "Release") yield* ledger.release(ended)
      if (ended !== undefined && operation._tag === "Settle") {
        const charged = Math.ceil(ended.credits * operation.part)
        yield* ledger.settle(ended, charged, charge)
        spent += charged
      }
      const balance = yield* ledger.balance
      assert.deepStrictEqual(
        [balance.spent, balance.reserved, balance.remaining],
        [spent, reserved(), Math.max(0, daily - spent - reserved())],
      )
    }
  })
