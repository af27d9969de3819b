/**
 * Keeps the units of tokens, so that each is paid for once.
 *
 * Invariant: the units from one endpoint are never used for another. A key contains no secret: see `placeOf`.
 */
import {
  keptMap,
  type KeptText,
  type KeptValues,
  type Network,
  placeOf,
  readTokenUnits,
  type TokenUnits,
} from "@dotrpc/spec"

/** A store such as this process, a file or the editor's state. It never fails: units that cannot be read or kept cost two calls. */
export interface UnitsMemory extends KeptValues<TokenUnits> {}

/**
 * Remembers the units of 2,000 tokens: in a text, such as that of a file, or as long as this process lives.
 *
 * @example
 * ```ts
 * const events = run(plan, { units: keptUnits() })
 * ```
 */
export const keptUnits = (text?: KeptText): UnitsMemory =>
  keptMap<TokenUnits>({
    most: 2_000,
    in:
      text === undefined
        ? undefined
        : {
            ...text,
            codec: {
              encode: ({ decimals, symbol, token }) =>
                symbol === undefined ? { token, decimals } : { token, decimals, symbol },
              decode: readTokenUnits,
            },
          },
  })

/** Names a token at an endpoint, without the endpoint's API key. */
export const unitsKey = (network: Network, token: string): string => `${placeOf(network)} ${token}`
