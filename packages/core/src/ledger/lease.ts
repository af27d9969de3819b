/**
 * A ledger over a shared store that asks the store once for many calls. The process has a lease of credits; calls are
 * reserved and settled within it, in memory, and their charges are recorded with the next step. `held.ts` says what the process
 * holds meanwhile; this file keeps it up with the store.
 */
import type { Clock, Duration, Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Options, type RpcReason } from "@dotrpc/spec"
import { elapsedOf } from "../internal/elapsed.ts"
import { balanceOf, checkCredits, checkDaily, keptOf } from "./amounts.ts"
import * as Held from "./held.ts"
import { CreditLedger, defaultDaily, LedgerFull, type Reservation } from "./Ledger.ts"
import type { Standing } from "./rule.ts"
import type { LedgerStore } from "./store.ts"
import { resetOf } from "./time.ts"
import { checkWindow, eachDay, type Window } from "./window.ts"

/** What the ledgers of several processes have in common. */
export interface SharedOptions {
  /** Credits per day, or per `window`; 3,000,000 by default. `Infinity` only counts. */
  readonly daily?: number | undefined
  /** When the balance resets; each day at 00:00 UTC by default. Every process that shares the ledger has the same. */
  readonly window?: Window | undefined
  /**
   * How many calls of the same price are paid ahead with one trip to the store, at most; 15 by default, so that a lease is for
   * sixteen. A process begins with none and doubles its lease while it uses it up. When it is killed, its lease counts as spent.
   */
  readonly ahead?: number | undefined
  /** What spends, as `dotrpc credits` names it: `dotrpc run`. Not a secret. */
  readonly by?: string | undefined
  /** How long the credits of a process that says nothing any more stay reserved before they count as spent; 30 seconds by default. */
  readonly lease?: Duration.Input | undefined
}

/** {@link SharedOptions} with their defaults. */
export interface LeaseOptions {
  readonly daily: number
  readonly window: Window
  readonly ahead: number
  readonly leaseMillis: number
  readonly by: string | undefined
}

export const makeLeased = (
  store: LeasingStore,
  options: LeaseOptions,
): Effect.Effect<CreditLedger["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const { daily, window } = options
    const lease: Lease = {
      store,
      options,
      owner: newOwner(),
      scope: yield* Effect.scope,
      line: Semaphore.makeUnsafe(1),
      held: Held.nothingHeld(),
      waiting: 0,
      isReturning: false,
      isBeating: false,
      isKnown: false,
      failures: 0,
      trouble: undefined,
    }
    const { held, owner } = lease
    yield* Effect.addFinalizer(() => end(lease))
    return CreditLedger.of({
      pace: store.pace,
      reserve: (credits, keepShare = 0) =>
        Effect.clockWith((clock) => {
          checkCredits(credits)
          const toKeep = keptOf(daily, keepShare)
          return Held.fits(held, credits, toKeep, momentOf(clock))
            ? Effect.succeed(Held.take(held, credits))
            : refill(lease, credits, toKeep)
        }),
      settle: (reservation, said, charge) =>
        Effect.clockWith((clock) => {
          Held.charge(held, reservation, said, charge, momentOf(clock))
          return Effect.andThen(startBeat(lease), refund(lease))
        }),
      release: (reservation) =>
        Effect.andThen(
          Effect.sync(() => held.open.end(reservation)),
          refund(lease),
        ),
      balance: alone(lease, (now) =>
        Effect.map(store.account(owner), (account) => {
          held.told = { now: account.now, at: now }
          const own = [...held.entries, ...held.fresh.values()].filter((entry) => entry.day >= account.since)
          return balanceOf([...account.charges, ...own], {
            daily,
            reserved: account.reserved + held.open.credits(),
            lost: account.lost,
            uses: account.uses.map((use) => ({ ...use, hour: new Date(use.hour * 3_600_000) })),
            resetsAt: resetOf(account.now, now.wall, window),
          })
        }),
      ),
    })
  })

type LeasingStore = Pick<LedgerStore, "step" | "account"> & Partial<Pick<LedgerStore, "pace">>

/** The lease of a process, and how it is kept up with the store. */
interface Lease {
  readonly store: LeasingStore
  readonly options: LeaseOptions
  readonly owner: string
  readonly scope: Scope.Scope
  /** One step at a time. */
  readonly line: Semaphore.Semaphore
  readonly held: Held.Held
  /** Calls that wait for a step. */
  waiting: number
  isReturning: boolean
  isBeating: boolean
  /** Whether the store may know this owner. */
  isKnown: boolean
  /** Steps that did not succeed so far, and what the last of them met with. */
  failures: number
  trouble: RpcReason.LedgerUnavailable | undefined
}

/** Runs alone, and to its end: a step that has begun cannot be taken back. */
const alone = <A, E>({ line }: Lease, use: (now: Held.Moment) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  line.withPermit(Effect.uninterruptible(Effect.clockWith((clock) => use(momentOf(clock)))))

const step = (lease: Lease, now: Held.Moment, wish: Held.Wish): Effect.Effect<Standing, RpcReason.LedgerUnavailable> =>
  Effect.suspend(() => {
    const { held, options, owner, store } = lease
    const { by, daily, leaseMillis } = options
    const sent = Held.begin(held)
    lease.isKnown = true
    return store.step({ ...wish, ...sent, owner, by, leaseMillis, daily }).pipe(
      Effect.tap((standing) =>
        Effect.sync(() => Held.confirmed(held, sent, standing, { at: now, kept: wish.kept, millis: leaseMillis })),
      ),
      Effect.tapError((error) =>
        Effect.sync(() => {
          Held.lost(held)
          lease.failures++
          lease.trouble = error
        }),
      ),
      Effect.ensuring(Effect.sync(() => (held.isStepping = false))),
    )
  })

const refill = (
  lease: Lease,
  credits: number,
  toKeep: number,
): Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable> =>
  Effect.suspend(() => {
    const { held, options } = lease
    const { ahead, daily, window } = options
    const failuresBefore = lease.failures
    lease.waiting++
    return alone(lease, (now): Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable> => {
      if (Held.fits(held, credits, toKeep, now)) return Effect.succeed(Held.take(held, credits))
      // Who waited in line while the store could not be reached gets that error, instead of waiting for it once more.
      if (lease.failures > failuresBefore && lease.trouble !== undefined) return Effect.fail(lease.trouble)
      Held.grow(held, now, ahead, beatMillis)
      const wish = { need: credits, extra: credits * held.growth, kept: toKeep, last: false }
      return Effect.flatMap(step(lease, now, wish), (standing) => {
        if (standing.granted >= credits) return Effect.as(startBeat(lease), Held.take(held, credits))
        const full = {
          needed: credits,
          remaining: Math.max(0, standing.free),
          kept: toKeep,
          reserved: held.open.credits() + standing.others,
          daily,
          resetsAt: resetOf(standing.now, now.wall, window),
        }
        return Effect.andThen(startBeat(lease), Effect.fail(new LedgerFull(full)))
      })
    }).pipe(Effect.ensuring(Effect.sync(() => lease.waiting--)))
  })

/** Returns what calls leave of their reservations, once it is more than is paid ahead anyway. */
const refund = (lease: Lease): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { held } = lease
    const isMore = () => lease.waiting === 0 && Held.hasTooMuch(held)
    if (lease.isReturning || !isMore()) return Effect.void
    lease.isReturning = true
    const back = Effect.yieldNow.pipe(
      Effect.andThen(
        alone(lease, (now) => {
          const wish = { need: 0, extra: held.price * held.growth, kept: held.kept, last: false }
          return isMore() ? Effect.ignore(step(lease, now, wish)) : Effect.void
        }),
      ),
      Effect.ensuring(Effect.sync(() => (lease.isReturning = false))),
    )
    return Effect.asVoid(Effect.forkIn(back, lease.scope))
  })

/** Reports charges to the store, renews the lease while attempts are in flight, and returns what is not used. */
const beatOnce = (lease: Lease): Effect.Effect<void, RpcReason.LedgerUnavailable> =>
  alone(lease, (now) => {
    const { held, options } = lease
    const spare = Held.spare(held)
    const wanted = held.usedSinceBeat ? Math.max(0, spare) : 0
    held.usedSinceBeat = false
    const isDue = held.unwritten > 0 || spare > wanted || Held.timeLeft(held, now) < options.leaseMillis / 2
    const wish = { need: 0, extra: wanted, kept: held.kept, last: false }
    return isDue ? Effect.asVoid(step(lease, now, wish)) : Effect.void
  })

const startBeat = (lease: Lease): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (lease.isBeating || Held.isIdle(lease.held)) return Effect.void
    lease.isBeating = true
    const beat = Effect.sleep(beatMillis).pipe(
      // A store that cannot be reached is tried again with the next beat; calls that need it meanwhile get an error.
      Effect.andThen(Effect.ignore(beatOnce(lease))),
      Effect.andThen(Effect.sync(() => (lease.isBeating = !Held.isIdle(lease.held)))),
      Effect.repeat({ while: (goesOn) => goesOn }),
    )
    return Effect.asVoid(Effect.forkIn(Effect.interruptible(beat), lease.scope))
  })

/** Writes down what is not written yet, and returns the lease. */
const end = (lease: Lease): Effect.Effect<void> =>
  alone(lease, (now) => {
    const { unwritten } = lease.held
    if (!lease.isKnown && unwritten === 0) return Effect.void
    return step(lease, now, { need: 0, extra: 0, kept: 0, last: true }).pipe(
      Effect.catch((error) =>
        unwritten === 0
          ? Effect.void
          : Effect.logWarning(`Charges of ${unwritten} credits could not be recorded: ${error.why}.`),
      ),
    )
  })

/** Every name of {@link SharedOptions}. */
export const sharedNames: Options.Members<SharedOptions> = {
  daily: true,
  window: true,
  ahead: true,
  by: true,
  lease: true,
}

/** The options with their defaults. Throws a `RangeError` on amounts that make no sense. */
export const withDefaults = ({
  ahead = 15,
  by,
  daily = defaultDaily,
  lease = "30 seconds",
  window = eachDay,
}: SharedOptions): LeaseOptions => {
  const leaseMillis = Options.millis("lease", lease)
  if (leaseMillis < 2 * beatMillis)
    throw new Options.OptionError({
      message: "lease must be 2 seconds or longer: it is renewed every second.",
      path: "lease",
      expected: "a duration of 2 seconds or longer",
    })
  return {
    daily: checkDaily(daily),
    window: checkWindow(window),
    ahead: Options.zeroOrMore("ahead", ahead, "calls"),
    leaseMillis,
    by: by === undefined ? undefined : Options.text("by", by),
  }
}

const momentOf = (clock: Clock.Clock): Held.Moment => ({
  wall: clock.currentTimeMillisUnsafe(),
  elapsed: elapsedOf(clock),
})

/** How often a process that is at work tells the store. */
const beatMillis = 1_000

/** Who holds a lease: the process, for people who read the store, and an id that no other ledger has. */
const newOwner = (): string => {
  const { process } = globalThis as { readonly process?: { readonly pid?: number | undefined } | undefined }
  return `${process?.pid ?? "browser"}-${crypto.randomUUID()}`
}
