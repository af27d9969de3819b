/**
 * The whole service in memory (service §1): networks, keys, metering, limits and errors, from the text of a request to
 * the status, headers and text of its reply. Balances go by the time that the caller gives, not by a clock.
 *
 * Invariant: the key of a request is only ever looked up, never written into a reply, a metric or a log.
 */
import { Clock, Effect, Result } from "effect"
import { type CreditReport, Meter } from "./metering/Meter.ts"
import { Metrics } from "./metering/Metrics.ts"
import { costOf, faultOf, type PricedEntry, priceEntry } from "./metering/pricing.ts"
import { notAdmitted, type Refusal, unknownNetwork, wrongKey } from "./metering/Refusal.ts"
import { isCall, readEnvelope, writeReply } from "./methods/Envelope.ts"
import { isNetworkId, type NetworkId, networkIds } from "./networks.ts"
import { type Answer, type GatewayReply, httpReply, messageReply, refusalReply } from "./replies.ts"
import { makeServices, type ServiceOptions } from "./services.ts"

export type { GatewayReply } from "./replies.ts"

export interface GatewayOptions extends ServiceOptions {
  /** The accepted API keys, `["local"]` by default. Each has a balance of its own. */
  readonly keys?: ReadonlyArray<string>
  /** Credits per key and day, 3,000,000 by default. */
  readonly daily?: number
  /** Credits per key and second; no limit by default. */
  readonly perSecond?: number
  /** The most calls in one batch, 1,000 by default. */
  readonly batchLimit?: number
}

/** A body that was posted to a network with a key. */
export interface GatewayRequest {
  readonly network: string
  readonly key: string
  readonly body: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface Gateway {
  readonly networks: ReadonlyArray<NetworkId>
  /** Answers an HTTP POST. */
  readonly handle: (request: GatewayRequest) => Effect.Effect<GatewayReply>
  /**
   * Answers a WebSocket message. It has no status, so a refusal is a JSON-RPC error whose code is the status;
   * `undefined` when nothing is to be sent, because the message held notifications only.
   */
  readonly handleMessage: (request: GatewayRequest) => Effect.Effect<string | undefined>
  /** Why this network or key is refused whatever the body says; `undefined` when both are known. */
  readonly refusal: (network: string, key: string) => GatewayReply | undefined
  /** The balance of a known key, or the refusal. */
  readonly credits: (network: string, key: string, now: number) => Result.Result<CreditReport, GatewayReply>
  /** Everything counted so far, in the Prometheus text format. */
  readonly metrics: () => string
}

/** The key a gateway accepts unless it is told others. */
export const LOCAL_KEY = "local"

/**
 * Makes a gateway. The sample data of a network is generated when it is first asked.
 *
 * @example
 * ```ts
 * const gateway = Gateway.make()
 * const reply = gateway.handle({
 *   network: "evm", key: "local", now: Date.now(),
 *   body: '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{}]}',
 * })
 * ```
 */
export const make = (options: GatewayOptions = {}): Gateway => {
  const { batchLimit = 1_000, daily = 3_000_000, keys = [LOCAL_KEY], perSecond } = options
  const meter = new Meter({ keys, daily, ...(perSecond === undefined ? {} : { perSecond }) })
  const metrics = new Metrics()
  const services = makeServices(options)

  const refusalOf = (network: string, key: string): Refusal | undefined => {
    if (!isNetworkId(network)) return unknownNetwork(networkIds)
    return meter.knows(key) ? undefined : wrongKey()
  }

  const answerEntry = Effect.fnUntraced(function* (priced: PricedEntry, request: GatewayRequest) {
    const { credits, entry, method, name } = priced
    const started = yield* Clock.currentTimeNanos
    const answer =
      method === undefined || !isCall(entry)
        ? Result.fail(faultOf(entry))
        : yield* Effect.result(method.call(entry.params))
    const seconds = Number((yield* Clock.currentTimeNanos) - started) / 1e9
    const cost = costOf(priced, answer)
    meter.refund(request.key, { method: name, credits: credits - cost }, request.now)
    const status = Result.isSuccess(answer) ? 200 : (answer.failure.status ?? 200)
    const label = Result.isFailure(answer) && status === 200 ? "rpc-error" : String(status)
    metrics.observe({ network: request.network, method: name, status: label, credits: cost, seconds })
    return { status, cost, text: writeReply(entry, answer) }
  })

  /** Reads and charges a body, and answers its entries in order. */
  const answer = Effect.fnUntraced(function* (request: GatewayRequest): Effect.fn.Return<Answer> {
    const { key, network, now } = request
    const refused = refusalOf(network, key)
    if (refused !== undefined || !isNetworkId(network)) return { refusal: refused ?? unknownNetwork(networkIds) }
    const envelope = readEnvelope(request.body, batchLimit)
    const priced = envelope.entries.map((entry) => priceEntry(services[network], entry))
    const charges = priced.map(({ credits, name }) => ({ method: name, credits }))
    const admission = meter.admit(key, charges, now)
    if (!admission.admitted) {
      const refusal = notAdmitted(admission)
      for (const { method } of charges)
        metrics.observe({ network, method, status: String(refusal.status), credits: 0, seconds: 0 })
      return { refusal, envelope, remaining: meter.remaining(key, now) }
    }
    // A lone call, which most are, needs no fibers of its own.
    const concurrency = priced.length === 1 ? 1 : 8
    const replies = yield* Effect.forEach(priced, (entry) => answerEntry(entry, request), { concurrency })
    return { envelope, replies, remaining: meter.remaining(key, now) }
  })

  return {
    networks: networkIds,
    handle: (request) => Effect.map(answer(request), httpReply),
    handleMessage: (request) => Effect.map(answer(request), messageReply),
    refusal: (network, key) => {
      const refused = refusalOf(network, key)
      return refused === undefined ? undefined : refusalReply(refused, {})
    },
    credits: (network, key, now) => {
      const refused = refusalOf(network, key)
      return refused === undefined ? Result.succeed(meter.report(key, now)) : Result.fail(refusalReply(refused, {}))
    },
    metrics: () => metrics.render(),
  }
}
