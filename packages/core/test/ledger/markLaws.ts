/** What processes of one machine note about their leases on a server, and what the next one makes of it after a kill. */
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, type Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Options } from "@dotrpc/spec"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll } from "vitest"
import type { CreditLedger } from "../../src/index.ts"
import { makeLeased, withDefaults } from "../../src/ledger/lease.ts"
import { type LocalMarks, openLocalMarks } from "../../src/ledger/localMarks.ts"
import type { ServerStore } from "../../src/ledger/serverLedger.ts"
import type { Step } from "../../src/ledger/store.ts"
import { charge, type Ledger, noon } from "./laws.ts"
import { enter } from "./sharedLaws.ts"

/** A kind of server, and one of them that runs while the tests do. */
export interface MarkedServer {
  readonly name: string
  readonly port: () => number
  /** The ledger of this name, through a port of the loopback interface. */
  readonly layerAt: (
    place: MarkedPlace,
    options: CreditLedger.SharedOptions,
  ) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>
  readonly storeAt: (port: number, name: string, marks: LocalMarks | undefined) => ServerStore
  /** What its marks are named after, besides the ledger. */
  readonly place: () => string
}

export interface MarkedPlace {
  readonly name: string
  readonly marks: string
}

/** Places with marks in a folder that goes when the tests have ended. */
export const makePlaces = (): { readonly next: () => MarkedPlace; readonly folder: () => string } => {
  let folder = ""
  let places = 0
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "dotrpc-leases-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const next = () => {
    const name = `marked-${places++}`
    return { name, marks: join(folder, name) }
  }
  return { next, folder: () => folder }
}

/** When a process is killed, and its connections to the server, each until the server has closed it. */
interface Life {
  readonly killed: Promise<void>
  readonly gone: Array<Promise<void>>
}

const price = 80
const daily = 1_000_000

export const markLaws = (server: MarkedServer, { folder, next: newPlace }: ReturnType<typeof makePlaces>): void => {
  const { layerAt } = server

  /**
   * A way to the server on which nothing moves after a process was killed: then the system closes its connections. `moment`
   * says whether it lives.
   */
  const wayThrough = (moment: () => boolean, { killed, gone }: Life): Effect.Effect<number, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const sockets = new Set<Socket>()
        const way = createServer((near) => {
          const far = createConnection(server.port(), "127.0.0.1")
          gone.push(new Promise((resolve) => far.once("close", () => resolve())))
          const cut = () => {
            near.destroy()
            far.end()
          }
          void killed.then(cut)
          for (const [from, to] of [
            [near, far],
            [far, near],
          ] as const) {
            sockets.add(from.on("error", () => undefined))
            from.on("data", (chunk) => {
              if (moment()) to.write(chunk)
              moment()
            })
          }
        })
        await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve))
        const close = () => {
          for (const socket of sockets) socket.destroy()
          way.close()
        }
        void killed.then(() => way.close())
        const { port } = way.address() as AddressInfo
        return { port, close }
      }),
      ({ close }) => Effect.sync(close),
    ).pipe(Effect.map(({ port }) => port))

  /** The store of a process, and everything that it does outside itself: before and after each it may be killed. */
  const storeAt = (place: MarkedPlace, moment: () => boolean, life: Life) =>
    Effect.flatMap(wayThrough(moment, life), (port) =>
      Effect.clockWith((clock) => {
        const real = openLocalMarks(place.marks, `${server.place()} ${place.name}`, clock)
        const around = <A>(use: () => A): A => {
          if (!moment()) throw new Killed()
          const done = use()
          if (!moment()) throw new Killed()
          return done
        }
        const marks: LocalMarks | undefined = real && {
          ...real,
          ofOwner: (owner) => {
            const own = real.ofOwner(owner)
            return {
              ...own,
              begin: (until, used) => around(() => own.begin(until, used)),
              set: (used, next) => around(() => own.set(used, next)),
              close: () => undefined,
            }
          },
        }
        const store = Effect.sync(() => server.storeAt(port, place.name, marks))
        return Effect.acquireRelease(store, (store) => store.close)
      }),
    )

  class Killed extends Error {}

  /** Every moment in a deep run, and in a landing the first ones and some of the others. */
  const isTried = (moment: number): boolean => isDeep || moment < 10 || moment % 23 === 0

  /** Calls of a process that is killed at its `last` moment. Returns what it has sent by then, and whether it got through. */
  const spendUntil = (place: MarkedPlace, last: number) =>
    Effect.gen(function* () {
      let moments = 0
      let sent = 0
      let stop: () => void = () => undefined
      const killed = new Promise<void>((resolve) => (stop = resolve))
      const moment = () => {
        if (moments++ < last) return true
        stop()
        return false
      }
      const stopped = yield* TestClock.make()
      yield* stopped.setTime(noon)
      const gone: Array<Promise<void>> = []
      const store = yield* Effect.provideService(storeAt(place, moment, { killed, gone }), Clock.Clock, stopped)
      // Nothing tells it that it ends.
      const ledger = yield* Scope.provide(makeLeased(store, withDefaults({ daily }, 64)), yield* Scope.make())
      const worker = Effect.gen(function* () {
        for (let call = 0; call < 10; call++) {
          const reservation = yield* ledger.reserve(price)
          if (!moment()) return yield* Effect.never
          sent += price
          yield* Effect.yieldNow
          if (!moment()) return yield* Effect.never
          const cheap = call % 3 === 2
          if (cheap) sent -= price - 5
          yield* ledger.settle(reservation, cheap ? 5 : price, charge)
          // It writes down what it has spent, and keeps what it has paid ahead.
          if (call === 8) yield* stopped.adjust("1 second")
        }
      })
      const all = Effect.provideService(
        Effect.all([worker, worker, worker], { concurrency: "unbounded", discard: true }),
        Clock.Clock,
        stopped,
      )
      const survived = yield* Effect.promise(() =>
        Promise.race([Effect.runPromiseExit(all).then(Exit.isSuccess), killed.then(() => false)]),
      )
      // What is left of it neither runs nor ends. The server closes its connections once it has done what arrived by them.
      if (!survived) yield* Effect.promise(() => Promise.all(gone))
      return { sent, survived }
    })

  it.effect(
    "a process that is killed at any moment leaves at most two calls more than it has sent, and never less",
    () =>
      Effect.gen(function* () {
        let survived = false
        let moments = 0
        for (; !survived; moments++) {
          if (!isTried(moments)) continue
          yield* TestClock.setTime(noon)
          const place = newPlace()
          const life = yield* Effect.scoped(spendUntil(place, moments))
          survived = life.survived
          yield* TestClock.setTime(noon + 60_000)
          const { reserved, spent } = yield* Effect.scoped(
            Effect.flatMap(enter(layerAt(place, { daily })), (ledger) => ledger.balance),
          )
          assert.strictEqual(reserved, 0)
          assert.isAtLeast(spent, life.sent, `killed at moment ${moments}`)
          assert.isAtMost(spent, life.sent + 2 * price, `killed at moment ${moments}`)
        }
        assert.isAbove(moments, 100)
      }),
  )

  /** A process whose clocks stand still until it is given others. */
  const stoppedAt = (time: number) =>
    Effect.gen(function* () {
      const clock = yield* TestClock.make()
      yield* clock.setTime(time)
      return <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Clock.Clock, clock)
    })

  const call = (ledger: Ledger) =>
    Effect.flatMap(ledger.reserve(price), (reservation) => ledger.settle(reservation, price, charge))

  /** A process that has made twelve calls, pays more ahead, and is then stopped, or killed. */
  const leaveLease = (place: MarkedPlace) =>
    Effect.gen(function* () {
      const stopped = yield* stoppedAt(noon)
      const ledger = yield* Effect.provideService(enter(layerAt(place, { daily })), Clock.Clock, yield* frozen)
      for (let made = 0; made < 12; made++) yield* stopped(call(ledger))
      return ledger
    })

  const frozen = Effect.tap(TestClock.make(), (clock) => clock.setTime(noon))

  const balanceAt = (place: MarkedPlace) =>
    Effect.scoped(Effect.flatMap(enter(layerAt(place, { daily })), (ledger) => ledger.balance))

  const filesOf = ({ marks }: MarkedPlace) =>
    readdirSync(marks, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))

  const test = (name: string, body: (place: MarkedPlace) => Effect.Effect<void, unknown, Scope.Scope>) =>
    it.effect(name, () =>
      Effect.andThen(
        TestClock.setTime(noon),
        Effect.suspend(() => body(newPlace())),
      ),
    )

  const used = 12 * price

  describe("the lease of a process that is killed", () => {
    test("counts whole while it lasts, and then for what was used and at most two calls more", (place) =>
      Effect.gen(function* () {
        yield* leaveLease(place)
        const before = yield* balanceAt(place)
        assert.isAbove(before.reserved + before.spent, used + 2 * price)
        yield* TestClock.adjust("32 seconds")
        const after = yield* balanceAt(place)
        assert.strictEqual(after.reserved, 0)
        assert.isAtLeast(after.spent, used)
        assert.isAtMost(after.spent, used + 2 * price)
        assert.deepStrictEqual(filesOf(place), [])
      }))

    test("counts the same, whichever of several processes finds it first", (place) =>
      Effect.gen(function* () {
        yield* leaveLease(place)
        yield* TestClock.adjust("32 seconds")
        const found = yield* Effect.all(
          Array.from({ length: 6 }, () => balanceAt(place)),
          { concurrency: "unbounded" },
        )
        const { spent } = yield* balanceAt(place)
        assert.isAtMost(spent, used + 2 * price)
        for (const one of found) assert.isAtLeast(one.spent, spent)
      }))

    test("is found by a process that only spends", (place) =>
      Effect.gen(function* () {
        yield* leaveLease(place)
        yield* TestClock.adjust("32 seconds")
        yield* call(yield* enter(layerAt(place, { daily })))
        assert.isAtMost((yield* balanceAt({ ...place, marks: join(folder(), "other") })).spent, used + 4 * price)
      }))

    const checkWhole = (name: string, harm: (file: string) => void) =>
      test(`counts whole where its marks ${name}`, (place) =>
        Effect.gen(function* () {
          yield* leaveLease(place)
          const before = yield* balanceAt(place)
          const [file = ""] = filesOf(place)
          harm(file)
          yield* TestClock.adjust("32 seconds")
          assert.strictEqual((yield* balanceAt(place)).spent, before.reserved + before.spent)
        }))
    checkWhole("are gone", (file) => rmSync(file))
    checkWhole("are empty", (file) => writeFileSync(file, ""))
    checkWhole("are of another kind", (file) => writeFileSync(file, "x".repeat(10_000)))
    checkWhole("have one wrong byte each", (file) => {
      const bytes = readFileSync(file)
      for (let at = 15; at < bytes.length; at += 20) bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(file, bytes)
    })
    checkWhole("are of an earlier start of the machine", (file) => {
      const clock: Clock.Clock = Effect.runSync(Effect.clockWith(Effect.succeed))
      const marks = openLocalMarks(join(folder(), "earlier"), "", clock)?.ofOwner("earlier")
      marks?.begin(1, 1)
      const [other = ""] = filesOf({ name: "", marks: join(folder(), "earlier") })
      writeFileSync(file, readFileSync(other))
      rmSync(other)
    })
  })

  describe("the lease of a process that works", () => {
    test("counts whole, however far the clock of the server jumps ahead", (place) =>
      Effect.gen(function* () {
        const ledger = yield* leaveLease(place)
        const before = yield* balanceAt(place)
        const jumped = yield* Effect.clockWith((clock) => Effect.succeed(withWall(clock, noon + 600_000)))
        const { reserved, spent } = yield* Effect.provideService(balanceAt(place), Clock.Clock, jumped)
        assert.strictEqual(reserved + spent, before.reserved + before.spent)
        assert.isAbove(filesOf(place).length, 0)
        yield* Effect.provideService(call(ledger), Clock.Clock, yield* frozen)
      }))

    test("is right again after it was stopped for longer than its lease and others have settled that", (place) =>
      Effect.gen(function* () {
        const ledger = yield* leaveLease(place)
        const stopped = yield* stoppedAt(noon)
        const open = yield* stopped(ledger.reserve(price))
        yield* TestClock.adjust("32 seconds")
        assert.isAtLeast((yield* balanceAt(place)).spent, used + price)
        // It resumes: what it had reserved is charged, and nothing is reserved from the lease that has ended.
        yield* ledger.settle(open, price, charge)
        yield* call(ledger)
        const { reserved, spent } = yield* ledger.balance
        assert.strictEqual(spent + reserved >= used + 2 * price, true)
        // It marks its next lease, although its file was removed.
        assert.strictEqual(filesOf(place).length, 1)
        yield* TestClock.adjust("3 seconds")
        yield* ledger.balance
        assert.strictEqual((yield* ledger.balance).spent, used + 2 * price)
      }))
  })

  const withWall = (clock: Clock.Clock, wall: number): Clock.Clock => ({
    ...clock,
    currentTimeMillisUnsafe: () => wall,
    currentTimeMillis: Effect.succeed(wall),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    sleep: (duration) => clock.sleep(duration),
  })

  test("a step that arrives after a later one of the same process changes nothing", (place) =>
    Effect.gen(function* () {
      const step = (need: number, ends: number, open = 0): Step => ({
        owner: "one",
        reading: { wall: noon, uptime: 0, boot: "", isReplaced: true },
        leaseMillis: 30_000,
        ends,
        marked: open,
        daily,
        open,
        need,
        extra: 0,
        kept: 0,
        entries: [],
        number: 0,
        last: false,
      })
      const connection: Effect.Effect<ServerStore, never, Scope.Scope> = Effect.acquireRelease(
        Effect.sync(() => server.storeAt(server.port(), place.name, undefined)),
        (store) => store.close,
      )
      const [late, soon] = yield* Effect.all([connection, connection])
      yield* late.step(step(price, 1_000))
      yield* soon.step(step(5 * price, 3_000))
      assert.strictEqual((yield* late.step(step(0, 2_000))).granted, 0)
      assert.strictEqual((yield* balanceAt(place)).reserved, 5 * price)
    }))

  test("where no marks can be written nothing is paid ahead, and the lease counts whole", (place) =>
    Effect.gen(function* () {
      writeFileSync(place.marks, "not a folder")
      yield* leaveLease(place)
      yield* TestClock.adjust("32 seconds")
      const { spent } = yield* balanceAt(place)
      assert.isAtLeast(spent, used)
      assert.isAtMost(spent, used + 2 * price)
    }))
}
