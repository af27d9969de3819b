/**
 * The layers that measure: attempts, what they cost and how long they take, calls that wait, and the balance. In Effect's
 * metrics, with the units of OpenTelemetry, and without URLs.
 */
import type { Duration } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { type Network, Options as Check, type Price, type RpcRequest, type Transport } from "@dotrpc/spec"
import { attemptOf, chargeOf, highestPrice, outcomeOf } from "./internal/attempt.ts"
import { elapsedOf } from "./internal/elapsed.ts"
import { layerOver } from "./internal/layerOver.ts"
import { CreditLedger } from "./ledger/Ledger.ts"

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

/** Seconds from the moment an attempt may go to its end, by `method` and `network`; those that were never sent do not count. */
export const duration = Metric.histogram("dotrpc_attempt_duration_seconds", {
  description: "How long attempts took",
  attributes: { unit: "s" },
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
})

/** Calls that wait to be sent, for credits or a turn, by `network`. Set by {@link layerWaiting}. */
export const waiting = Metric.gauge("dotrpc_calls_waiting", {
  description: "Calls that have begun and of which nothing was sent yet",
})

/** 1 while `Breaker.layer` refuses calls to an endpoint of the `network`, and 0 from the next call on that it lets pass. */
export const paused = Metric.gauge("dotrpc_endpoint_paused", {
  description: "Whether calls are refused because the endpoint cannot answer",
})

/** Credits of the day that a new call may use. Set by {@link layerBalance}, as are the next two. */
export const remaining = Metric.gauge("dotrpc_credits_remaining", { description: "Credits that are left today" })

/** Credits that are set aside for attempts that have not ended. */
export const reserved = Metric.gauge("dotrpc_credits_reserved", { description: "Credits set aside for attempts" })

/** Credits of a whole day. */
export const daily = Metric.gauge("dotrpc_credits_daily", { description: "Credits of a whole day" })

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
          const attempt = attemptOf(request, transport)
          return Effect.onExit(below(attempt.request), (exit) =>
            Effect.sync(() => {
              const outcome = outcomeOf(attempt, exit)
              const series = seriesOf(request)
              const charged = chargeOf(attempt, exit, reserved)
              series.attempts(outcome).updateUnsafe(1, fiber.context)
              if (charged > 0) series.credits.updateUnsafe(charged, fiber.context)
              if (outcome !== "unsent") series.duration.updateUnsafe((elapsedOf(clock) - began) / 1_000, fiber.context)
            }),
          )
        }),
      )
  })

/**
 * Counts the calls that wait. Belongs above the layers that make calls wait: `Retry`, `CreditBudget` and `RateLimit`. A call
 * waits until its first byte leaves; after that it counts no more, even when it is sent again.
 *
 * @example
 * ```ts
 * const client = RpcClient.layer({ networks }).pipe(Layer.provide(Metrics.layerWaiting()), Layer.provide(paid))
 * ```
 */
export const layerWaiting = (): Layer.Layer<Transport, never, Transport> =>
  layerOver((below) => {
    const gauges = new Map<string, Metric.Gauge<number>>()
    const gaugeOf = ({ id }: Network) => {
      const gauge = gauges.get(id) ?? Metric.withAttributes(waiting, { network: id })
      gauges.set(id, gauge)
      return gauge
    }
    return (request) =>
      Effect.withFiber((fiber) => {
        const gauge = gaugeOf(request.network)
        let waits = true
        gauge.modifyUnsafe(1, fiber.context)
        const leave = () => {
          if (waits) gauge.modifyUnsafe(-1, fiber.context)
          waits = false
        }
        const onSend = (surcharge?: number) => {
          leave()
          request.onSend?.(surcharge)
        }
        return Effect.ensuring(below({ ...request, onSend }), Effect.sync(leave))
      })
  })

/**
 * Reads the ledger at intervals, and sets the gauges of the balance. While the ledger cannot be read they keep their values.
 *
 * @example
 * ```ts
 * Layer.provideMerge(Metrics.layerBalance({ every: "10 seconds" }), CreditLedger.layerMemory({ daily: 3_000_000 }))
 * ```
 */
export const layerBalance = (
  options: { readonly every?: Duration.Input | undefined } = {},
): Layer.Layer<never, Check.InvalidOptions, CreditLedger> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const every = yield* Check.inLayer(() =>
        Check.millisAboveZero("every", Check.members(options, { every: true }).every ?? "10 seconds"),
      )
      const ledger = yield* CreditLedger
      const look = Effect.gen(function* () {
        const balance = yield* ledger.balance
        yield* Metric.update(remaining, balance.remaining)
        yield* Metric.update(reserved, balance.reserved)
        yield* Metric.update(daily, balance.daily)
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep(every))))
    }),
  )

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
