/**
 * The layer that opens a span around each call: `rpc.call`, with the names of the method and the network, and without
 * the URL.
 */
import { Effect, type Layer } from "effect"
import { PriceSheet, type RpcRequest, type Transport } from "@dotrpc/spec"
import { layerOver } from "./internal/layerOver.ts"

/**
 * Above `Retry` a span covers a whole call, below it each attempt. Tracing is a layer of its own because a span per
 * call is measurable where calls are many.
 *
 * Attributes: `rpc.system`, `rpc.method`, `rpc.network`, `rpc.credits`, and of a call that fails `error.type`, the reason, and
 * `rpc.outcome`, which decides what is charged. `rpc.credits` is the price of one attempt. What is logged inside has
 * `rpc.method`, `rpc.network` and `rpc.credits` as annotations.
 */
export const layer = (): Layer.Layer<Transport, never, Transport> =>
  layerOver(
    (below) => (request) =>
      below(request).pipe(
        Effect.tapError(({ outcome, reason }) =>
          Effect.annotateCurrentSpan({ "error.type": reason._tag, "rpc.outcome": outcome }),
        ),
        Effect.withSpan("rpc.call", {
          kind: "client",
          attributes: { "rpc.system": "jsonrpc", ...namesOf(request) },
        }),
        Effect.annotateLogs(namesOf(request)),
      ),
  )

const namesOf = ({ method, network }: RpcRequest) => ({
  "rpc.method": method.name,
  "rpc.network": network.id,
  "rpc.credits": PriceSheet.usualPrice(method, network).credits,
})
