/**
 * Keeps the units of tokens, so that each is paid for once.
 *
 * Invariant: the units from one endpoint are never used for another. A key contains no secret: see `placeOf`.
 */
import { type Network, placeOf, type TokenUnits } from "@dotrpc/spec"
import { Effect } from "effect"

/** A store such as this process, a file or the editor's state. It never fails: units that cannot be read or kept cost two calls. */
export interface UnitsMemory {
  readonly read: (key: string) => Effect.Effect<TokenUnits | undefined>
  readonly write: (key: string, units: TokenUnits) => Effect.Effect<void>
}

/**
 * Remembers as long as this process lives.
 *
 * @example
 * ```ts
 * const events = run(plan, { units: unitsOfProcess() })
 * ```
 */
export const unitsOfProcess = (): UnitsMemory => {
  const known = new Map<string, TokenUnits>()
  return {
    read: (key) => Effect.sync(() => known.get(key)),
    write: (key, units) => Effect.sync(() => void known.set(key, units)),
  }
}

/** Names a token at an endpoint, without the endpoint's API key. */
export const unitsKey = (network: Network, token: string): string => `${placeOf(network)} ${token}`
