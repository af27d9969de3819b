/**
 * The part of a shared rate that a process has taken and not used. It takes the price of its next call, or what the rate gives in a
 * moment where that is more, so that a high rate needs few trips.
 *
 * Invariant: what a call uses was taken before, and its wait is over. What is not used within a second is lost.
 */
import * as Effect from "effect/Effect"
import type { RpcReason } from "@dotrpc/spec"
import type { Pace } from "../ledger/pace.ts"
import { elapsed } from "./elapsed.ts"

export interface PaceInHand {
  /** Milliseconds until a call of this price may go; 0 where it may now, and its price is used. */
  readonly use: (price: number) => Effect.Effect<number, RpcReason.LedgerUnavailable>
  /** A call did not go. */
  readonly refund: (price: number) => void
}

export const makePaceInHand = (pace: Pace, perSecond: number): PaceInHand => {
  let credits = 0
  let readyAt = Number.NEGATIVE_INFINITY
  let usedAt = Number.NEGATIVE_INFINITY
  return {
    use: Effect.fnUntraced(function* (price) {
      if (price === 0) return 0
      const now = yield* elapsed
      if (now - Math.max(usedAt, readyAt) > keptMillis) credits = 0
      if (credits < price) {
        const taken = Math.max(price - credits, (perSecond * batchMillis) / 1_000)
        const millis = yield* pace(taken, perSecond)
        credits += taken
        readyAt = Math.max(readyAt, now + millis)
      }
      if (now < readyAt) return Math.ceil(readyAt - now)
      credits -= price
      usedAt = now
      return 0
    }),
    refund: (price) => {
      credits += price
    },
  }
}

const batchMillis = 20
const keptMillis = 1_000
