/** Checks and sums that every ledger makes in the same way. */
import { Options, Price } from "@dotrpc/spec"
import type { Balance, Charge, Reservation } from "./Ledger.ts"

/** Throws a `RangeError` unless `daily` is a number of credits; `Infinity` is one. */
export const checkDaily = (daily: number): number => Options.zeroOrMore("daily", daily, "credits")

/** Throws a `RangeError` unless what was spent is a number of credits. */
export const checkSpent = (spent: number): number => Options.credits("spent", spent)

/** Throws a `RangeError` unless the amount is a number of credits. */
export const checkCredits = (credits: number): void => {
  if (!Price.isCredits(credits)) throw new RangeError(`${String(credits)} is not a number of credits.`)
}

/** What a reservation is settled at: all that it set aside when the charge is not a number of credits. */
export const settledAt = ({ credits }: Reservation, charged: number): number =>
  Price.isCredits(charged) ? charged : credits

/** The credits that have to remain. A balance without end keeps nothing back. */
export const keptOf = (daily: number, keepShare: number): number =>
  daily === Number.POSITIVE_INFINITY ? 0 : daily * keepShare

/** The reservations that have not ended. */
export interface OpenReservations {
  readonly credits: () => number
  readonly begin: (credits: number) => Reservation
  /** Throws a `TypeError` when it has ended, or was begun elsewhere. */
  readonly end: (reservation: Reservation) => void
}

export const makeOpenReservations = (): OpenReservations => {
  const open = new Set<Reservation>()
  let sum = 0
  return {
    credits: () => sum,
    begin: (credits) => {
      checkCredits(credits)
      const reservation: Reservation = { credits }
      open.add(reservation)
      sum += credits
      return reservation
    },
    end: (reservation) => {
      if (!open.delete(reservation))
        throw new TypeError("The reservation has already ended, or belongs to another ledger.")
      sum -= reservation.credits
    },
  }
}

/** The balance over some charges of the window. */
export const balanceOf = (
  charges: Iterable<Charge & { readonly credits: number }>,
  rest: Pick<Balance, "daily" | "reserved" | "lost" | "resetsAt" | "uses">,
): Balance => {
  // Maps, because a method or network may have any name, such as one that every object has.
  const byMethod = new Map<string, number>()
  const byNetwork = new Map<string, Map<string, number>>()
  let spent = rest.lost
  for (const { credits, method, network } of charges) {
    spent += credits
    const methods = byNetwork.get(network) ?? new Map<string, number>()
    byNetwork.set(network, methods)
    for (const sums of [byMethod, methods]) sums.set(method, (sums.get(method) ?? 0) + credits)
  }
  return {
    ...rest,
    spent,
    remaining: Math.max(0, rest.daily - spent - rest.reserved),
    byMethod: Object.fromEntries(byMethod),
    byNetwork: Object.fromEntries([...byNetwork].map(([network, methods]) => [network, Object.fromEntries(methods)])),
  }
}
