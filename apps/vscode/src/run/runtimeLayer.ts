/** The layers of a run: metered client, the window's ledger, embedded gateway, HTTP or WebSocket. Loaded when something first runs. */
import { CreditLedger, HttpTransport, RpcClient, Transports, WebSocketTransport } from "@dotrpc/core"
import { EmbeddedGateway, Gateway } from "@dotrpc/gateway"
import { Layer, ManagedRuntime } from "effect"

import type { Project } from "../project/Project.ts"
import { counted, limited } from "./WindowLedger.ts"

export type RunServices = RpcClient.RpcClient | CreditLedger.CreditLedger

/** Shared by every runtime of the window, so that the count of credits is one. */
const memoMap = Layer.makeMemoMapUnsafe()
const gateway = Gateway.make()

export const makeRuntime = ({ config, workspace }: Project): ManagedRuntime.ManagedRuntime<RunServices, never> => {
  const { daily = CreditLedger.defaultDaily, perSecond } = config.limits ?? {}
  const layer = RpcClient.layerMetered({
    networks: workspace.networks.map(({ network }) => network),
    ...(perSecond === undefined ? {} : { rateLimit: { creditsPerSecond: perSecond } }),
  }).pipe(
    Layer.provideMerge(limited(daily)),
    Layer.provide(counted),
    Layer.provide(EmbeddedGateway.layerOf(gateway)),
    Layer.provide(Transports.layer({ http: HttpTransport.layer(), ws: WebSocketTransport.layer() })),
  )
  return ManagedRuntime.make(layer, { memoMap })
}
