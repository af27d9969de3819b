/**
 * The client that typed calls such as `Evm.getLogs(filter)` need. It finds the network of a method, checks the params
 * before they are sent and the result after it came, and leaves everything else to the transport below.
 *
 * Invariant: params with an issue are never sent.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  answersPlugin,
  checkEffectCopy,
  CurrentNetwork,
  Json,
  type Method,
  misfit,
  nearest,
  type Network,
  Options as Check,
  type ParamIssue,
  pluginsOf,
  type Prepared,
  type Price,
  Redaction,
  ResultNotes,
  RpcClient,
  RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  showPath,
  Transport,
} from "@dotrpc/spec"
import * as PriceSheet from "@dotrpc/spec/PriceSheet"
import { CurrentAllowances } from "./Allowance.ts"
import * as Breaker from "./Breaker.ts"
import * as Coalesce from "./Coalesce.ts"
import * as CreditBudget from "./CreditBudget.ts"
import type { CreditLedger } from "./CreditLedger.ts"
import { checkedTransport } from "./internal/checkedTransport.ts"
import { composing } from "./internal/composing.ts"
import { failure } from "./internal/failure.ts"
import { scriptParams } from "./internal/scriptParams.ts"
import { issueOf, shownAsSent } from "./internal/surprise.ts"
import * as Multicall from "./Multicall.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Retry from "./Retry.ts"
import * as WholeBlock from "./WholeBlock.ts"

export { RpcClient } from "@dotrpc/spec"

/** The networks that a client calls. */
export interface Options {
  /** Ids are unique; the first network of a plugin is the one its methods go to when `CurrentNetwork` says nothing. */
  readonly networks: ReadonlyArray<Network>
}

/** The networks, and the options of each layer by its name. */
export interface MeteredOptions extends Options {
  readonly coalesce?: Coalesce.Options | undefined
  /** Lets calls go together; without it every call is made alone. */
  readonly multicall?: Multicall.Options | undefined
  /** Asks for whole blocks instead of parts of them; without it every call is made alone. */
  readonly wholeBlock?: WholeBlock.Options | undefined
  readonly retry?: Retry.Options | undefined
  readonly budget?: CreditBudget.Options | undefined
  readonly rateLimit?: RateLimit.Options | undefined
  readonly breaker?: Breaker.Options | undefined
  /** A layer of your own, such as `Trace.layer()`, around each call: above all others. Made with `Transport.wrap`. */
  readonly aroundCall?: OwnLayer | undefined
  /** A layer of your own, such as `Metrics.layer()`, around each attempt: below all others, next to the transport. */
  readonly aroundAttempt?: OwnLayer | undefined
}

/** A layer over a transport. It needs nothing else, and fails only where its options make no sense. */
export type OwnLayer = Layer.Layer<Transport, Check.InvalidOptions, Transport>

/**
 * A typed call on the current client: checks the params, sends them, checks the result. The value is the provider's
 * JSON, typed. Fails with an `RpcError`; params that cannot be right fail with the reason `InvalidParams` unsent.
 *
 * @example
 * ```ts
 * const logs = RpcClient.call(getLogs, [{ fromBlock: "0x10", toBlock: "0x20" }])
 * ```
 */
export const call = RpcClient.call

/**
 * What one call with these params costs on the network it would go to; nothing is sent. It is a range where the way calls are sent may
 * cost something on top, and has no upper end where the length of the reply has a price. It is an assumption where the provider does not
 * publish the price. Params that cannot be right fail as the call would.
 */
export const estimate = RpcClient.estimate

/**
 * A client of these networks over whatever transport is provided. It fails with `InvalidOptions` when two networks have the same id.
 *
 * Throws a `TypeError` when `@dotrpc/spec` uses another copy of `effect`.
 */
export const layer = (options: Options): Layer.Layer<RpcClient, Check.InvalidOptions, Transport> => {
  checkEffectCopy("@dotrpc/core", Effect.succeed)
  return Layer.effect(
    RpcClient,
    Effect.gen(function* () {
      const networks = yield* Check.inLayer(() => networksOf(Check.members(options, { networks: true })))
      const transport = composing(checkedTransport(yield* Transport))
      const networkOf = (method: Method) =>
        Effect.flatMap(CurrentNetwork, (id) => Effect.fromResult(findNetwork(networks, method, id)))
      return RpcClient.of({
        call: <Params, Value>(method: Method<Params, Value>, params: Params) =>
          Effect.withFiber<Value, RpcError>((fiber) => {
            const found = findNetwork(networks, method, fiber.getRef(CurrentNetwork))
            if (Result.isFailure(found)) return Effect.fail(found.failure)
            const network = found.success
            const prepared = check(method, network, params)
            if (Result.isFailure(prepared)) return Effect.fail(prepared.failure)
            const unkept =
              transport.pays === true
                ? undefined
                : fiber.getRef(CurrentAllowances).find(({ limit }) => limit !== undefined)
            if (unkept !== undefined) return Effect.fail(unpaid(method, network, unkept.name))
            const request = { method, network, params: prepared.success.params }
            const note = fiber.getRef(ResultNotes)
            return Effect.flatMap(transport.send(request), (received) =>
              Effect.flatMap(issueOf(method, received), (issue) =>
                // What has no issue is a value of the method's type, and who takes notes takes any other as well.
                issue === undefined
                  ? Effect.succeed(received.result as Value)
                  : note === undefined
                    ? Effect.fail(misfit(request, withoutSecrets(request, received), issue))
                    : Effect.map(shownAsSent(request, received, issue, note), (result) => result as Value),
              ),
            )
          }),
        estimate: (method, params) =>
          Effect.flatMap(networkOf(method), (network) =>
            Effect.map(Effect.fromResult(check(method, network, params)), (prepared) =>
              priceOfOneCall(method, network, prepared.params, transport),
            ),
          ),
        networkOf,
        prepare: (method, params) =>
          Effect.flatMap(networkOf(method), (network) => Effect.fromResult(check(method, network, params))),
        creditsPerSecond: transport.creditsPerSecond,
      })
    }),
  )
}

const networksOf = ({ networks }: Options): ReadonlyArray<Network> => {
  if (!Array.isArray(networks)) return Check.refuse("networks", "an array of networks", networks)
  const ids = new Set<string>()
  for (const [index, network] of networks.entries()) {
    if (typeof network !== "object" || network === null || typeof network.id !== "string")
      return Check.refuse(`networks[${index}]`, "a network that defineNetwork returned", network)
    if (ids.has(network.id)) {
      const message = `networks[${index}].id must be its own; another network has the id "${network.id}" too.`
      throw new Check.OptionError({ message, path: `networks[${index}].id`, expected: "an id of its own" })
    }
    ids.add(network.id)
  }
  return networks
}

/**
 * The client with every layer for metered calls, in the order of the README: `Coalesce`, `WholeBlock` and `Multicall` if their options are set, `Retry`, `CreditBudget`,
 * `RateLimit`, `Breaker`, and below them the transport and the ledger that are provided.
 *
 * @example
 * ```ts
 * const live = RpcClient.layerMetered({ networks: [mainnet], budget: { perSecond: 500 } }).pipe(
 *   Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
 *   Layer.provide(HttpTransport.layer()),
 * )
 * ```
 *
 * Layers of your own have two places: `aroundCall` and `aroundAttempt`.
 */
export const layerMetered = (
  options: MeteredOptions,
): Layer.Layer<RpcClient, Check.InvalidOptions, Transport | CreditLedger> =>
  Layer.unwrap(
    Effect.map(
      Check.inLayer(() => Check.members(options, meteredNames)),
      ({ networks, ...of }) =>
        layer({ networks }).pipe(
          Layer.provide(inItsPlace("aroundCall", of.aroundCall)),
          Layer.provide(within("coalesce", Coalesce.layer(of.coalesce))),
          // Below what is shared and kept, so that a composite is shared and kept as a whole.
          Layer.provide(Layer.fresh(Layer.effect(Transport, Effect.map(Transport, composing)))),
          Layer.provide(
            of.wholeBlock === undefined ? unchanged() : within("wholeBlock", WholeBlock.layer(of.wholeBlock)),
          ),
          Layer.provide(of.multicall === undefined ? unchanged() : within("multicall", Multicall.layer(of.multicall))),
          Layer.provide(within("retry", Retry.layer(of.retry))),
          Layer.provide(within("budget", CreditBudget.layer(of.budget))),
          Layer.provide(within("rateLimit", RateLimit.layer(of.rateLimit))),
          Layer.provide(within("breaker", Breaker.layer(of.breaker))),
          Layer.provide(inItsPlace("aroundAttempt", of.aroundAttempt)),
        ),
    ),
  )

const meteredNames: Check.Members<MeteredOptions> = {
  networks: true,
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

/** A layer whose options are those of one member. */
const within = <R>(
  member: string,
  own: Layer.Layer<Transport, Check.InvalidOptions, R>,
): Layer.Layer<Transport, Check.InvalidOptions, R> =>
  Layer.catchTag(own, "InvalidOptions", (error) => Layer.effect(Transport, Effect.fail(Check.inside(member, error))))

const unchanged = () => Layer.fresh(Layer.effect(Transport, Transport))

/** Built for its place alone: one that is given for both places would otherwise be built once, and the layers between be skipped. */
const inItsPlace = (
  member: string,
  own: OwnLayer | undefined,
): Layer.Layer<Transport, Check.InvalidOptions, Transport> => {
  if (own === undefined) return unchanged()
  const isLayer: boolean = Layer.isLayer(own)
  return isLayer
    ? within(member, Layer.fresh(own))
    : Layer.effect(
        Transport,
        Check.inLayer(() => Check.refuse(member, "a layer over a transport, such as Trace.layer()", own)),
      )
}

const findNetwork = (
  networks: ReadonlyArray<Network>,
  method: Method,
  said: string | Network | undefined,
): Result.Result<Network, RpcError> => {
  checkMethod(method)
  if (typeof said === "object" && answersPlugin(said, method.plugin)) return Result.succeed(said)
  const id = typeof said === "object" ? said.id : said
  const found = networks.find(
    (network) => answersPlugin(network, method.plugin) && (id === undefined || network.id === id),
  )
  if (found !== undefined) return Result.succeed(found)
  const own = networks.filter((network) => answersPlugin(network, method.plugin))
  const advice = [whyNoNetwork(networks, method, id), knownNetworks(own, method)].join("; ")
  return Result.fail(
    new RpcError({
      method: method.name,
      network: id ?? "no network",
      reason: new RpcReason.NotFound({
        said: advice,
        hint: "Give the client a network with this plugin, or name one that it has.",
      }),
      outcome: "unsent",
    }),
  )
}

/** A script without types may name a member of a plugin that does not exist. */
const checkMethod = (method: unknown): void => {
  const isMethod = typeof method === "object" && method !== null && "issues" in method
  if (!isMethod) throw new TypeError(`RpcClient needs a method such as Evm.GetLogs, and was given ${typeOf(method)}.`)
}

const typeOf = (value: unknown): string => (value === undefined || value === null ? String(value) : `a ${typeof value}`)

const whyNoNetwork = (networks: ReadonlyArray<Network>, method: Method, id: string | undefined): string => {
  if (id === undefined) return `no network answers the methods of "${method.plugin}"`
  const other = networks.find((network) => network.id === id)
  if (other !== undefined)
    return `network "${id}" answers the methods of "${pluginsOf(other).join('", "')}", not of "${method.plugin}"`
  const meant = nearest(
    id,
    networks.map((network) => network.id),
  )
  return meant === undefined ? `there is no network "${id}"` : `there is no network "${id}"; did you mean "${meant}"?`
}

const knownNetworks = (own: ReadonlyArray<Network>, method: Method): string =>
  own.length === 0
    ? `add one with "plugin": "${method.plugin}"`
    : `networks of "${method.plugin}" are ${own.map((network) => network.id).join(", ")}`

const check = (method: Method, network: Network, given: unknown): Result.Result<Prepared, RpcError> => {
  const params = scriptParams(given)
  if (Result.isFailure(params)) return Result.fail(invalid(method, network, params.failure))
  const [first, ...more] = method.issues(params.success, network)
  return first === undefined
    ? Result.succeed(method.prepare(params.success, network))
    : Result.fail(invalid(method, network, first, more))
}

const invalid = (
  method: Method,
  network: Network,
  first: ParamIssue,
  more: ReadonlyArray<ParamIssue> = [],
): RpcError => {
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`
  const hint = hintOf(first)
  const reason = new RpcReason.InvalidParams({
    said: `${showPath(first.path)}: ${first.message}${others}`,
    path: first.path,
    hint,
  })
  return failure({ method, network }, reason, "unsent")
}

const hintOf = (issue: ParamIssue): string | undefined => {
  if (issue.renameTo !== undefined) return `Rename it to "${issue.renameTo}".`
  return issue.replaceWith === undefined ? undefined : `Use ${Json.stringify(issue.replaceWith)} instead.`
}

/** A limit that nothing keeps is none, so the call is not sent. */
const unpaid = (method: Method, network: Network, limit: string): RpcError =>
  failure(
    { method, network },
    new RpcReason.LedgerUnavailable({
      why: `nothing below this client counts what ${limit} allows`,
      advice: "Make the client with RpcClient.layerMetered, or put CreditBudget.layer below RpcClient.layer.",
      retryable: false,
    }),
    "unsent",
  )

/** A long result was searched for secrets when it came. */
const withoutSecrets = ({ network }: RpcRequest, { isLong, result }: RpcReply): Json.Json =>
  isLong === true ? result : Redaction.scrubJson(result, network.secrets)

const priceOfOneCall = (
  method: Method,
  network: Network,
  params: Json.Json | undefined,
  transport: Transport["Service"],
): Price.PriceRange => {
  if (method.composite !== undefined) {
    const { least, most, of } = method.composite
    const one = priceOfOneCall(of, network, undefined, transport)
    return { ...one, min: least * one.min, max: one.max === undefined ? undefined : most * one.max }
  }
  const one = PriceSheet.priceOn(method, network, params)
  const surcharge = transport.surchargeOf?.({ method, network })
  if (surcharge === undefined || surcharge.credits === 0) return one
  return {
    ...one,
    max: one.max === undefined ? undefined : one.max + surcharge.credits,
    assumed: one.assumed || surcharge.assumed,
  }
}
