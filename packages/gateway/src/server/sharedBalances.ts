/** What balances outside a gateway have in common, wherever they are kept. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { BalancesUnavailable } from "../metering/Balances.ts"

/** The name of a key's account, from which nobody can learn the key. */
export const accountName = (key: string): string => bytesToHex(sha256(new TextEncoder().encode(key))).slice(0, 32)

/** Reports an outage when it begins and when it is over, not at every request. */
export const reportOutages = (place: string) => {
  let away = false
  return <A>(use: Effect.Effect<A, BalancesUnavailable>): Effect.Effect<A, BalancesUnavailable> =>
    use.pipe(
      Effect.tap(() => {
        if (!away) return Effect.void
        away = false
        return Effect.logInfo(`${place} is back: requests are answered again`)
      }),
      Effect.tapError(({ why }) => {
        if (away) return Effect.void
        away = true
        return Effect.logError(`requests are refused: ${why}`)
      }),
    )
}
