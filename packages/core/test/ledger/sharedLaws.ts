/** The laws of ledgers that several processes share. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { CreditLedger } from "../../src/index.ts"
import type { Options } from "@dotrpc/spec"
import * as Second from "../../src/internal/second.ts"
import { charge, checkAnyProgram, lateEvening, type Ledger, midnight, noon, type Operation, operation } from "./laws.ts"

/** Each call is a place of its own; each layer of it stands for a process that keeps its balance there. */
export type SharedPlace = () => (
  options: CreditLedger.SharedOptions,
) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>

/** A process of its own, which ends with the scope. */
export const enter = (layer: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>) =>
  Effect.map(Layer.build(Layer.fresh(Layer.orDie(layer))), (context) => Context.get(context, CreditLedger.CreditLedger))

/** Nothing that this runs goes on by itself: what it leaves behind is as of a process that was killed. */
const stoppedAtNoon = Effect.gen(function* () {
  const clock = yield* TestClock.make()
  yield* clock.setTime(noon)
  return <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Clock.Clock, clock)
})

export const sharedLedgerLaws = (name: string, place: SharedPlace): void => {
  const daily = 10_000
  const test = (
    name: string,
    body: (open: Effect.Effect<Ledger, never, Scope.Scope>) => Effect.Effect<void, unknown, Scope.Scope>,
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const at = place()
        yield* body(Effect.suspend(() => enter(at({ daily }))))
      }),
    )

  describe(`a ledger ${name} that is shared`, () => {
    test("shows a process what another has charged once that ends", (open) =>
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const first = yield* open
            yield* first.settle(yield* first.reserve(255), 80, charge)
            yield* first.release(yield* first.reserve(255))
          }),
        )
        const { byNetwork, lost, remaining, reserved, spent } = yield* (yield* open).balance
        assert.deepStrictEqual(
          { spent, lost, reserved, remaining },
          { spent: 80, lost: 0, reserved: 0, remaining: 9_920 },
        )
        assert.deepStrictEqual(byNetwork, { local: { test_get: 80 } })
      }))

    it.effect("says which program spent what in which hour", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const at = place()
        const spends = (by: string, credits: number, file?: string) =>
          Effect.scoped(
            Effect.gen(function* () {
              const ledger = yield* enter(at({ daily, by }))
              yield* ledger.settle(yield* ledger.reserve(credits), credits, { ...charge, file })
            }),
          )
        const uses = Effect.scoped(Effect.flatMap(enter(at({ daily })), ({ balance }) => balance)).pipe(
          Effect.map(({ uses = [] }) =>
            uses.map(({ by, credits, file, hour }) => [
              file === undefined ? by : `${by} ${file}`,
              credits,
              hour.getTime() - noon,
            ]),
          ),
        )
        yield* spends("one", 80)
        yield* spends("other", 5)
        yield* spends("one", 80)
        yield* TestClock.setTime(noon + 90 * 60_000)
        yield* spends("one", 255)
        yield* spends("one", 10, "a.rpc")
        yield* spends("one", 20, "b.rpc")
        yield* spends("one", 30, "a.rpc")
        assert.deepStrictEqual(yield* uses, [
          ["other", 5, 0],
          ["one", 160, 0],
          ["one", 255, 3_600_000],
          ["one b.rpc", 20, 3_600_000],
          ["one a.rpc", 40, 3_600_000],
        ])
        yield* TestClock.setTime(noon + 24 * 3_600_000)
        for (let program = 0; program < 30; program++) yield* spends(`program ${program}`, 5)
        const later = yield* uses
        assert.strictEqual(later.length, 24)
        assert.strictEqual(later.find(([by]) => by === "others")?.[1], 10 * 5)
      }),
    )

    test("never lets all together take more than there is", (open) =>
      Effect.gen(function* () {
        const ledgers = yield* Effect.all([open, open, open, open])
        const taken = yield* Effect.all(
          Array.from({ length: 60 }, (_, index) =>
            Effect.exit((ledgers[index % ledgers.length] ?? ledgers[0]).reserve(255)),
          ),
          { concurrency: "unbounded" },
        )
        const held = taken.filter(Exit.isSuccess).length * 255
        assert.isAtMost(held, daily)
        // What is paid ahead near the end is little: almost all of the balance can be used.
        assert.isAtLeast(held, 9_000)
      }))

    test("keeps the share that background calls leave, over all ledgers", (open) =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([open, open])
        for (const ledger of [first, second, first, second])
          yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(ledger.reserve(255, 0.5)))
        const { reserved } = yield* first.balance
        assert.isAtMost(reserved, daily / 2)
        yield* second.reserve(4_000)
      }))

    test("gives what is not used back when nothing has been asked for a while", (open) =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([open, open])
        yield* first.settle(yield* first.reserve(80), 80, charge)
        assert.isAbove((yield* second.balance).reserved, 0)
        yield* settled(first, TestClock.adjust("3 seconds"))
        const { reserved, spent } = yield* second.balance
        assert.deepStrictEqual([spent, reserved], [80, 0])
      }))

    test("counts what a process had reserved when it was killed as spent, once its lease has ended", (open) =>
      Effect.gen(function* () {
        const stopped = yield* stoppedAtNoon
        const killed = yield* open
        yield* stopped(killed.reserve(255))
        const other = yield* open
        const before = yield* other.balance
        assert.isAtLeast(before.reserved, 255)
        assert.strictEqual(before.spent, 0)
        yield* TestClock.adjust("31 seconds")
        const after = yield* other.balance
        assert.deepStrictEqual([after.spent, after.lost, after.reserved], [before.reserved, before.reserved, 0])
        assert.deepStrictEqual(after.byMethod, {})
        assert.strictEqual(after.remaining, before.remaining)
        yield* TestClock.setTime(midnight)
        assert.strictEqual((yield* other.balance).remaining, daily)
      }))

    test("counts what a killed process had charged and not written down as spent", (open) =>
      Effect.gen(function* () {
        const stopped = yield* stoppedAtNoon
        const killed = yield* open
        for (let count = 0; count < 5; count++)
          yield* stopped(Effect.flatMap(killed.reserve(80), (reservation) => killed.settle(reservation, 80, charge)))
        yield* TestClock.adjust("31 seconds")
        const { spent } = yield* (yield* open).balance
        assert.isAtLeast(spent, 400)
      }))

    test("still counts what a killed process left behind after a clock was ahead for a moment", (open) =>
      Effect.gen(function* () {
        const stopped = yield* stoppedAtNoon
        const killed = yield* open
        yield* stopped(killed.reserve(255))
        const other = yield* open
        yield* TestClock.adjust("31 seconds")
        const { lost } = yield* other.balance
        assert.isAtLeast(lost, 255)
        yield* TestClock.setTime(noon + 10 * 86_400_000)
        yield* other.settle(yield* other.reserve(80), 80, charge)
        yield* other.release(yield* other.reserve(5_000))
        yield* TestClock.setTime(noon + 60_000)
        assert.strictEqual((yield* other.balance).spent, lost + 80)
      }))

    test("believes a process that was away longer than its lease", (open) =>
      Effect.gen(function* () {
        const stopped = yield* stoppedAtNoon
        const scope = yield* Scope.make()
        const away = yield* Scope.provide(open, scope)
        const reservation = yield* stopped(away.reserve(255))
        const other = yield* open
        yield* TestClock.adjust("1 minute")
        assert.isAtLeast((yield* other.balance).lost, 255)
        yield* away.settle(reservation, 80, charge)
        yield* away.release(yield* away.reserve(5_000))
        yield* Scope.close(scope, Exit.void)
        const { lost, reserved, spent } = yield* other.balance
        assert.deepStrictEqual({ spent, lost, reserved }, { spent: 80, lost: 0, reserved: 0 })
      }))

    test("never holds much ahead when little is left", (open) =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([open, open])
        yield* first.settle(yield* first.reserve(9_000), 9_000, charge)
        yield* first.reserve(10)
        assert.isAtMost((yield* second.balance).reserved, 9_000 + 10 + 1_000 / 16)
        yield* second.reserve(900)
      }))

    test("gives all together the credits per second that one would have", (open) =>
      Effect.gen(function* () {
        const ledgers = yield* Effect.all([open, open, open])
        let now = noon
        let one = Second.fresh(500)
        for (let call = 0; call < 60; call++) {
          const credits = [5, 80, 255][call % 3] ?? 0
          const millis = yield* ledgers[call % 2]?.pace?.(credits, 500) ?? Effect.die("no rate is shared")
          assert.strictEqual(millis, Second.waitFor(one, credits, now))
          one = Second.take(Second.since(one, now), credits, now + millis)
          yield* TestClock.setTime((now += call % 7 === 0 ? 400 : 20))
        }
        // A clock that was days ahead makes nobody wait.
        yield* TestClock.setTime(noon + 10 * 86_400_000)
        yield* ledgers[0].pace?.(500, 500) ?? Effect.void
        yield* TestClock.setTime(now)
        assert.strictEqual(yield* ledgers[1].pace?.(500, 500) ?? Effect.void, 0)
      }))

    checkAnyProgram("of three processes conserves credits and never overdraws", {
      program: fc.record({
        daily: fc.integer({ min: 0, max: 4_000 }),
        ahead: fc.nat({ max: 20 }),
        operations: fc.array(fc.tuple(fc.nat({ max: 2 }), operation), { maxLength: 40 }),
      }),
      run: (program) => conserve(program, place()),
    })
  })
}

interface Program {
  readonly daily: number
  readonly ahead: number
  readonly operations: ReadonlyArray<readonly [process: number, operation: Operation]>
}

const conserve = ({ ahead, daily, operations }: Program, layer: ReturnType<SharedPlace>) =>
  Effect.gen(function* () {
    let now = lateEvening
    let charged = 0
    const together = Effect.gen(function* () {
      const begin = Effect.map(enter(layer({ daily, ahead })), (ledger) => ({
        ledger,
        open: new Array<CreditLedger.Reservation>(),
      }))
      const processes = yield* Effect.all([begin, begin, begin])
      for (const [index, operation] of operations) {
        const { ledger, open } = processes[index] ?? processes[0]
        if (operation._tag === "Pass") {
          if (Math.floor(now / 86_400_000) !== Math.floor((now + operation.millis) / 86_400_000)) charged = 0
          now += operation.millis
          yield* TestClock.setTime(now)
        }
        if (operation._tag === "Reserve") {
          const exit = yield* Effect.exit(ledger.reserve(operation.credits, operation.keepShare))
          if (Exit.isSuccess(exit)) {
            open.push(exit.value)
            const held = processes.flatMap((process) => process.open).reduce((sum, one) => sum + one.credits, 0)
            if (operation.credits > 0) assert.isAtMost(held + charged, daily * (1 - operation.keepShare))
          }
        }
        const [ended] = "which" in operation && open.length > 0 ? open.splice(operation.which % open.length, 1) : []
        if (ended !== undefined && operation._tag === "Release") yield* ledger.release(ended)
        if (ended !== undefined && operation._tag === "Settle") {
          const part = Math.ceil(ended.credits * operation.part)
          yield* ledger.settle(ended, part, charge)
          charged += part
        }
      }
      for (const { ledger, open } of processes) for (const one of open) yield* ledger.release(one)
    })
    yield* Effect.scoped(together)
    const { lost, reserved, spent } = yield* (yield* enter(layer({ daily }))).balance
    assert.deepStrictEqual({ spent, reserved, lost }, { spent: charged, reserved: 0, lost: 0 })
  })

/** Lets time pass, and waits until the process has told the store: its balance is read behind whatever it is at. */
const settled = (ledger: Ledger, passing: Effect.Effect<void>) =>
  Effect.gen(function* () {
    for (let beat = 0; beat < 3; beat++) {
      yield* passing
      yield* ledger.balance
    }
  })
