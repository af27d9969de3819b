/** The layer that opens a span around each call: `rpc.call`, with the names of the method and the network and no address. */
import { Effect, type Layer } from "effect"
import type { Transport } from "@dotrpc/spec"
import { layerOver } from "./internal/layerOver.ts"

/**
 * Above `Retry` a span covers a whole call, below it each attempt. Tracing is a layer of its own because a span per
 * call is measurable where calls are many.
 */
export const layer = (): Layer.Layer<Transport, never, Transport> =>
  layerOver(
    (below) => (request) =>
      Effect.withSpan(below(request), "rpc.call", {
        kind: "client",
        attributes: { "rpc.method": request.method.name, "rpc.network": request.network.id },
      }),
  )
