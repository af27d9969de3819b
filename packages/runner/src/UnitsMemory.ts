/**
 * Keeps the units of tokens, so that each is paid for once.
 *
 * Invariant: the units from one endpoint are never used for another. A key names the network, its chain, its host, and 32 bits of a
 * hash of its URL and headers, from which no secret can be found.
 */
import { isThisMachine, type Network, placeOf, Redaction, type TokenUnits } from "@dotrpc/spec"
import { Effect, Hash, Redacted } from "effect"

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
