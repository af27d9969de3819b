/**
 * A ledger over a shared store that asks the store once for many calls. The process has a lease of credits; calls are
 * reserved and settled within it, in memory, and their charges are recorded with the next step.
 *
 * Invariant: `lease >= open + charges not written down + spare` at every moment at which a call may reserve, unless a call
 * was charged more than it had reserved. So whatever happens to this process, the store counts too much and never too little.
 */
import type { Clock, Duration, Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Options, type RpcReason } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"
import { elapsedOf } from "../internal/elapsed.ts"
import { balanceOf, checkCredits, checkDaily, keptOf, makeOpenReservations, settledAt } from "./amounts.ts"
import { CreditLedger, defaultDaily, LedgerFull, type Reservation } from "./Ledger.ts"
import type { Entry, Standing, Step } from "./rule.ts"
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
  store: Pick<LedgerStore, "step" | "account"> & Partial<Pick<LedgerStore, "pace">>,
  options: LeaseOptions,
): Effect.Effect<CreditLedger["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const { ahead, by, daily, leaseMillis, window } = options
    const owner = newOwner()
    const scope = yield* Effect.scope
    const line = Semaphore.makeUnsafe(1)
    const open = makeOpenReservations()

    let leased = 0
    /** Until when the lease lasts, by the wall clock and by one that cannot be set; the earlier of them counts. */
    let until: Moment = past
    /** What time it was by the store at a moment of this process. */
    let told: { readonly now: number; readonly at: Moment } | undefined
    /** What had to stay free when the lease was granted. */
    let kept = 0
    let stepping = false
    let number = 0
    /** Charges whose step has not been confirmed, and those since then. */
    let entries: ReadonlyArray<Entry> = []
    let fresh = new Map<string, Omit<Entry, "number">>()
    let unwritten = 0
    let usedSinceBeat = false
    /** How many calls are paid ahead now, and since when. */
    let growth = 0
    let grownAt = Number.NEGATIVE_INFINITY
    /** The price of the latest call. */
    let price = 0
    /** Calls that wait for a step. */
    let waiting = 0
    let returning = false
    let beating = false
    /** Whether the store may know this owner. */
    let known = false
    /** Steps that did not succeed so far, and what the last of them met with. */
    let failures = 0
    let trouble: RpcReason.LedgerUnavailable | undefined

    const spare = () => leased - open.credits() - unwritten
    const lasts = (now: Moment) => now.wall < until.wall && now.elapsed < until.elapsed
    /** What time it is by the store. A clock that stood still or was set back does not bring back a day. */
    const storeTime = (now: Moment): number =>
      told === undefined ? now.wall : told.now + Math.max(0, now.wall - told.at.wall, now.elapsed - told.at.elapsed)
    const fits = (credits: number, toKeep: number, now: Moment) =>
      credits === 0 || (!stepping && lasts(now) && credits <= spare() && toKeep <= kept)

    const take = (credits: number): Reservation => {
      usedSinceBeat = true
      price = credits
      return open.begin(credits)
    }

    const step = (
      now: Moment,
      wish: Pick<Step, "need" | "extra" | "kept" | "last">,
    ): Effect.Effect<Standing, RpcReason.LedgerUnavailable> =>
      Effect.suspend(() => {
        if (fresh.size > 0) {
          number++
          entries = [...entries, ...Array.from(fresh.values(), (entry) => ({ ...entry, number }))]
          fresh = new Map()
        }
        const written = entries.reduce((sum, entry) => sum + entry.credits, 0)
        const held = open.credits()
        stepping = true
        known = true
        return store.step({ ...wish, owner, by, leaseMillis, daily, open: held, entries, number }).pipe(
          Effect.tap((standing) =>
            Effect.sync(() => {
              entries = []
              unwritten -= written
              leased = held + standing.granted
              kept = wish.kept
              until = { wall: now.wall + leaseMillis, elapsed: now.elapsed + leaseMillis }
              told = { now: standing.now, at: now }
            }),
          ),
          // Whether the store took the step is not known: nothing is reserved from the lease until a step succeeds.
          Effect.tapError((error) =>
            Effect.sync(() => {
              until = past
              failures++
              trouble = error
            }),
          ),
          Effect.ensuring(Effect.sync(() => (stepping = false))),
        )
      })

    /** Runs alone, and to its end: a step that has begun cannot be taken back. */
    const alone = <A, E>(use: (now: Moment) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      line.withPermit(Effect.uninterruptible(Effect.clockWith((clock) => use(momentOf(clock)))))

    /** A process begins with a lease for one call, and doubles it while leases are used up soon. */
    const grow = ({ elapsed }: Moment): void => {
      growth = elapsed - grownAt < beatMillis ? Math.min(ahead, 2 * growth + 1) : 0
      grownAt = elapsed
    }

    const refill = (
      credits: number,
      toKeep: number,
    ): Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable> =>
      Effect.suspend(() => {
        const failuresBefore = failures
        waiting++
        return alone((now): Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable> => {
          if (fits(credits, toKeep, now)) return Effect.succeed(take(credits))
          // Who waited in line while the store could not be reached gets that error, instead of waiting for it once more.
          if (failures > failuresBefore && trouble !== undefined) return Effect.fail(trouble)
          grow(now)
          const wish = { need: credits, extra: credits * growth, kept: toKeep, last: false }
          return Effect.flatMap(step(now, wish), (standing) => {
            if (standing.granted >= credits) return Effect.as(startBeat, take(credits))
            const full = {
              needed: credits,
              remaining: Math.max(0, standing.free),
              kept: toKeep,
              reserved: open.credits() + standing.others,
              daily,
              resetsAt: resetOf(standing.now, now.wall, window),
            }
            return Effect.andThen(startBeat, Effect.fail(new LedgerFull(full)))
          })
        }).pipe(Effect.ensuring(Effect.sync(() => waiting--)))
      })

    /** Returns what calls leave of their reservations, once it is more than is paid ahead anyway. */
    const refund = Effect.suspend(() => {
      if (returning || !isMore()) return Effect.void
      returning = true
      const back = Effect.yieldNow.pipe(
        Effect.andThen(
          alone((now) =>
            isMore() ? Effect.ignore(step(now, { need: 0, extra: price * growth, kept, last: false })) : Effect.void,
          ),
        ),
        Effect.ensuring(Effect.sync(() => (returning = false))),
      )
      return Effect.asVoid(Effect.forkIn(back, scope))
    })
    const isMore = () => !stepping && waiting === 0 && spare() > price * Math.max(1, growth)

    /** Reports charges to the store, renews the lease while attempts are in flight, and returns what is not used. */
    const beatOnce = alone((now) => {
      const wanted = usedSinceBeat ? Math.max(0, spare()) : 0
      usedSinceBeat = false
      const left = Math.min(until.wall - now.wall, until.elapsed - now.elapsed)
      const due = unwritten > 0 || spare() > wanted || left < leaseMillis / 2
      return due ? Effect.asVoid(step(now, { need: 0, extra: wanted, kept, last: false })) : Effect.void
    })
    const isIdle = () => leased === 0 && unwritten === 0 && open.credits() === 0
    const beat: Effect.Effect<void> = Effect.sleep(beatMillis).pipe(
      // A store that cannot be reached is tried again with the next beat; calls that need it meanwhile get an error.
      Effect.andThen(Effect.ignore(beatOnce)),
      Effect.andThen(Effect.sync(() => (beating = !isIdle()))),
      Effect.repeat({ while: (goesOn) => goesOn }),
      Effect.asVoid,
    )
    const startBeat = Effect.suspend(() => {
      if (beating || isIdle()) return Effect.void
      beating = true
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(beat), scope))
    })

    yield* Effect.addFinalizer(() =>
      alone((now) =>
        known || unwritten > 0
          ? step(now, { need: 0, extra: 0, kept: 0, last: true }).pipe(
              Effect.catch((error) =>
                unwritten === 0
                  ? Effect.void
                  : Effect.logWarning(`Charges of ${unwritten} credits could not be recorded: ${error.why}.`),
              ),
            )
          : Effect.void,
      ),
    )

    return CreditLedger.of({
      pace: store.pace,
      reserve: (credits, keepShare = 0) =>
        Effect.clockWith((clock) => {
          const now = momentOf(clock)
          checkCredits(credits)
          const toKeep = keptOf(daily, keepShare)
          return fits(credits, toKeep, now) ? Effect.succeed(take(credits)) : refill(credits, toKeep)
        }),
      settle: (reservation, said, { file, method, network }) =>
        Effect.clockWith((clock) => {
          const charged = settledAt(reservation, said)
          const day = dayOf(storeTime(momentOf(clock)))
          open.end(reservation)
          const key = `${day} ${network} ${method} ${file ?? ""}`
          const credits = (fresh.get(key)?.credits ?? 0) + charged
          fresh.set(key, { day, network, method, file, credits })
          unwritten += charged
          return Effect.andThen(startBeat, refund)
        }),
      release: (reservation) =>
        Effect.suspend(() => {
          open.end(reservation)
          return refund
        }),
      balance: alone((now) =>
        Effect.map(store.account(owner), (account) => {
          told = { now: account.now, at: now }
          const own = [...entries, ...fresh.values()].filter((entry) => entry.day >= account.since)
          return balanceOf([...account.charges, ...own], {
            daily,
            reserved: account.reserved + open.credits(),
            lost: account.lost,
            uses: account.uses.map((use) => ({ ...use, hour: new Date(use.hour * 3_600_000) })),
            resetsAt: resetOf(account.now, now.wall, window),
          })
        }),
      ),
    })
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

/** A moment of this process, in milliseconds: since 1970, and since some other moment by a clock that cannot be set. */
interface Moment {
  readonly wall: number
  readonly elapsed: number
}

const momentOf = (clock: Clock.Clock): Moment => ({ wall: clock.currentTimeMillisUnsafe(), elapsed: elapsedOf(clock) })

const past: Moment = { wall: Number.NEGATIVE_INFINITY, elapsed: Number.NEGATIVE_INFINITY }

/** How often a process that is at work tells the store. */
const beatMillis = 1_000

/** Who holds a lease: the process, for people who read the store, and an id that no other ledger has. */
const newOwner = (): string => {
  const { process } = globalThis as { readonly process?: { readonly pid?: number | undefined } | undefined }
  return `${process?.pid ?? "browser"}-${crypto.randomUUID()}`
}
