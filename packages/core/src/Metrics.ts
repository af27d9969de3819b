/** The layer that counts attempts, what they cost, and how long they take, in Effect's metrics and without URLs. */
import { Effect, type Layer, Metric } from "effect"
import type { Price, RpcRequest, Transport } from "@dotrpc/spec"
import { attemptOf, chargeOf, highestPrice, outcomeOf } from "./internal/attempt.ts"
import { elapsedOf } from "./internal/elapsed.ts"
import { layerOver } from "./internal/layerOver.ts"

/** Attempts by `method`, `network` and `outcome`. */
export const attempts = Metric.counter("dotrpc_attempts_total", {
  description: "Attempts to call a method, by how they ended",
  incremental: true,
})

/** Credits by `method` and `network`, as the method's settle policy charges them. */
export const credits = Metric.counter("dotrpc_credits_total", {
  description: "Credits that attempts were charged",
  incremental: true,
})

/** Milliseconds from the moment an attempt may go to its end, by `method` and `network`; those that were never sent do not count. */
export const duration = Metric.histogram("dotrpc_attempt_duration_milliseconds", {
  description: "How long attempts took",
  boundaries: [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000],
})

/**
 * Counts every attempt. Belongs below `CreditBudget`, so that each one is counted, and next to the transport, so that
 * nothing but the server is timed.
 *
 * @example
 * ```ts
 * const transport = Metrics.layer().pipe(Layer.provide(HttpTransport.layer()))
 * ```
 */
export const layer = (): Layer.Layer<Transport, never, Transport> =>
  layerOver((below, transport) => {
    const seriesOf = makeSeries()
    return (request) =>
      Effect.withFiber((fiber) =>
        Effect.clockWith((clock) => {
          const began = elapsedOf(clock)
          const reserved = highestPrice(request, transport)
          const attempt = attemptOf(request)
          return Effect.onExit(below(attempt.request), (exit) =>
            Effect.sync(() => {
              const outcome = outcomeOf(attempt, exit)
              const series = seriesOf(request)
              const charged = chargeOf(attempt, exit, reserved)
              series.attempts(outcome).updateUnsafe(1, fiber.context)
              if (charged > 0) series.credits.updateUnsafe(charged, fiber.context)
              if (outcome !== "unsent") series.duration.updateUnsafe(elapsedOf(clock) - began, fiber.context)
            }),
          )
        }),
      )
  })

/** The metrics of each method on each network, made once: there are as many as methods times networks. */
const makeSeries = () => {
  const known = new Map<string, ReturnType<typeof seriesFor>>()
  return ({ method, network }: RpcRequest) => {
    const key = `${network.id} ${method.name}`
    const series = known.get(key) ?? seriesFor(method.name, network.id)
    known.set(key, series)
    return series
  }
}

const seriesFor = (method: string, network: string) => {
  const attributes = { method, network }
  const byOutcome = new Map<Price.Outcome, Metric.Counter<number>>()
  return {
    attempts: (outcome: Price.Outcome): Metric.Counter<number> => {
      const counter = byOutcome.get(outcome) ?? Metric.withAttributes(attempts, { ...attributes, outcome })
      byOutcome.set(outcome, counter)
      return counter
    },
    credits: Metric.withAttributes(credits, attributes),
    duration: Metric.withAttributes(duration, attributes),
  }
}
