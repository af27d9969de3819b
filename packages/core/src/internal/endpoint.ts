/** Which calls go to the same server with the same key: what is learned from one of them applies to all. */
import { type Network } from "@dotrpc/spec"
import * as Redacted from "effect/Redacted"
import { headersKey } from "./requestHeaders.ts"

/**
 * The identity of a network's endpoint. It holds the URL and the headers, so it is a secret: a key of maps, never shown. HTTP and
 * WebSocket of one network are one endpoint, since they are paid from one balance.
 */
export const endpointOf = (network: Network): string => {
  let endpoint = known.get(network)
  if (endpoint === undefined) known.set(network, (endpoint = readEndpoint(network)))
  return endpoint
}

/** It is asked for several times for each call, and a network never changes. */
const known = new WeakMap<Network, string>()

const readEndpoint = (network: Network): string => {
  const url = network.url ?? network.wsUrl
  return url === undefined ? `network ${network.id}` : Redacted.value(url) + headersKey(network)
}

/** State of each endpoint, made at first use and kept as long as the layer: there are as many as networks. */
export const perEndpoint = <State>(make: () => State): ((network: Network) => State) => {
  const states = new Map<string, State>()
  const byNetwork = new WeakMap<Network, State>()
  return (network) => {
    const known = byNetwork.get(network)
    if (known !== undefined) return known
    const endpoint = endpointOf(network)
    const state = states.get(endpoint) ?? make()
    states.set(endpoint, state)
    byNetwork.set(network, state)
    return state
  }
}
