/**
 * How a layer of the runtime is made: it takes the transport below it and puts its own in that place.
 *
 * Invariant: what is done for each attempt is done for each attempt in whatever order the layers are composed. Where a
 * layer below sends calls again, that layer does it.
 */
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Transport } from "@dotrpc/spec"
import { asChecked, checkedTransport } from "./checkedTransport.ts"
import { type Around, aroundEachAttempt, type Send } from "./eachAttempt.ts"

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

/** A layer around each attempt. What `make` makes is the state of one build of the layer. */
export const attemptLayer = <E, Needs>(
  make: (transport: Transport["Service"]) => Effect.Effect<Around, E, Needs | Scope.Scope>,
): Layer.Layer<Transport, E, Transport | Exclude<Needs, Scope.Scope>> =>
  Layer.effect(
    Transport,
    Effect.flatMap(Transport, (given) => {
      const below = checkedTransport(given)
      return Effect.map(make(below), (around) => asChecked({ ...below, send: aroundEachAttempt(below, around) }))
    }),
  )
