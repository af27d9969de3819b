/** Counts of what the gateway answered, in the Prometheus text format. No label holds text of a caller's choosing. */

/** Upper bounds of the duration buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** One answered call. */
export interface Observation {
  readonly network: string
  readonly method: string
  /** The HTTP status, or `rpc-error` for an error inside a 200. */
  readonly status: string
  readonly credits: number
  readonly seconds: number
}

interface Durations {
  readonly buckets: Array<number>
  sum: number
  count: number
}

export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #credits = new Map<string, number>()
  readonly #durations = new Map<string, Durations>()

  observe(observation: Observation): void {
    const { network, method, status, credits, seconds } = observation
    const place = `network="${network}",method="${method}"`
    increase(this.#requests, `${place},status="${status}"`, 1)
    increase(this.#credits, place, credits)
    let durations = this.#durations.get(place)
    if (durations === undefined) {
      durations = { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }
      this.#durations.set(place, durations)
    }
    const { buckets } = durations
    BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1
    })
    durations.sum += seconds
    durations.count += 1
  }

  /** Everything counted so far. */
  render(): string {
    const lines = [
      "# HELP dotrpc_gateway_requests_total Calls answered or refused.",
      "# TYPE dotrpc_gateway_requests_total counter",
      ...[...this.#requests].map(([labels, count]) => `dotrpc_gateway_requests_total{${labels}} ${count}`),
      "# HELP dotrpc_gateway_credits_total Credits charged.",
      "# TYPE dotrpc_gateway_credits_total counter",
      ...[...this.#credits].map(([labels, count]) => `dotrpc_gateway_credits_total{${labels}} ${count}`),
      "# HELP dotrpc_gateway_request_duration_seconds Time to answer a call.",
      "# TYPE dotrpc_gateway_request_duration_seconds histogram",
      ...[...this.#durations].flatMap(([labels, durations]) => renderDurations(labels, durations)),
    ]
    return `${lines.join("\n")}\n`
  }
}

const increase = (counts: Map<string, number>, labels: string, by: number): void => {
  counts.set(labels, (counts.get(labels) ?? 0) + by)
}

const renderDurations = (labels: string, { buckets, count, sum }: Durations): ReadonlyArray<string> => {
  const name = "dotrpc_gateway_request_duration_seconds"
  return [
    ...BUCKETS.map((bound, index) => `${name}_bucket{${labels},le="${bound}"} ${buckets[index] ?? 0}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ]
}
