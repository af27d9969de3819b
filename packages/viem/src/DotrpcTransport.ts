/**
 * The transport that viem takes: its requests become calls of an `RpcClient`, so that they are priced, budgeted, paced,
 * retried only where that can help, and split where a range is too long for one call.
 *
 * Invariant: nothing that viem stores or prints about this transport contains a URL.
 */
import type { Duration } from "effect"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import {
  CreditBudget,
  CreditLedger,
  CurrentNetwork,
  HttpTransport,
  Priority,
  RequestTimeout,
  RpcClient,
  WebSocketTransport,
} from "@dotrpc/core"
import {
  answersPlugin,
  defineNetwork,
  type Network,
  Options,
  pluginsOf,
  type Price,
  type Transport as RpcTransport,
} from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"
import { BaseError, createTransport, type EIP1193RequestFn, type Transport } from "viem"
import { makeAnswering } from "./internal/answer.ts"
import type { EvmRequest } from "./internal/request.ts"

export type { EvmRequest } from "./internal/request.ts"

/** A runtime of its own for the transport: the layers of `RpcClient.layerMetered`, over a ledger and a transport. */
export interface MeteredOptions extends Omit<RpcClient.MeteredOptions, "networks"> {
  /** An address with its key, over HTTP or WebSocket, or a network that also says what it offers and what it costs. */
  readonly network: string | Network
  /** Credits per day of the ledger in memory; 3,000,000 by default. */
  readonly daily?: number | undefined
  /** Instead of the ledger in memory: `CreditLedger.layerFile(path)`, `CreditLedger.layerRedis(options)` or `PostgresLedger.layer(options)`. */
  readonly ledger?: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> | undefined
  /** Instead of HTTP, or of a WebSocket for an address that is one. */
  readonly transport?: Layer.Layer<RpcTransport, Options.InvalidOptions> | undefined
}

/** What the requests of one transport have in common. */
export interface CallOptions {
  /** The most credits that this transport ever spends; no limit by default. */
  readonly maxCredits?: number | undefined
  /** The most credits that one request may spend, however many calls it takes; 25,500 by default: 100 calls of `eth_getLogs`. */
  readonly maxCreditsPerRequest?: number | undefined
  /** `"background"` requests wait for interactive ones where credits are scarce; interactive by default. */
  readonly priority?: Priority | undefined
  /** How long an attempt may take, instead of the runtime's own timeout. */
  readonly timeout?: Duration.Input | undefined
  /** Calls that a split request may have in flight at once; 4 by default. */
  readonly lanes?: number | undefined
  /** The id of the network to ask, where the runtime knows several of the plugin `evm`; the first by default. */
  readonly networkId?: string | undefined
}

/** What a client with this transport has as members of `client.transport`, and the transport itself as its own. */
export interface TransportAttributes {
  /** What was spent and reserved so far, and the number of calls: live numbers. */
  readonly credits: CreditBudget.Allowance
  /**
   * What this request costs, before anything is sent. `max` is `undefined` for a range of blocks that may have to be split, unless
   * an earlier request has read as much.
   */
  readonly estimate: (request: EvmRequest) => Promise<Price.PriceRange>
  /** Interrupts what is in flight, and ends the runtime if the transport made it. Requests after that fail. */
  readonly close: () => Promise<void>
}

/** The transport as viem's clients take it. */
export type DotrpcTransport = Transport<"dotrpc", TransportAttributes> & TransportAttributes

/**
 * Makes a transport for viem's `createPublicClient` and its like. It is given a `ManagedRuntime` that is shared with
 * others, and then stays open when the transport is closed, or options for a runtime of its own.
 *
 * - `eth_getLogs` over a range that the server refuses as too large is read in parts and answered as a whole.
 * - Reads are tried again where that can help, transactions never. viem's own retries are off.
 * - Methods that the plugin `evm` does not know are sent as they are, at an assumed price.
 * - Failures are viem's own errors, with the advice in their text; see `failureOf`.
 *
 * Throws a `TypeError` on an address that is not one, and an `OptionError` on an option that does not exist and on limits that make
 * no sense; options of a layer that make no sense, such as those of `budget`, fail each request.
 *
 * @example
 * ```ts
 * const transport = dotrpcTransport({ network: `https://mainnet.example/v3/${key}`, daily: 3_000_000 })
 * const client = createPublicClient({ chain: mainnet, transport })
 * const logs = await client.getLogs({ address: token, fromBlock: 0n, toBlock: "latest" })
 * console.log(transport.credits.spent)
 * await transport.close()
 * ```
 */
export const dotrpcTransport = (
  source: ManagedRuntime.ManagedRuntime<RpcClient.RpcClient, unknown> | MeteredOptions,
  options: CallOptions = {},
): DotrpcTransport => {
  const { lanes = 4, maxCredits, maxCreditsPerRequest = 25_500, networkId } = Options.members(options, callNames)
  if (typeof source !== "object" || source === null)
    Options.refuse("source", "options with a network, or a ManagedRuntime", source)
  if (networkId !== undefined) Options.text("networkId", networkId)
  Options.wholeAboveZero("lanes", lanes)
  Options.oneOf("priority", options.priority ?? "interactive", ["interactive", "background"])
  if (options.timeout !== undefined) Options.millisAboveZero("timeout", options.timeout)
  const isOwn = !isRuntime(source)
  const runtime = isOwn ? ManagedRuntime.make(meteredLayer(source)) : source
  const credits = CreditBudget.makeAllowance({
    name: "maxCredits",
    limit: maxCredits,
  })
  const allowanceOfRequest = () =>
    CreditBudget.makeAllowance({ name: "maxCreditsPerRequest", limit: maxCreditsPerRequest, parent: credits })
  // An invalid limit is reported here, not by the first request.
  allowanceOfRequest()
  const answering = makeAnswering(lanes)
  const closing = new AbortController()
  const inFlight = new Set<Promise<unknown>>()

  const run = async <A>(effect: Effect.Effect<A, BaseError, RpcClient.RpcClient>, signal?: AbortSignal): Promise<A> => {
    if (closing.signal.aborted) throw closed()
    const stop = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
    const ending = runtime.runPromiseExit(withSettings(options)(effect), { signal: stop })
    inFlight.add(ending)
    const exit = await ending.finally(() => inFlight.delete(ending))
    if (Exit.isSuccess(exit)) return exit.value
    if (closing.signal.aborted) throw closed()
    signal?.throwIfAborted()
    throw errorOf(exit.cause)
  }

  // What a node answers is of the type that viem has for its method.
  const request = ((asked: EvmRequest, { signal }: { readonly signal?: AbortSignal | undefined } = {}) =>
    run(CreditBudget.withAllowance(allowanceOfRequest())(answering.answer(asked)), signal)) as EIP1193RequestFn

  const attributes: TransportAttributes = {
    credits,
    estimate: (asked) => run(answering.estimate(asked)),
    close: async () => {
      closing.abort()
      await Promise.allSettled(inFlight)
      if (isOwn) await runtime.dispose()
    },
  }
  const transport: Transport<"dotrpc", TransportAttributes> = () =>
    createTransport({ key: "dotrpc", name: "dotrpc", type: "dotrpc", request, retryCount: 0 }, attributes)
  return Object.assign(transport, attributes)
}

const isRuntime = (
  source: ManagedRuntime.ManagedRuntime<RpcClient.RpcClient, unknown> | MeteredOptions,
): source is ManagedRuntime.ManagedRuntime<RpcClient.RpcClient, unknown> => ManagedRuntime.isManagedRuntime(source)

const callNames: Options.Members<CallOptions> = {
  maxCredits: true,
  maxCreditsPerRequest: true,
  priority: true,
  timeout: true,
  lanes: true,
  networkId: true,
}

const meteredNames: Options.Members<MeteredOptions> = {
  network: true,
  daily: true,
  ledger: true,
  transport: true,
  coalesce: true,
  wholeBlock: true,
  multicall: true,
  retry: true,
  budget: true,
  rateLimit: true,
  breaker: true,
  aroundCall: true,
  aroundAttempt: true,
}

const meteredLayer = (options: MeteredOptions): Layer.Layer<RpcClient.RpcClient, Options.InvalidOptions> => {
  const {
    daily = CreditLedger.defaultDaily,
    ledger,
    network: given,
    transport,
    ...layers
  } = Options.members(options, meteredNames)
  if (typeof given !== "string" && (typeof given !== "object" || given === null))
    Options.refuse("network", "a URL, or a network that defineNetwork returned", given)
  const network = typeof given === "string" ? networkAt(given) : given
  if (!answersPlugin(network, Evm.plugin.id))
    throw new TypeError(
      `viem calls the methods of the plugin "evm"; network "${network.id}" answers those of "${pluginsOf(network).join('", "')}".`,
    )
  const overTheNet = network.url === undefined ? WebSocketTransport.layer : HttpTransport.layer
  return RpcClient.layerMetered({ ...layers, networks: [network] }).pipe(
    Layer.provide(ledger ?? CreditLedger.layerMemory({ daily })),
    Layer.provide(transport ?? overTheNet()),
  )
}

/** The message does not repeat the address: it holds a key. */
const networkAt = (address: string): Network => {
  const { protocol } = URL.canParse(address) ? new URL(address) : { protocol: undefined }
  if (protocol === "http:" || protocol === "https:") return defineNetwork({ id: "evm", plugin: "evm", url: address })
  if (protocol === "ws:" || protocol === "wss:") return defineNetwork({ id: "evm", plugin: "evm", wsUrl: address })
  throw new TypeError("Write the URL of a network as https://host/v3/KEY, or wss://host/ws/v3/KEY.")
}

const withSettings =
  ({ networkId, priority, timeout }: CallOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.provideService(CurrentNetwork, networkId),
      Effect.provideService(Priority, priority ?? "interactive"),
      Effect.provideService(RequestTimeout, timeout),
    )

/** What a request failed with. A bug is reported as one, in one line, as it may have been thrown with a URL in it. */
const errorOf = (cause: Cause.Cause<unknown>): unknown => {
  const failed = Cause.findError(cause)
  if (failed._tag === "Success") return failed.success
  return new BaseError("Internal error, please report. The request may have been charged.", {
    details: nameOf(Cause.squash(cause)),
  })
}

const nameOf = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)

const closed = (): BaseError => new BaseError("The transport has been closed.")
