/**
 * Keeps the units of tokens, so that each is paid for once.
 *
 * Invariant: the units from one endpoint are never used for another. A key names the network, its chain, its host, and 32 bits of a
 * hash of its URL and headers, from which no secret can be found.
 */
import {
  isThisMachine,
  keptMap,
  type KeptText,
  type KeptValues,
  type Network,
  placeOf,
  readTokenUnits,
  Redaction,
  type TokenUnits,
} from "@dotrpc/spec"
import { Hash, Redacted } from "effect"

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

/** Names a token at an endpoint, without the endpoint's API key. Servers have many chains on one host, at paths that may be keys. */
export const unitsKey = (network: Network, token: string): string => {
  const url = network.url ?? network.wsUrl
  const hash = (Hash.string(placeOf(network)) >>> 0).toString(16)
  const place = url === undefined ? "" : `${Redaction.showUrl(url)} ${hash}`
  return [network.id, network.chainId ?? "", place, token].join(" ")
}

/**
 * Whether units from a network outlive a run. A node on this machine may have another chain the next time, and another token at the
 * same address.
 */
export const outlivesRun = ({ url, wsUrl }: Network): boolean =>
  [url, wsUrl].every((each) => each === undefined || !isThisMachine(hostOf(Redacted.value(each))))

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname
  } catch {
    return ""
  }
}
