import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { defineNetwork } from "@dotrpc/spec"
import { HttpTransport, Metrics, RpcClient, Trace } from "../../src/index.ts"

const mainnet = defineNetwork({ id: "mainnet", plugin: "evm", url: "https://mainnet.example/v3/KEY" })

/** To a collector of OpenTelemetry: `POST {collector}/v1/traces`, `/v1/metrics` and `/v1/logs`. */
export const telemetry = (collector: string) =>
  Otlp.layerJson({ baseUrl: collector, resource: { serviceName: "indexer" } }).pipe(
    Layer.provide(FetchHttpClient.layer),
  )

export const observed = RpcClient.layerMetered({
  networks: [mainnet],
  aroundCall: Trace.layer(),
  aroundAttempt: Metrics.layer(),
})

export const overHttp = HttpTransport.layer()
