/** The layers of a run: metered client, the window's ledger, embedded gateway, HTTP. Loaded when something first runs. */
import { type CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway, Gateway } from "@dotrpc/gateway"
import { Layer, ManagedRuntime } from "effect"

import type { Project } from "../project/Project.ts"
import { counted, limited } from "./WindowLedger.ts"

export type RunServices = RpcClient.RpcClient | CreditLedger.CreditLedger

/** The daily balance of the service's free plan, when `limits.daily` does not say otherwise. */
const defaultDaily = 3_000_000

/** Shared by every runtime of the window, so that the count of credits is one. */
const memoMap = Layer.makeMemoMapUnsafe()
const gateway = Gateway.make()

export const makeRuntime = ({ config, workspace }: Project): ManagedRuntime.ManagedRuntime<RunServices, never> => {
  const { daily = defaultDaily, perSecond } = config.limits ?? {}
  const layer = RpcClient.layerMetered({
    networks: workspace.networks.map(({ network }) => network),
    ...(perSecond === undefined ? {} : { rateLimit: { creditsPerSecond: perSecond } }),
  }).pipe(
    Layer.provideMerge(limited(daily)),
    Layer.provide(counted),
    Layer.provide(EmbeddedGateway.layerOf(gateway)),
    Layer.provide(HttpTransport.layer()),
  )
  return ManagedRuntime.make(layer, { memoMap })
}
