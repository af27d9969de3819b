/** Appends blocks that have become final, so that what is written is never taken back by a reorganization. */
import { CreditBudget } from "@dotrpc/core"
import { CurrentNetwork, PriceSheet, rangeOn, type RpcClient, type RpcError } from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import { blockOf } from "./ends.ts"
import type { Backfill } from "./Order.ts"
import { Store } from "./Store.ts"
import { isTooSoon } from "./store/Following.ts"
import { type Target, Targets } from "./Targets.ts"

/**
 * Asks which block is final, and appends what is new, when it is time: everything before is committed, and no worker has asked
 * within `every`, or at once; gives whether it has. The call is counted before it is sent, as the limits of the backfill allow.
 */
export const follow = Effect.fnUntraced(function* (
  { every, id, looks, method, network }: Backfill,
  isAtOnce: boolean,
): Effect.fn.Return<boolean, SqlError.SqlError | RpcError, Store | Targets | RpcClient> {
  if (!isAtOnce && isTooSoon(looks.last, every, yield* Clock.currentTimeMillis)) return false
  const store = yield* Store
  const target = (yield* Targets).find(method, network)
  if (typeof target === "string") return false
  const look = (price: number) => {
    const allowance = CreditBudget.makeAllowance({ name: allowanceName, limit: price })
    return blockOf(target, "finalized").pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, target.network.id),
      Effect.onExit(() => Effect.ignore(store.counted(id, price, allowance))),
    )
  }
  let price = usualPriceOf(target)
  let final: number | undefined
  for (let isAgain = isAtOnce; ; isAgain = true) {
    if (!(yield* store.turn(id, price, isAgain))) return false
    const dearer = yield* look(price).pipe(
      Effect.map((block) => void (final = block)),
      Effect.catchTag("RpcError", (error) => {
        const { reason } = error
        // By some price sheets more is set aside than a call usually costs.
        return reason._tag === "BudgetRefused" && reason.limit === allowanceName
          ? Effect.succeed(reason.needed)
          : Effect.fail(error)
      }),
    )
    if (dearer === undefined) break
    price += dearer
  }
  if (final !== undefined) yield* store.extend(id, final)
  return true
})

const allowanceName = "the look for final blocks"

/** What it usually costs to look the block up. */
const usualPriceOf = ({ method, network }: Target): number => {
  const way = rangeOn(method, network)?.lookUp?.("finalized")
  return way === undefined ? 0 : PriceSheet.usualPrice(way.method, network).credits
}
