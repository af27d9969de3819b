/**
 * The calls that wait for credits, as a value: who is next, what is decided for each, and what changes when a call
 * joins, leaves or goes. Interactive calls go first, then pipelines in turn.
 */
import { RpcReason } from "@dotrpc/spec"
import type { Allowance } from "../Allowance.ts"
import type { LedgerFull } from "../ledger/Ledger.ts"
import type { Priority } from "../Priority.ts"
import type { PriceWords } from "./attempt.ts"
import * as Queue from "./queue.ts"
import * as Second from "./second.ts"

export interface Waiting<A extends Waiter> {
  readonly queue: Queue.Queue<A>
  /** Credits per second. */
  readonly rate: Second.Second | undefined
}

/** What a call needs to go. */
export interface Need {
  readonly price: number
  /** Asked for when the price cannot be paid. */
  readonly words?: (() => PriceWords) | undefined
  readonly priority: Priority
  /** Innermost first. */
  readonly allowances: ReadonlyArray<Allowance>
}

export interface Waiter extends Need, Queue.Entry {}

export interface Rules {
  /** Whether calls wait for credits of the day and of their allowances; for the rate they always do. */
  readonly waits: boolean
  /** Milliseconds on a clock that is never set back. */
  readonly now: number
}

/** What happens to a call that arrives. */
export type Arrival<A extends Waiter> =
  | { readonly _tag: "Refuse"; readonly reason: RpcReason.BudgetRefused }
  | { readonly _tag: "Wait" }
  /** It may reserve its price in the ledger; its share of the rate is taken. */
  | { readonly _tag: "Reserve"; readonly waiting: Waiting<A> }

/** What is to be done about those who wait. */
export type Look<A extends Waiter> =
  /** Nobody waits. */
  | { readonly _tag: "Idle" }
  /** No allowance can pay before credits are returned to it. */
  | { readonly _tag: "Blocked" }
  /** It left the line, because an allowance can never pay for it. */
  | {
      readonly _tag: "Refuse"
      readonly one: A
      readonly reason: RpcReason.BudgetRefused
      readonly waiting: Waiting<A>
    }
  /** The next one has to wait for the rate. */
  | { readonly _tag: "Pause"; readonly one: A; readonly millis: number }
  /** The next one may reserve its price in the ledger. */
  | { readonly _tag: "Reserve"; readonly one: A }

export const nobody = <A extends Waiter>(rate: Second.Second | undefined): Waiting<A> => ({
  queue: Queue.empty(),
  rate,
})

export const isEmpty = <A extends Waiter>({ queue }: Waiting<A>): boolean => Queue.isEmpty(queue)

/** All waiting calls, the next one first. */
export const inTurn = <A extends Waiter>({ queue }: Waiting<A>): Iterable<A> => Queue.inTurn(queue)

/** A call goes at once only where nobody waits. */
export const arrive = <A extends Waiter>(waiting: Waiting<A>, call: Need, { now, waits }: Rules): Arrival<A> => {
  const reason = refusalOf(call, waits)
  if (reason !== undefined) return { _tag: "Refuse", reason }
  const { rate } = waiting
  if (!isEmpty(waiting) || !isCovered(call)) return { _tag: "Wait" }
  if (rate === undefined) return { _tag: "Reserve", waiting }
  if (Second.waitFor(rate, call.price, now) > 0) return { _tag: "Wait" }
  return { _tag: "Reserve", waiting: { ...waiting, rate: Second.take(Second.since(rate, now), call.price, now) } }
}

/** A call that arrived could not reserve its price: its share of the rate is returned. */
export const notReserved = <A extends Waiter>(waiting: Waiting<A>, { price }: Need): Waiting<A> =>
  waiting.rate === undefined ? waiting : { ...waiting, rate: Second.refund(waiting.rate, price) }

export const join = <A extends Waiter>(waiting: Waiting<A>, one: A): Waiting<A> => ({
  ...waiting,
  queue: Queue.join(waiting.queue, one),
})

/** It does not wait any longer, and has had no turn. */
export const leave = <A extends Waiter>(waiting: Waiting<A>, one: A): Waiting<A> => ({
  ...waiting,
  queue: Queue.leave(waiting.queue, one),
})

export const look = <A extends Waiter>(waiting: Waiting<A>, { now, waits }: Rules): Look<A> => {
  const one = nextOf(waiting, waits)
  if (one === undefined) return isEmpty(waiting) ? { _tag: "Idle" } : { _tag: "Blocked" }
  const reason = refusalOf(one, waits)
  if (reason !== undefined) return { _tag: "Refuse", one, reason, waiting: hadItsTurn(waiting, one) }
  const millis = waiting.rate === undefined ? 0 : Second.waitFor(waiting.rate, one.price, now)
  return millis > 0 ? { _tag: "Pause", one, millis } : { _tag: "Reserve", one }
}

/** Its price is reserved, and it goes. */
export const go = <A extends Waiter>(waiting: Waiting<A>, one: A, now: number): Waiting<A> => {
  const { rate } = waiting
  return {
    ...hadItsTurn(waiting, one),
    rate: rate === undefined ? undefined : Second.take(Second.since(rate, now), one.price, now),
  }
}

/** It leaves, and those beside it are next. */
export const hadItsTurn = <A extends Waiter>(waiting: Waiting<A>, one: A): Waiting<A> => ({
  ...waiting,
  queue: Queue.go(waiting.queue, one),
})

/** Whether waiting for the next day, or for credits that others return, can help. */
export const mayWait = ({ daily, kept, needed }: LedgerFull, waits: boolean): boolean => waits && needed + kept <= daily

/** When to look again after the ledger had too little left. */
export const lookAgainIn = (full: LedgerFull, untilReset: number): number =>
  Math.min(untilReset, full.reserved > 0 ? soonMillis : laterMillis)

/** Credits that another process has reserved may come free any time. */
const soonMillis = 1_000
/** Looks again now and then, in case the clock was set. */
const laterMillis = 60_000

/**
 * The first whose allowances can pay for it now, or never can. Calls of one price inside the same allowances are alike, so
 * only the first of them is asked, however many wait.
 */
const nextOf = <A extends Waiter>({ queue }: Waiting<A>, waits: boolean): A | undefined => {
  for (const one of Queue.firsts(queue)) if (isCovered(one) || refusalOf(one, waits) !== undefined) return one
  return undefined
}

const isCovered = ({ allowances, price }: Need): boolean => allowances.every((allowance) => allowance.covers(price))

/** The allowance that cannot pay, if any. One that waits is refused only what it could not pay even with everything back that is in flight. */
export const refusalOf = (
  { allowances, price, words }: Pick<Need, "allowances" | "price" | "words">,
  waits: boolean,
): RpcReason.BudgetRefused | undefined => {
  for (const allowance of allowances) {
    if (allowance.limit === undefined || allowance.covers(price)) continue
    if (waits && allowance.spent + price <= allowance.limit) continue
    return new RpcReason.BudgetRefused({
      limit: allowance.name,
      allowed: allowance.limit,
      spent: allowance.spent + allowance.reserved,
      needed: price,
      ...words?.(),
    })
  }
  return undefined
}
