/**
 * What a step changes in a ledger in a SQL database, as plain data: it is computed here while the ledger is locked, and then
 * written.
 */
import type { ServerTime } from "./serverTime.ts"
import { type Entry, grantOf, type Standing, type Step } from "./store.ts"
import { firstDay, type Window } from "./window.ts"

/** What a step finds. */
export interface Found {
  readonly time: ServerTime
  /** The owner's lease, where it has one: which of its leases, and the number of the latest entry. */
  readonly own: { readonly lease: number; readonly number: number } | undefined
  /** The credits in the leases of others, by the day on which they end. */
  readonly others: ReadonlyArray<CreditsOfDay>
  /** What was charged, by day, from the first day that counts. */
  readonly charges: ReadonlyArray<CreditsOfDay>
}

export interface CreditsOfDay {
  readonly day: number
  readonly credits: number
}

/** What it writes. */
export interface Taken {
  readonly standing: Standing
  readonly charges: ReadonlyArray<Omit<Entry, "number">>
  /** The new lease; `undefined` where the owner goes. */
  readonly lease: { readonly credits: number; readonly ends: number } | undefined
}

/** `undefined` for a step that arrives after a later one of its owner: it changes nothing. */
export const takeStep = (found: Found, step: Step, lease: number, window: Window): Taken | undefined => {
  const { isAgreed, latest: now, since, today } = found.time
  if (found.own !== undefined && lease < found.own.lease) return undefined
  const first = firstDay(window, since)
  const written = found.own?.number ?? -1
  const charges = step.entries
    .filter(({ number }) => number > written)
    .map(({ credits, day, method, network }) => ({
      day: isAgreed ? Math.min(day, today) : today,
      network: nameOf(network),
      method: nameOf(method),
      credits,
    }))
  // The leases of others count whether they last, have ended, or become charges of earlier days with this step.
  const held = sumFrom(found.others, first)
  const free = step.daily - step.open - held - sumFrom(found.charges, first) - sumFrom(charges, first)
  const granted = grantOf(free, step)
  const credits = step.open + granted
  return {
    standing: { granted, free, others: sumFrom(found.others, isAgreed ? since : first), now },
    charges: merged(charges),
    lease: step.last && credits === 0 ? undefined : { credits, ends: now + step.leaseMillis },
  }
}

const sumFrom = (all: ReadonlyArray<CreditsOfDay>, first: number): number =>
  all.reduce((sum, { credits, day }) => (day >= first ? sum + credits : sum), 0)

/** A statement changes each row once. */
const merged = (charges: Taken["charges"]): Taken["charges"] => {
  const byName = new Map<string, Taken["charges"][number]>()
  for (const charge of charges) {
    const key = JSON.stringify([charge.day, charge.network, charge.method])
    byName.set(key, { ...charge, credits: charge.credits + (byName.get(key)?.credits ?? 0) })
  }
  return [...byName.values()]
}

/** A name that an index can keep: Unicode without NUL, and not too long. Charges of names that begin alike are added up. */
const nameOf = (name: string): string => name.slice(0, longestName).replace(/[\0\p{Surrogate}]/gu, "\uFFFD")

const longestName = 200
