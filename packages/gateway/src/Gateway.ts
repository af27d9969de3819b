/**
 * The whole service in memory (service §1): networks, keys, metering, limits and errors, from the text of a request to
 * the status, headers and text of its reply. Balances go by the time that the caller gives.
 *
 * Invariant: the key of a request is only ever looked up, never written into a reply, a metric or a log.
 */
import { checkEffectCopy, inTurns, Options, type PriceSheet } from "@dotrpc/spec"
import { Effect } from "effect"
import { type Answering, answering, type GatewayRequest } from "./answering.ts"
import {
  type Client,
  type ConnectionOptions,
  emit,
  type Emitting,
  forget,
  makeClient,
  subscriberOf,
} from "./Connection.ts"
import { type Balances, type CreditReport, memoryBalances, type Now, reportOf } from "./metering/Balances.ts"
import { keyring } from "./metering/Keyring.ts"
import { Metrics } from "./metering/Metrics.ts"
import { noBalance, type Refusal, unknownNetwork, wrongKey } from "./metering/Refusal.ts"
import { isNetworkId, type NetworkId, networkIds, networks } from "./networks.ts"
import { type GatewayReply, httpReply, messageReply, refusalReply } from "./replies.ts"
import { growingIds, makeServices, type ServiceOptions, type Services } from "./services.ts"

export type { GatewayRequest } from "./answering.ts"
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
  checkLimits(options)
  const { balances = memoryBalances(), batchLimit = 1_000, daily = 3_000_000, keys = [LOCAL_KEY] } = options
  const { perSecond, prices, replyLimit = REPLY_LIMIT } = options
  const limits = { daily, perSecond }
  const metrics = new Metrics()
  const services = makeServices(options)
  const isKnown = keyring(keys)
  const refusalOf = (network: string, key: string): Refusal | undefined => {
    if (!isNetworkId(network)) return unknownNetwork(networkIds)
    return isKnown(key) ? undefined : wrongKey()
  }
  const answer = answering({ balances, batchLimit, limits, metrics, prices, refusalOf, replyLimit, services })
  const clients = new Set<Client>()
  return {
    networks: networkIds,
    handle: (request) => Effect.map(answer(request), httpReply),
    handleMessage: (request) => Effect.map(answer(request), messageReply),
    connect: (connection) => connectionOf(makeClient(connection), clients, answer),
    grow: growing(services, clients, { prices, balances, limits, metrics }),
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

const connectionOf = (client: Client, clients: Set<Client>, answer: Answering): Connection => {
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
}

/** The next block of each chain that grows, and its events to the connections that subscribed to it. */
const growing = (services: Services, clients: ReadonlySet<Client>, metering: Omit<Emitting, "network">) =>
  Effect.gen(function* () {
    let grew = false
    for (const network of growingIds) {
      const added = services.grow(network)
      if (added === undefined) continue
      grew = true
      for (const client of [...clients].filter((each) => each.network === network && each.open.size > 0)) {
        yield* Effect.yieldNow
        yield* emit(client, added, { ...metering, network: networks[network] })
      }
    }
    return grew
  })

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
