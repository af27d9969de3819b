/**
 * What a process holds of an account: its lease, the calls that it has reserved within it, and the charges that it has yet to
 * write down. Nothing here reads a clock or asks the store.
 *
 * Invariant: `lease >= open + charges not written down + spare` at every moment at which a call may reserve, unless a call
 * was charged more than it had reserved. So whatever happens to this process, the store counts too much and never too little.
 */
import { dayOf } from "../internal/day.ts"
import { makeOpenReservations, settledAt } from "./amounts.ts"
import type { Charge, Reservation } from "./Ledger.ts"
import type { Entry, Standing, Step } from "./rule.ts"

/** A moment of this process, in milliseconds: since 1970, and since some other moment by a clock that cannot be set. */
export interface Moment {
  readonly wall: number
  readonly elapsed: number
}

/** What a process asks the store for. */
export type Wish = Pick<Step, "need" | "extra" | "kept" | "last">

export interface Held {
  readonly open: ReturnType<typeof makeOpenReservations>
  leased: number
  /** Until when the lease lasts, by the wall clock and by one that cannot be set; the earlier of them counts. */
  until: Moment
  /** What time it was by the store at a moment of this process. */
  told: { readonly now: number; readonly at: Moment } | undefined
  /** What had to stay free when the lease was granted. */
  kept: number
  isStepping: boolean
  number: number
  /** Charges whose step has not been confirmed, and those since then. */
  entries: ReadonlyArray<Entry>
  fresh: Map<string, Omit<Entry, "number">>
  unwritten: number
  usedSinceBeat: boolean
  /** How many calls are paid ahead now, and since when. */
  growth: number
  grownAt: number
  /** The price of the latest call. */
  price: number
}

export const nothingHeld = (): Held => ({
  open: makeOpenReservations(),
  leased: 0,
  until: past,
  told: undefined,
  kept: 0,
  isStepping: false,
  number: 0,
  entries: [],
  fresh: new Map(),
  unwritten: 0,
  usedSinceBeat: false,
  growth: 0,
  grownAt: Number.NEGATIVE_INFINITY,
  price: 0,
})

/** What calls may still reserve. */
export const spare = ({ leased, open, unwritten }: Held): number => leased - open.credits() - unwritten

export const fits = (held: Held, credits: number, toKeep: number, now: Moment): boolean =>
  credits === 0 || (!held.isStepping && timeLeft(held, now) > 0 && credits <= spare(held) && toKeep <= held.kept)

export const timeLeft = ({ until }: Held, now: Moment): number =>
  Math.min(until.wall - now.wall, until.elapsed - now.elapsed)

/** Neither a lease nor anything to write down. */
export const isIdle = ({ leased, open, unwritten }: Held): boolean =>
  leased === 0 && unwritten === 0 && open.credits() === 0

/** Whether there is more than is paid ahead anyway. */
export const hasTooMuch = (held: Held): boolean =>
  !held.isStepping && spare(held) > held.price * Math.max(1, held.growth)

export const take = (held: Held, credits: number): Reservation => {
  held.usedSinceBeat = true
  held.price = credits
  return held.open.begin(credits)
}

export const charge = (held: Held, reservation: Reservation, said: number, to: Charge, now: Moment): void => {
  const charged = settledAt(reservation, said)
  const day = dayOf(storeTime(held, now))
  held.open.end(reservation)
  const { file, method, network } = to
  const key = `${day} ${network} ${method} ${file ?? ""}`
  const credits = (held.fresh.get(key)?.credits ?? 0) + charged
  held.fresh.set(key, { day, network, method, file, credits })
  held.unwritten += charged
}

/** A process begins with a lease for one call, and doubles it while leases are used up within `soon`. */
export const grow = (held: Held, { elapsed }: Moment, ahead: number, soon: number): void => {
  held.growth = elapsed - held.grownAt < soon ? Math.min(ahead, 2 * held.growth + 1) : 0
  held.grownAt = elapsed
}

/** A step begins, with all that is to be written down. */
export const begin = (held: Held): Pick<Step, "entries" | "number" | "open"> => {
  if (held.fresh.size > 0) {
    held.number++
    const fresh = Array.from(held.fresh.values(), (entry) => ({ ...entry, number: held.number }))
    held.entries = [...held.entries, ...fresh]
    held.fresh = new Map()
  }
  held.isStepping = true
  return { open: held.open.credits(), entries: held.entries, number: held.number }
}

/** The store has taken the step that began with `sent`. */
export const confirmed = (
  held: Held,
  sent: ReturnType<typeof begin>,
  { granted, now: storeNow }: Standing,
  { at, kept, millis }: { readonly at: Moment; readonly kept: number; readonly millis: number },
): void => {
  held.entries = []
  held.unwritten -= sent.entries.reduce((sum, { credits }) => sum + credits, 0)
  held.leased = sent.open + granted
  held.kept = kept
  held.until = { wall: at.wall + millis, elapsed: at.elapsed + millis }
  held.told = { now: storeNow, at }
}

/** Whether the store took the step is not known: nothing is reserved from the lease until a step succeeds. */
export const lost = (held: Held): void => {
  held.until = past
}

/** What time it is by the store. A clock that stood still or was set back does not bring back a day. */
const storeTime = ({ told }: Held, now: Moment): number =>
  told === undefined ? now.wall : told.now + Math.max(0, now.wall - told.at.wall, now.elapsed - told.at.elapsed)

const past: Moment = { wall: Number.NEGATIVE_INFINITY, elapsed: Number.NEGATIVE_INFINITY }
