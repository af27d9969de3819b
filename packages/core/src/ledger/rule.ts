/**
 * The rule of every ledger, as pure functions of the form `(state, question, clock) → [state, answer]`: which day it is, what is
 * leased, what is returned, and what a lease counts for that has expired. A store only keeps the state, and replaces it as one.
 *
 * The state has the charges of each day, and one lease for each owner, that is each process that uses the ledger: credits which
 * the owner may spend without asking again, until a moment. A lease that was not renewed in time counts as spent on the day on
 * which it ended; its owner may still say what became of it, and then that counts instead.
 *
 * Invariants: charges of a window + leases that end on its latest day or later never grow past `daily` by a step. Nothing
 * is forgotten because a clock says so.
 */
import { dayOf } from "../internal/day.ts"
import { type LedgerTime, type RecordedTime, timeOf } from "./time.ts"
import { daysNamed, earlierDays, firstDay, type Window } from "./window.ts"

export interface State {
  /** Absent before the first step. */
  readonly time?: RecordedTime | undefined
  readonly charges: ReadonlyArray<Charged>
  readonly leases: ReadonlyArray<Lease>
  /** The charges of the latest hours once more, by what made them. */
  readonly uses?: ReadonlyArray<Use> | undefined
  /** What the latest second took, where each call is admitted by itself: see `admission.ts`. */
  readonly second?: { readonly second: number; readonly credits: number } | undefined
}

/** What was charged on a day. */
export interface Charged {
  readonly day: number
  readonly network: string
  readonly method: string
  readonly credits: number
}

/** What was charged in an hour, by the program that made the calls, and the file that they are in. */
export interface Use {
  /** Counted from 1970. */
  readonly hour: number
  readonly by: string
  readonly file?: string | undefined
  readonly credits: number
}

export interface Lease {
  readonly owner: string
  readonly credits: number
  /** Milliseconds since 1970. */
  readonly until: number
  /** Of the owner's latest entry. */
  readonly number: number
}

/** What a ledger begins with. */
export const nothing: State = { charges: [], leases: [] }

/** An owner writes its charges down and replaces its lease. */
export interface Step {
  readonly owner: string
  /** What it is, for people. */
  readonly by?: string | undefined
  /** How long the new lease lasts. */
  readonly leaseMillis: number
  readonly daily: number
  /** Credits of attempts in flight. They stay in the lease whatever else there is. */
  readonly open: number
  /** Credits that are needed on top: all of them are granted, or nothing is. */
  readonly need: number
  /** Credits that would be welcome after that; granted while there is plenty. */
  readonly extra: number
  /** Credits that have to stay free. */
  readonly kept: number
  /** Charges since the last step that is known to have arrived. */
  readonly entries: ReadonlyArray<Entry>
  /** The number of the latest entry. Entries up to the number that the state has of the owner are skipped: a step whose reply was lost is taken again. */
  readonly number: number
  /** The owner goes: without open attempts none of its lease is kept. */
  readonly last: boolean
}

/** A charge, by the owner's clock: a day that has not come yet for the ledger is its own day. */
export interface Entry extends Charged {
  readonly number: number
  readonly file?: string | undefined
}

export interface Standing {
  /** Credits in the lease on top of `open`. */
  readonly granted: number
  /** What was free before they were granted; negative when more was charged than was reserved. */
  readonly free: number
  /** In the leases of others. */
  readonly others: number
  /** Milliseconds since 1970, by the clock that decides. */
  readonly now: number
}

export const takeStep = (state: State, step: Step, window: Window, clock: number): readonly [State, Standing] => {
  const { charges, first, leases, time } = enter(state, step.owner, window, clock)
  const written = leases.find(({ owner }) => owner === step.owner)?.number ?? -1
  const others = leases.filter(({ owner }) => owner !== step.owner)
  const entries = step.entries
    .filter(({ number }) => number > written)
    .map((entry) => ({ ...entry, day: time.isAgreed ? Math.min(entry.day, time.today) : time.today }))
  const allCharges = entries.reduce(withCharge, charges)
  // The leases of others count whether they last or have ended.
  const held = sumOf(others.filter(({ until }) => dayOf(until) >= first))
  const free = step.daily - step.open - held - sumOf(allCharges.filter(({ day }) => day >= first))
  const granted = grantOf(free, step)
  const credits = step.open + granted
  const now = time.recorded.latest
  const lease = { owner: step.owner, credits, until: now + step.leaseMillis, number: step.number }
  return [
    {
      time: time.recorded,
      charges: allCharges,
      leases: step.last && credits === 0 ? others : [...others, lease],
      uses: entries.reduce(
        (uses, { credits, file }) =>
          step.by === undefined
            ? uses
            : withUse(uses, { hour: Math.floor(now / hourMillis), by: step.by, file, credits }),
        state.uses,
      ),
    },
    { granted, free, others: held, now },
  ]
}

/** What an owner cannot know by itself. */
export interface DayAccount {
  readonly uses: ReadonlyArray<Use>
  readonly charges: ReadonlyArray<Charged>
  /** In leases of others that last. */
  readonly reserved: number
  /** In leases of others that have ended and were not renewed. */
  readonly lost: number
  /** The first day whose charges count. */
  readonly since: number
  readonly now: number
}

export const lookUp = (state: State, owner: string, window: Window, clock: number): readonly [State, DayAccount] => {
  const { charges, first, leases, time } = enter(state, owner, window, clock)
  const now = time.recorded.latest
  const others = leases.filter((lease) => lease.owner !== owner && dayOf(lease.until) >= first)
  const account = {
    uses: state.uses ?? [],
    charges: charges.filter(({ day }) => day >= first),
    reserved: sumOf(others.filter(({ until }) => until > now)),
    lost: sumOf(others.filter(({ until }) => until <= now)),
    since: first,
    now,
  }
  // Only steps are written down, the time included.
  return [state, account]
}

/** Replaces what was charged in the window, and what processes that have ended left behind there. */
export const setSpent = (state: State, spent: number, window: Window, clock: number): readonly [State, void] => {
  const { charges, first, leases, time } = enter(state, undefined, window, clock)
  const earlier = charges.filter(({ day }) => day < first)
  const set = { day: time.since, network: "", method: setByHand, credits: spent }
  return [
    {
      ...state,
      time: time.recorded,
      charges: spent === 0 ? earlier : withCharge(earlier, set),
      leases: leases.filter(({ until }) => until >= time.recorded.latest),
    },
    undefined,
  ]
}

export interface Entered {
  readonly time: LedgerTime
  /** The first day that counts. */
  readonly first: number
  readonly charges: State["charges"]
  readonly leases: State["leases"]
}

/** The state on the day that it is now. While that is in doubt nothing is moved: all days since the earlier one count. */
export const enter = (state: State, owner: string | undefined, window: Window, clock: number): Entered => {
  const time = timeOf(clock, state.time)
  const first = firstDay(window, time.since)
  if (!time.isAgreed) return { time, first, charges: state.charges, leases: state.leases }
  const { today } = time
  const now = time.recorded.latest
  // Charges and leases of a clock that was ahead were made today.
  const charges = state.charges.some(({ day }) => day > today)
    ? state.charges.reduce<State["charges"]>(
        (all, one) => withCharge(all, { ...one, day: Math.min(one.day, today) }),
        [],
      )
    : state.charges
  const leases = state.leases.map((lease) => ({ ...lease, until: Math.min(lease.until, now + longestLease) }))
  // What processes left behind on earlier days is a charge of those, and so is what the first of too many have left today.
  const ended = leases
    .filter((lease) => lease.until <= now && lease.owner !== owner)
    .toSorted((left, right) => left.until - right.until)
  const left = ended.filter(({ until }, index) => dayOf(until) < today || index < ended.length - leasesKept)
  return {
    time,
    first,
    charges: folded(left.reduce(withLeftBehind, charges), window.kind === "none" ? today : first),
    leases: left.length === 0 ? leases : leases.filter((lease) => !left.includes(lease)),
  }
}

export const withCharge = (charges: State["charges"], { credits, day, method, network }: Charged): State["charges"] => {
  const charge = { day, network: network.slice(0, longestName), method: method.slice(0, longestName), credits }
  const at = charges.findIndex(
    (one) => one.day === day && one.network === charge.network && one.method === charge.method,
  )
  return at === -1
    ? [...charges, charge]
    : charges.with(at, { ...charge, credits: (charges[at]?.credits ?? 0) + credits })
}

const withUse = (uses: ReadonlyArray<Use> = [], { by, credits, file: path, hour }: Use): ReadonlyArray<Use> => {
  if (credits === 0) return uses
  // An hour of a clock that was ahead, and hours of the day before.
  const kept = uses.filter((use) => use.hour <= hour && use.hour > hour - hoursKept)
  const file = path?.slice(-longestName)
  const named = { by: by.slice(0, longestName), ...(file !== undefined && { file }) }
  const isSame = (use: Use) => use.hour === hour && use.by === named.by && use.file === file
  const isFull = !kept.some(isSame) && kept.filter((use) => use.hour === hour).length >= mostUsers
  if (isFull && by !== otherUsers) return withUse(kept, { hour, by: otherUsers, credits })
  const before = kept.find(isSame)?.credits ?? 0
  return [...kept.filter((use) => !isSame(use)), { hour, ...named, credits: before + credits }]
}

const withLeftBehind = (charges: State["charges"], { credits, until }: Lease): State["charges"] =>
  credits === 0 ? charges : withCharge(charges, { day: dayOf(until), network: "", method: leftBehind, credits })

/**
 * Adds up the charges of days before `needed`, where more than enough days have any: a day that is old by a wrong clock
 * alone stays.
 */
const folded = (charges: State["charges"], needed: number): State["charges"] => {
  const days = [...new Set(charges.map(({ day }) => day))].filter((day) => day !== earlierDays)
  if (days.length <= daysNamed) return charges
  const old = new Set(
    days
      .toSorted((left, right) => left - right)
      .slice(0, -daysNamed)
      .filter((day) => day < needed),
  )
  return charges
    .filter(({ day }) => old.has(day))
    .map((one) => ({ ...one, day: earlierDays }))
    .reduce(
      withCharge,
      charges.filter(({ day }) => !old.has(day)),
    )
}

/**
 * What a step grants. Near the end of the balance leases shrink, so that many processes can share the rest of it: nobody
 * is given more ahead than a sixteenth of what is free.
 */
const grantOf = (free: number, { extra, kept, need }: Step): number => {
  const plenty = free - kept - need
  return plenty < 0 ? 0 : need + Math.min(extra, Math.floor(plenty / 16))
}

export const sumOf = (all: ReadonlyArray<{ readonly credits: number }>): number =>
  all.reduce((sum, { credits }) => sum + credits, 0)

const hourMillis = 3_600_000
const hoursKept = 24
/** Of one hour, programs and files; the names of further ones are not kept. */
const mostUsers = 20
const otherUsers = "others"

/** What a charge was for that a user has set. */
const setByHand = "set by hand"

/** What the charges were for that a process had set aside when it ended without a word. */
const leftBehind = "left behind"

/** So many leases that have ended today are kept apart, so that their owners may still correct them. */
const leasesKept = 100

/** A lease of a clock that was far ahead ends within so many milliseconds. */
const longestLease = 3_600_000

/** Charges of names that begin alike are added up, so that the state stays small whatever somebody calls. */
const longestName = 200
