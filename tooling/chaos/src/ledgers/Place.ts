/** Where the balance of a round is kept. */
import { setTimeout as wait } from "node:timers/promises"
import { CreditLedger } from "@dotrpc/core"
import { Effect, Layer } from "effect"

export type Place =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string }

/** Short, so that a round sees what becomes of the leases of killed processes. */
const lease = "2 seconds"

export const layerAt = (place: Place, daily: number): Layer.Layer<CreditLedger.CreditLedger> =>
  Layer.orDie(
    place.kind === "file"
      ? CreditLedger.layerFile(place.path, { daily, lease })
      : CreditLedger.layerRedis({ url: place.url, prefix: place.prefix, daily, lease }),
  )

/** What the ledger says once the leases of processes that were killed have ended, or at the last look. */
export const settledBalance = async (place: Place, daily: number): Promise<CreditLedger.Balance> => {
  for (let look = 1; ; look++) {
    const balance = await Effect.runPromise(Effect.provide(CreditLedger.CreditLedger.balance, layerAt(place, daily)))
    if (balance.reserved === 0 || look === looks) return balance
    await wait(200)
  }
}

/** How often something is looked at that takes ten looks on a quiet machine. */
const looks = 100
