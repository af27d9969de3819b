/** What scans remember from one to the next, per endpoint and method. */
import { type Method, type Network, Redaction } from "@dotrpc/spec"
import type { Endpoint } from "./Endpoint.ts"

/** A place to keep what was learned. Its functions return at once and do not throw. */
export interface Memory {
  readonly read: (key: string) => Endpoint | undefined
  readonly write: (key: string, endpoint: Endpoint) => void
}

/** Remembers as long as this process lives. */
export const memoryOfProcess = (): Memory => {
  const known = new Map<string, Endpoint>()
  return { read: (key) => known.get(key), write: (key, endpoint) => void known.set(key, endpoint) }
}

/** Names an endpoint without its key: network, host and method. */
export const memoryKey = (method: Method, network: Network): string =>
  [network.id, network.url === undefined ? "" : Redaction.showUrl(network.url), method.name].join(" ")
