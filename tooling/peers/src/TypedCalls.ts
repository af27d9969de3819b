/** The plugins' typed calls, as a script makes them: over the whole runtime, against one address. */
import { CreditLedger, HttpTransport, RangeScan, RpcClient } from "@dotrpc/core"
import { defineNetwork, type NetworkDefinition, type RpcError } from "@dotrpc/spec"
import { Effect, Layer } from "effect"

/** What a typed call needs of its surroundings. */
type Needs = RpcClient.RpcClient | RangeScan.RangeScan

/** Runs effects with a client of this network; each run has a ledger of its own. */
export const typedCalls = (
  network: NetworkDefinition,
): (<Value>(effect: Effect.Effect<Value, RpcError, Needs>) => Promise<Value>) => {
  const live = RangeScan.layer().pipe(
    Layer.provideMerge(RpcClient.layerMetered({ networks: [defineNetwork(network)] })),
    Layer.provide(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(HttpTransport.layer()),
  )
  return (effect) => Effect.runPromise(Effect.provide(effect, live))
}
