/** Appends blocks that have become final, so that what is written is never taken back by a reorganization. */
import { CreditBudget } from "@dotrpc/core"
import { CurrentNetwork, PriceSheet, type RpcClient, type RpcError } from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql"
import { blockOf } from "./ends.ts"
import type { Backfill } from "./Order.ts"
import { Store } from "./Store.ts"
import { type Target, Targets } from "./Targets.ts"

/**
 * Asks which block is final, and appends what is new, when it is time: everything before is committed, and no worker has asked
 * within `every`. The call is counted before it is sent, as the limits of the backfill allow.
 */
export const follow = Effect.fnUntraced(function* ({
  every,
  id,
  looks,
  method,
  network,
}: Backfill): Effect.fn.Return<void, SqlError.SqlError | RpcError, Store | Targets | RpcClient> {
  if ((yield* Clock.currentTimeMillis) < looks.last + every) return
  const store = yield* Store
  const target = (yield* Targets).find(method, network)
  if (typeof target === "string") return
  const price = priceOf(target)
  if (!(yield* store.turn(id, price))) return
  const allowance = CreditBudget.makeAllowance({ name: "the look for final blocks", limit: price })
  const final = yield* blockOf(target, "finalized").pipe(
    CreditBudget.withAllowance(allowance),
    Effect.provideService(CurrentNetwork, target.network.id),
    Effect.onExit(() => Effect.ignore(store.counted(id, price, allowance))),
  )
  if (final !== undefined) yield* store.extend(id, final)
})

/** What it may cost to look the block up, in all of the ways there are. */
const priceOf = ({ method, network }: Target): number => {
  let price = 0
  for (const way of method.range?.lookUp?.("finalized") ?? [])
    price += PriceSheet.usualPrice(way.method, network).credits
  return price
}
