/** How a layer of the runtime is made: it takes the transport below it and puts its own in that place. */
import { Effect, Layer } from "effect"
import { Transport } from "@dotrpc/spec"
import { asChecked, checkedTransport } from "./checkedTransport.ts"

/** Sends one request; the only operation of a transport. */
export type Send = Transport["Service"]["send"]

/** A layer without other needs. `decorate` runs once per build of the layer, so what it creates is that build's state. */
export const layerOver = (
  decorate: (below: Send, transport: Transport["Service"]) => Send,
): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.map(Transport, (given) => {
      const below = checkedTransport(given)
      return asChecked({ ...below, send: decorate(below.send, below) })
    }),
  )
