/** Where the balance of a round is kept. */
import { CreditLedger } from "@dotrpc/core"
import { Effect, Layer } from "effect"

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
