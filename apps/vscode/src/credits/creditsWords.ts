/** What the status bar says about credits. */
import { Price, Table } from "@dotrpc/spec"

import { placeWords } from "./LedgerPlace.ts"
import type { ProjectBalance } from "./Ledgers.ts"

/** `15 h`, `42 min`; never less than a minute, as the day has not ended yet. */
export const untilReset = (resetsAt: Date, now: number): string => {
  const minutes = Math.max(1, Math.ceil((resetsAt.getTime() - now) / 60_000))
  return minutes > 90 ? `${Math.round(minutes / 60)} h` : `${minutes} min`
}

/** `resets in 15 h`; nothing for a balance that never resets. */
export const resetWords = (resetsAt: Date | undefined, now: number): ReadonlyArray<string> =>
  resetsAt === undefined ? [] : [`resets in ${untilReset(resetsAt, now)}`]

/** `2,999,745 credits left · 255 today · resets in 15 h`; a day without spending shows only the first part. */
export const balanceLine = ({ balance }: ProjectBalance, now: number): string =>
  [
    `${Table.groupDigits(balance.remaining)} credits left`,
    ...(balance.spent === 0 ? [] : [`${Table.groupDigits(balance.spent)} today`, ...resetWords(balance.resetsAt, now)]),
  ].join(" · ")

/** The same in sentences. */
export const balanceSentences = ({ balance, place }: ProjectBalance, now: number): ReadonlyArray<string> => [
  `${Table.groupDigits(balance.remaining)} of ${Price.showCredits(balance.daily)} left today, ${Price.showCredits(balance.spent)} spent.`,
  ...(balance.reserved === 0 ? [] : [`${Price.showCredits(balance.reserved)} are reserved for calls in flight.`]),
  ...(balance.resetsAt === undefined
    ? []
    : [`The balance resets at 00:00 UTC, in ${untilReset(balance.resetsAt, now)}.`]),
  placeWords(place),
]
