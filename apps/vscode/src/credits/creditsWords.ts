/** What the status bar says about credits. */
import { Price, PriceSheet, Table } from "@dotrpc/spec"

import { placeWords } from "./LedgerPlace.ts"
import type { AccountBalance, ProjectBalance } from "./Ledgers.ts"

/** `15 h`, `42 min`; never less than a minute, as the day has not ended yet. */
export const untilReset = (resetsAt: Date, now: number): string => {
  const minutes = Math.max(1, Math.ceil((resetsAt.getTime() - now) / 60_000))
  if (minutes > 48 * 60) return `${Math.round(minutes / 1_440)} days`
  return minutes > 90 ? `${Math.round(minutes / 60)} h` : `${minutes} min`
}

/** `resets in 15 h`; nothing for a balance that never resets. */
export const resetWords = (resetsAt: Date | undefined, now: number): ReadonlyArray<string> =>
  resetsAt === undefined ? [] : [`resets in ${untilReset(resetsAt, now)}`]

/** `99,999,400 CU left`; what was spent, of a balance without a limit. */
export const accountWords = ({ balance, prices }: AccountBalance): string =>
  balance.daily === Number.POSITIVE_INFINITY
    ? `${Price.showCredits(balance.spent, prices?.unit)} spent`
    : `${Price.showCredits(balance.remaining, prices?.unit)} left`

/** `2,999,745 credits left · 255 today · resets in 15 h`; a day without spending shows only the first part. */
export const balanceLine = ({ accounts, balance }: ProjectBalance, now: number): string =>
  accounts === undefined ? commonLine(balance, now) : accounts.map(accountWords).join(" · ")

const commonLine = (balance: ProjectBalance["balance"], now: number): string =>
  [
    `${Table.groupDigits(balance.remaining)} credits left`,
    ...(balance.spent === 0 ? [] : [`${Table.groupDigits(balance.spent)} today`, ...resetWords(balance.resetsAt, now)]),
  ].join(" · ")

/** The same in sentences. */
export const balanceSentences = ({ accounts, balance, place }: ProjectBalance, now: number): ReadonlyArray<string> =>
  accounts === undefined
    ? [...commonSentences(balance, now), placeWords(place)]
    : [...accounts.map((account) => accountSentence(account, now)), placeWords(place)]

/** `Alchemy: 99,999,400 of 100,000,000 CU left, 600 CU spent this month, resets in 9 days.` */
const accountSentence = ({ balance, prices }: AccountBalance, now: number): string => {
  const shown = (amount: number) => Price.showCredits(amount, prices?.unit)
  const left =
    balance.daily === Number.POSITIVE_INFINITY
      ? []
      : [`${Table.groupDigits(balance.remaining)} of ${shown(balance.daily)} left`]
  const when = prices === undefined ? "today" : PriceSheet.windowWords(prices.window)
  const parts = [...left, `${shown(balance.spent)} spent ${when}`, ...resetWords(balance.resetsAt, now)]
  return `${accountTitle(prices)}: ${parts.join(", ")}.`
}

/** The name of the provider. */
export const accountTitle = (prices: PriceSheet.PriceSheet | undefined): string => prices?.title ?? "Other networks"

const commonSentences = (balance: ProjectBalance["balance"], now: number): ReadonlyArray<string> => [
  `${Table.groupDigits(balance.remaining)} of ${Price.showCredits(balance.daily)} left today, ${Price.showCredits(balance.spent)} spent.`,
  ...(balance.reserved === 0 ? [] : [`${Price.showCredits(balance.reserved)} are reserved for calls in flight.`]),
  ...(balance.resetsAt === undefined
    ? []
    : [`The balance resets at 00:00 UTC, in ${untilReset(balance.resetsAt, now)}.`]),
]
