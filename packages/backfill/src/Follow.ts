/** Appends blocks that have become final, so that what is written is never taken back by a reorganization. */
import { CreditBudget } from "@dotrpc/core"
import { CurrentNetwork, PriceSheet, rangeOn } from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Backfill } from "./Order.ts"
import { Store } from "./Store.ts"
import { isTooSoon } from "./store/Credits.ts"
import { blockOf, Targets } from "./Targets.ts"

/**
 * Asks which block is final, and appends what is new, when it is time: everything before is committed, and no worker has asked
 * within `every`, or at once; gives whether it has. The call is counted before it is sent, as the limits of the backfill allow.
 */
export const follow = Effect.fnUntraced(function* (backfill: Backfill, isAtOnce: boolean) {
  const { every, id, lookedAt, method, network } = backfill
  if (!isAtOnce && isTooSoon(lookedAt, every, yield* Clock.currentTimeMillis)) return false
  const store = yield* Store
  const target = (yield* Targets).find(method, network)
  if (typeof target === "string") return false
  const way = rangeOn(target.method, target.network)?.lookUp?.("finalized")
  let price = way === undefined ? 0 : PriceSheet.usualPrice(way.method, target.network).credits
  for (let isAgain = isAtOnce; ; isAgain = true) {
    if (!(yield* store.turn(id, price, isAgain))) return false
    const allowance = CreditBudget.makeAllowance({ name: allowanceName, limit: price })
    const looked = yield* blockOf(target, "finalized").pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, target.network.id),
      Effect.onExit(() => Effect.ignore(store.counted(id, price, allowance))),
      Effect.result,
    )
    if (looked._tag === "Success") {
      if (looked.success !== undefined) yield* store.extend(id, looked.success)
      return true
    }
    // By some price sheets more is set aside than a call usually costs.
    const { reason } = looked.failure
    if (reason._tag !== "BudgetRefused" || reason.limit !== allowanceName) return yield* looked.failure
    price += reason.needed
  }
})

const allowanceName = "the look for final blocks"
