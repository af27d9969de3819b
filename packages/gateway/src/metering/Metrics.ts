/**
 * Counts of what the gateway answered, as metrics of Effect in a registry of their own: a process may have several
 * gateways. No label has text of a caller's choosing.
 */
import { Context, Metric } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

/** One answered call. */
export interface Observation {
  readonly network: string
  readonly method: string
  /** The HTTP status, or `rpc-error` for an error inside a 200. */
  readonly status: string
  readonly credits: number
  readonly seconds: number
}

const requests = Metric.counter("dotrpc_gateway_requests_total", {
  description: "Calls answered or refused.",
  incremental: true,
})
const credits = Metric.counter("dotrpc_gateway_credits_total", { description: "Credits charged.", incremental: true })
const durations = Metric.histogram("dotrpc_gateway_request_duration_seconds", {
  description: "Time to answer a call.",
  boundaries: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
})

export class Metrics {
  readonly #context = Context.make(Metric.MetricRegistry, new Map())
  readonly #series = new Map<string, ReturnType<typeof seriesOf>>()

  observe({ credits, method, network, seconds, status }: Observation): void {
    const key = `${network} ${method} ${status}`
    const series = this.#series.get(key) ?? seriesOf({ network, method, status })
    this.#series.set(key, series)
    series.requests.updateUnsafe(1, this.#context)
    series.credits.updateUnsafe(credits, this.#context)
    series.durations.updateUnsafe(seconds, this.#context)
  }

  /** Everything counted so far, in the Prometheus text format. */
  render(): string {
    return PrometheusMetrics.formatUnsafe(this.#context)
  }
}

/** As many as networks, methods and statuses. */
const seriesOf = ({ method, network, status }: Pick<Observation, "method" | "network" | "status">) => ({
  requests: Metric.withAttributes(requests, { network, method, status }),
  credits: Metric.withAttributes(credits, { network, method }),
  durations: Metric.withAttributes(durations, { network, method }),
})
