/** Where the balance of a round is kept. */
import { setTimeout as wait } from "node:timers/promises"
import { CreditLedger } from "@dotrpc/core"
import { Effect, Layer, Schedule } from "effect"

export type Place =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string; readonly marks?: string | undefined }

/** Short, so that a round sees what becomes of the leases of killed processes. */
const lease = "2 seconds"

export const layerAt = (place: Place, daily: number): Layer.Layer<CreditLedger.CreditLedger> =>
  Layer.orDie(
    place.kind === "file"
      ? CreditLedger.layerFile(place.path, { daily, lease, onSetAside: () => Effect.void })
      : CreditLedger.layerRedis({ url: place.url, prefix: place.prefix, marks: place.marks, daily, lease }),
  )

/** Takes a step of a process of its own, however often the files have to be restored first. */
export const takeStep = (place: Place, daily: number): Promise<void> =>
  Effect.gen(function* () {
    const ledger = yield* CreditLedger.CreditLedger
    yield* ledger.release(yield* ledger.reserve(1))
  }).pipe(
    // The answer that nothing is left is one to a step, too.
    Effect.catchTag("LedgerFull", () => Effect.void),
    Effect.retry({ times: looks, schedule: Schedule.spaced("200 millis") }),
    Effect.orDie,
    Effect.provide(layerAt(place, daily)),
    Effect.runPromise,
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
