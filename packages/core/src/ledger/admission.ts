/**
 * The rule of a balance that is asked for every call, such as that of a gateway's key: a call is charged in full when it is
 * admitted, and what it did not cost is returned afterwards. It is the ledger's rule, over the same state, without leases.
 *
 * Invariant: an admission never takes the charges of a window past `daily`.
 */
import { enter, type State, sumOf, withCharge } from "./rule.ts"
import type { Window } from "./window.ts"

/** Credits of one call. */
export interface AdmittedCharge {
  readonly method: string
  readonly credits: number
}

/** What may be spent. */
export interface AdmissionLimits {
  /** Credits in a window. */
  readonly daily: number
  /** Credits in a second; absent means no limit. */
  readonly perSecond?: number | undefined
}

/** What was spent in the window, this admission included if it was one; `day` is where it is charged. */
export type Admission =
  | { readonly admitted: true; readonly spent: number; readonly day: number }
  | { readonly admitted: false; readonly spent: number; readonly limit: "daily" | "perSecond" }

/** What was spent in the window. */
export interface SpentSince {
  /** The first day that counts, as a number since 1970. */
  readonly day: number
  readonly spent: number
  readonly byMethod: Readonly<Record<string, number>>
}

/** All charges or none. What costs more than a whole second's limit is admitted at the start of a second: it could never be sent otherwise. */
export const admit = (
  state: State,
  asked: ReadonlyArray<AdmittedCharge>,
  { daily, perSecond }: AdmissionLimits,
  window: Window,
  clock: number,
): readonly [State, Admission] => {
  const entered = enter(state, undefined, window, clock)
  const { charges, first, leases, time } = entered
  const spent = sumOf(charges.filter(({ day }) => day >= first))
  const credits = sumOf(asked)
  if (spent + credits > daily) return [state, { admitted: false, limit: "daily", spent }]
  const at = Math.floor(clock / 1_000)
  const isFresh = state.second === undefined || isNewSecond(at, state.second.second)
  const before = isFresh ? { second: at, credits: 0 } : state.second
  if (perSecond !== undefined && before.credits > 0 && before.credits + credits > perSecond)
    return [state, { admitted: false, limit: "perSecond", spent }]
  const day = time.today
  return [
    {
      time: time.recorded,
      charges: asked.reduce((all, charge) => withCharge(all, { ...charge, day, network: "" }), charges),
      leases,
      second: { ...before, credits: before.credits + credits },
    },
    { admitted: true, spent: spent + credits, day },
  ]
}

/** Returns what an admitted call did not cost, on the `day` of its admission; what was spent in the window after that. */
export const refund = (
  state: State,
  { credits, method }: AdmittedCharge,
  admittedOn: number,
  window: Window,
  clock: number,
): readonly [State, number] => {
  const { charges, first, leases, time } = enter(state, undefined, window, clock)
  const returned = { day: Math.min(admittedOn, time.today), network: "", method, credits: -credits }
  const after = withCharge(charges, returned)
  // What another day has taken over, or nobody was charged, cannot be returned.
  const isCharged = after.every((one) => one.credits >= 0)
  const next = isCharged ? after.filter((one) => one.credits > 0) : charges
  const spent = sumOf(next.filter(({ day }) => day >= first))
  return [{ ...state, time: time.recorded, charges: next, leases }, spent]
}

export const spentSince = (state: State, window: Window, clock: number): readonly [State, SpentSince] => {
  const { charges, first } = enter(state, undefined, window, clock)
  const byMethod = new Map<string, number>()
  for (const { credits, day, method } of charges)
    if (day >= first) byMethod.set(method, (byMethod.get(method) ?? 0) + credits)
  const spent = [...byMethod.values()].reduce((sum, credits) => sum + credits, 0)
  return [
    state,
    { day: first, spent, byMethod: Object.fromEntries([...byMethod].filter(([, credits]) => credits > 0)) },
  ]
}

/** A clock that is up to five seconds behind counts into the latest second; one that is further behind was set back. */
const isNewSecond = (second: number, latest: number): boolean => second > latest || second < latest - 5
