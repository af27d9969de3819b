/**
 * The whole service in memory (service §1): networks, keys, metering, limits and errors, from the text of a request to
 * the status, headers and text of its reply. Balances go by the time that the caller gives.
 *
 * Invariant: the key of a request is only ever looked up, never written into a reply, a metric or a log.
 */
import { checkEffectCopy, inTurns, type Json, Options, type PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Result } from "effect"
import { type Client, type ConnectionOptions, emit, forget, makeClient, subscriberOf } from "./Connection.ts"
import { hasMoreValues } from "./internal/textSize.ts"
import { type Balances, type CreditReport, memoryBalances, type Now, reportOf } from "./metering/Balances.ts"
import { keyring } from "./metering/Keyring.ts"
import { Metrics } from "./metering/Metrics.ts"
import {
  faultOf,
  type PricedEntry,
  priceEntry,
  type Pricing,
  servicePricing,
  sheetPricing,
} from "./metering/pricing.ts"
import { noBalance, notAdmitted, type Refusal, unknownNetwork, wrongKey } from "./metering/Refusal.ts"
import { isCall, readEnvelope, writeReply } from "./methods/Envelope.ts"
import { type Fault, invalidParams } from "./methods/Fault.ts"
import { replyRoom, type ReplyRoom } from "./methods/ReplyRoom.ts"
import type { Subscriber } from "./methods/Subscriber.ts"
import { isNetworkId, type NetworkId, networkIds, networks } from "./networks.ts"
import { type Answer, type GatewayReply, httpReply, messageReply, refusalReply } from "./replies.ts"
import { growingIds, makeServices, type ServiceOptions } from "./services.ts"

export { type ConnectionOptions, SUBSCRIPTIONS_LIMIT } from "./Connection.ts"
export type { GatewayReply } from "./replies.ts"

/** Who may call a gateway, what they may spend, and what it answers from. */
export interface GatewayOptions extends ServiceOptions {
  /** The accepted API keys, `["local"]` by default. Each has a balance of its own. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Credits per key and day, 3,000,000 by default. */
  readonly daily?: number | undefined
  /** Credits per key and second; no limit by default. */
  readonly perSecond?: number | undefined
  /** Charges by the prices of another provider, in its unit; by those of the service without it. */
  readonly prices?: PriceSheet.PriceSheet | undefined
  /** Where the balances are kept; in the memory of this gateway by default. */
  readonly balances?: Balances | undefined
  /** The most calls in one batch, 1,000 by default. */
  readonly batchLimit?: number | undefined
  /** The longest reply to one body, a batch's replies together, in characters; 64 MiB by default. */
  readonly replyLimit?: number | undefined
}

/** A body that was posted to a network with a key. */
export interface GatewayRequest {
  readonly network: string
  readonly key: string
  readonly body: string
  /** What time it is, in milliseconds since 1970, as in a simulation; by the place of the balances where it is absent. */
  readonly now?: Now | undefined
  /** Asked before a part of the reply of so many bytes is kept; false refuses it. There is always room by default. */
  readonly takeRoom?: ((bytes: number) => boolean) | undefined
}

/** The service: what it answers to requests over HTTP and WebSocket. */
export interface Gateway {
  readonly networks: ReadonlyArray<NetworkId>
  /** Answers an HTTP POST. */
  readonly handle: (request: GatewayRequest) => Effect.Effect<GatewayReply>
  /**
   * Answers a WebSocket message. It has no status, so a refusal is a JSON-RPC error whose code is the status;
   * `undefined` when nothing is to be sent, because the message held notifications only.
   */
  readonly handleMessage: (request: GatewayRequest) => Effect.Effect<string | undefined>
  /** A WebSocket connection to a network, over which subscriptions send their events. */
  readonly connect: (options: ConnectionOptions) => Connection
  /**
   * Adds the next of the upcoming blocks to each EVM chain and to `accounts`, and sends its events. Whether there was one: a
   * network that nobody has asked yet does not grow.
   */
  readonly grow: Effect.Effect<boolean>
  /** Why this network or key is refused whatever the body says; `undefined` when both are known. */
  readonly refusal: (network: string, key: string) => GatewayReply | undefined
  /** The balance of a known key, or the refusal. */
  readonly credits: (network: string, key: string, now?: Now) => Effect.Effect<CreditReport, GatewayReply>
  /** Everything counted so far, in the Prometheus text format. */
  readonly metrics: () => string
  /** Makes the sample data of every network now, in small steps between which calls are answered. */
  readonly prepare: Effect.Effect<void>
}

/** A WebSocket connection: what it has subscribed to ends with it. */
export interface Connection {
  /** As `handleMessage`, with subscriptions. */
  readonly handle: (message: Pick<GatewayRequest, "body" | "now" | "takeRoom">) => Effect.Effect<MessageReply>
  /** Ends its subscriptions. */
  readonly close: () => void
}

/** The reply to a message of a connection. */
export interface MessageReply {
  /** `undefined` when nothing is to be sent. */
  readonly text: string | undefined
  /** To be called once it was sent: from then on the subscriptions that it opened send their events. */
  readonly sent: () => void
}

/** Characters of the longest reply, unless another limit is given. */
export const REPLY_LIMIT = 64 * 1_048_576

/** The key a gateway accepts unless it is given others. */
export const LOCAL_KEY = "local"

/**
 * Makes a gateway. The sample data of a network is generated when it is first asked.
 *
 * Throws a `RangeError` on options that make no sense.
 *
 * @example
 * ```ts
 * const gateway = Gateway.make()
 * const reply = gateway.handle({
 *   network: "evm", key: "local",
 *   body: '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{}]}',
 * })
 * ```
 */
export const make = (options: GatewayOptions = {}): Gateway => {
  checkEffectCopy("@dotrpc/gateway", Effect.succeed)
  Options.members(options, optionNames)
  const { balances = memoryBalances(), batchLimit = 1_000, daily = 3_000_000, perSecond } = options
  const { replyLimit = REPLY_LIMIT } = options
  const isKnown = keyring(options.keys ?? [LOCAL_KEY])
  checkLimits(options)
  const limits = { daily, perSecond }
  const metrics = new Metrics()
  const services = makeServices(options)

  const pricingOf = (network: NetworkId): Pricing =>
    options.prices === undefined
      ? servicePricing
      : sheetPricing(options.prices, {
          network: networks[network],
          head: () => services.headOf(network),
          mostBytes: replyLimit,
        })

  const refusalOf = (network: string, key: string): Refusal | undefined => {
    if (!isNetworkId(network)) return unknownNetwork(networkIds)
    return isKnown(key) ? undefined : wrongKey()
  }

  /** What a method says; nothing is asked when its reply has no place. */
  const answerTo = (
    { entry, method }: PricedEntry,
    room: ReplyRoom,
    subscriber: Subscriber | undefined,
  ): Effect.Effect<Json.Json, Fault> => {
    if (method === undefined || !isCall(entry)) return Effect.fail(faultOf(entry))
    const full = room.full()
    if (full !== undefined) return Effect.fail(full)
    // Every value is checked, and what is wrong with each is worked out before the first is reported.
    return hasMoreValues(entry.params, PARAMS_LIMIT)
      ? Effect.fail(invalidParams(`invalid params: more than ${PARAMS_LIMIT} values`))
      : method.call(entry.params, subscriber)
  }

  /** Answers one entry; reports what was spent today once it has given credits back. */
  const answerEntry = Effect.fnUntraced(function* (
    priced: PricedEntry,
    request: ReceivedRequest,
    {
      day,
      onSpent,
      pricing,
      room,
    }: {
      readonly day: number
      readonly onSpent: (spent: number) => void
      readonly pricing: Pricing
      readonly room: ReplyRoom
    },
  ) {
    const { credits, entry, name } = priced
    const started = yield* Clock.currentTimeNanos
    const answer = room.admit(yield* Effect.result(answerTo(priced, room, request.subscriber)))
    const seconds = Number((yield* Clock.currentTimeNanos) - started) / 1e9
    const text = writeReply(entry, answer)
    let cost = pricing.cost(priced, answer, () => new TextEncoder().encode(text).byteLength)
    if (cost < credits) {
      const given = yield* Effect.result(
        balances.refund(request.key, { method: name, credits: credits - cost }, day, request.now),
      )
      // What could not be returned stays charged.
      if (Result.isSuccess(given)) onSpent(given.success)
      else cost = credits
    }
    const status = Result.isSuccess(answer) ? 200 : (answer.failure.status ?? 200)
    const label = Result.isFailure(answer) && status === 200 ? "rpc-error" : String(status)
    metrics.observe({ network: request.network, method: name, status: label, credits: cost, seconds })
    return { status, cost, text }
  })

  /** Reads and charges a body, and answers its entries in order. */
  const answer = Effect.fnUntraced(function* (request: ReceivedRequest): Effect.fn.Return<Answer> {
    const { key, network, now } = request
    const refused = refusalOf(network, key)
    if (refused !== undefined || !isNetworkId(network)) return { refusal: refused ?? unknownNetwork(networkIds) }
    const sample = services.sampleOf(network)
    if (!sample.isMade()) yield* inTurns(sample.making)
    const envelope = readEnvelope(request.body, batchLimit)
    const pricing = pricingOf(network)
    const priced = envelope.entries.map((entry) => priceEntry(pricing, services.methods[network], entry))
    const charges = priced.map(({ credits, name }) => ({ method: name, credits }))
    const surcharge = envelope.batch ? pricing.batch : 0
    if (surcharge > 0) charges.push({ method: "batch", credits: surcharge })
    const refuse = (refusal: Refusal, spent?: number): Answer => {
      for (const { method } of charges)
        metrics.observe({ network, method, status: String(refusal.status), credits: 0, seconds: 0 })
      return { refusal, envelope, remaining: spent === undefined ? undefined : daily - spent }
    }
    const admission = yield* Effect.result(balances.admit(key, charges, limits, now))
    if (Result.isFailure(admission)) return refuse(noBalance())
    if (!admission.success.admitted) return refuse(notAdmitted(admission.success), admission.success.spent)
    const { day } = admission.success
    let { spent } = admission.success
    const room = replyRoom(replyLimit, request.takeRoom ?? (() => true))
    const onSpent = (after: number) => {
      spent = after
    }
    const answerOne = (entry: PricedEntry) => answerEntry(entry, request, { day, onSpent, pricing, room })
    const [first, ...others] = priced
    // A lone call, which most are, needs no fibers of its own. Between those of a batch others are answered.
    const replies =
      first !== undefined && others.length === 0
        ? [yield* answerOne(first)]
        : yield* Effect.forEach(priced, (entry) => Effect.andThen(Effect.yieldNow, answerOne(entry)))
    return { envelope, replies, surcharge, remaining: daily - spent }
  })

  const clients = new Set<Client>()
  const grow = Effect.gen(function* () {
    let grew = false
    for (const network of growingIds) {
      const added = services.grow(network)
      if (added === undefined) continue
      grew = true
      const emitting = { network: networks[network], prices: options.prices, balances, limits, metrics }
      for (const client of [...clients].filter((each) => each.network === network && each.open.size > 0)) {
        yield* Effect.yieldNow
        yield* emit(client, added, emitting)
      }
    }
    return grew
  })

  return {
    networks: networkIds,
    handle: (request) => Effect.map(answer(request), httpReply),
    handleMessage: (request) => Effect.map(answer(request), messageReply),
    connect: (connection) => {
      const client = makeClient(connection)
      const { key, network } = client
      clients.add(client)
      return {
        handle: (message) => {
          const subscriber = subscriberOf(client)
          return Effect.map(answer({ ...message, network, key, subscriber }), (answered) => ({
            text: messageReply(answered),
            sent: subscriber.begin,
          }))
        },
        close: () => {
          forget(client)
          clients.delete(client)
        },
      }
    },
    grow,
    refusal: (network, key) => {
      const refused = refusalOf(network, key)
      return refused === undefined ? undefined : refusalReply(refused, {})
    },
    credits: (network, key, now) => {
      const refused = refusalOf(network, key)
      if (refused !== undefined) return Effect.fail(refusalReply(refused, {}))
      return balances.balance(key, now).pipe(
        Effect.map((account) => reportOf(account, daily)),
        Effect.mapError(() => refusalReply(noBalance(), {})),
      )
    },
    metrics: () => metrics.render(),
    prepare: Effect.forEach(networkIds.map(services.sampleOf), (sample) => inTurns(sample.making), {
      discard: true,
    }),
  }
}

/** A body, and the connection it came over if events can be sent to that. */
interface ReceivedRequest extends GatewayRequest {
  readonly subscriber?: Subscriber | undefined
}

/** The name of every option of a gateway. */
export const optionNames: Options.Members<GatewayOptions> = {
  keys: true,
  daily: true,
  perSecond: true,
  prices: true,
  balances: true,
  batchLimit: true,
  replyLimit: true,
  sample: true,
  recordedSample: true,
  chain: true,
  recentChain: true,
  accounts: true,
  events: true,
  upcoming: true,
  loadEvm: true,
  queryMillis: true,
  hints: true,
}

/** Ten times what the largest query of any method needs. */
const PARAMS_LIMIT = 50_000

const checkLimits = (options: GatewayOptions): void => {
  const { batchLimit, daily, keys = [LOCAL_KEY], loadEvm, perSecond, queryMillis, recordedSample, replyLimit } = options
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== "string"))
    Options.refuse("keys", "an array of strings", keys)
  if (loadEvm !== undefined) Options.func("loadEvm", loadEvm)
  if (queryMillis !== undefined) Options.func("queryMillis", queryMillis)
  if (recordedSample !== undefined) Options.func("recordedSample", recordedSample)
  if (daily !== undefined) Options.zeroOrMore("daily", daily, "credits")
  if (perSecond !== undefined) Options.aboveZero("perSecond", perSecond, "credits")
  if (batchLimit !== undefined) Options.wholeAboveZero("batchLimit", batchLimit)
  if (replyLimit !== undefined) Options.aboveZero("replyLimit", replyLimit, "characters")
  // An address without a key has no segment for it.
  if (keys.includes("")) throw new RangeError("keys: an API key must not be empty.")
}
