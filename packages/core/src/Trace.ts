/**
 * The layer that opens a span around each call, by OpenTelemetry's conventions for RPC: named like the method, with the network, the
 * host and what it costs, and without the URL.
 */
import type { Layer } from "effect"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Network, PriceSheet, type RpcRequest, type Transport } from "@dotrpc/spec"
import { layerOver } from "./internal/layerOver.ts"
import { shownHost } from "./internal/shownHost.ts"

/**
 * Above `Retry` a span covers a whole call, below it each attempt. Tracing is a layer of its own because a span per
 * call is measurable where calls are many.
 *
 * Attributes: `rpc.system.name`, `rpc.method`, `server.address` with the port where the URL has one, and of a call that fails
 * `error.type`, the reason, and `rpc.response.status_code`, the code of its JSON-RPC error. Of dotrpc itself: `dotrpc.network`,
 * `dotrpc.credits`, the price of one attempt, and of a call that fails `dotrpc.outcome`, which decides what is charged. What is logged
 * inside has `rpc.method`, `dotrpc.network` and `dotrpc.credits` as annotations.
 */
export const layer = (): Layer.Layer<Transport, never, Transport> =>
  layerOver((below) => {
    const hosts = new WeakMap<Network, ReturnType<typeof hostOf>>()
    const knownHostOf = (network: Network) => {
      const host = hosts.get(network) ?? hostOf(network)
      hosts.set(network, host)
      return host
    }
    return (request) =>
      below(request).pipe(
        Effect.tapError(({ outcome, reason }) =>
          Effect.annotateCurrentSpan({
            "error.type": reason._tag,
            ...("rpcCode" in reason && reason.rpcCode !== undefined
              ? { "rpc.response.status_code": String(reason.rpcCode) }
              : {}),
            "dotrpc.outcome": outcome,
          }),
        ),
        Effect.withSpan(request.method.name, {
          kind: "client",
          attributes: { "rpc.system.name": "jsonrpc", ...namesOf(request), ...knownHostOf(request.network) },
        }),
        Effect.annotateLogs(namesOf(request)),
      )
  })

const namesOf = ({ method, network }: RpcRequest) => ({
  "rpc.method": method.name,
  "dotrpc.network": network.id,
  "dotrpc.credits": PriceSheet.usualPrice(method, network).credits,
})

/** Calls into this process have none. */
const hostOf = (network: Network): Readonly<Record<string, string | number>> => {
  const given = network.url ?? network.wsUrl
  const text = given === undefined ? "" : Redacted.value(given)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.host === "") return {}
  const address = shownHost(network, { host: url.hostname })
  return { "server.address": address, ...(url.port === "" ? {} : { "server.port": Number(url.port) }) }
}
