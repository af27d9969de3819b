/** The layers of a command-line run: metered client, ledger, embedded gateway, HTTP. */
import type { Workspace, ProjectConfig } from "@dotrpc/analysis"
import { CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Layer } from "effect"

/** The daily balance of the service's free plan, when `limits.daily` does not say otherwise. */
const defaultDaily = 3_000_000

export const runtimeLayer = (workspace: Workspace, config: ProjectConfig) => {
  const { daily = defaultDaily, perSecond } = config.limits ?? {}
  return RpcClient.layerMetered({
    networks: workspace.networks.map(({ network }) => network),
    ...(perSecond === undefined ? {} : { rateLimit: { creditsPerSecond: perSecond } }),
  }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily })),
    Layer.provide(EmbeddedGateway.layer()),
    Layer.provide(HttpTransport.layer()),
  )
}
