/**
 * The layer that lets a contract make calls: calls that are made at the same time and read the same block become one call, where
 * that costs less.
 *
 * Invariant: a call ends as it would end alone, or is made alone. It joins a shared call at most once.
 */
import type { Scope } from "effect"
import type * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  Json,
  mayRepeat,
  type MulticallGroup,
  Options as Check,
  type RpcError,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { MulticallUse } from "./CallSettings.ts"
import { highestPrice } from "./internal/attempt.ts"
import { asChecked, checkedTransport } from "./internal/checkedTransport.ts"
import { configured } from "./internal/configured.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { gathering, type Group, usualPrice } from "./internal/together/gathering.ts"
import { makeMulticallMemory, type MulticallMemory } from "./internal/together/multicallMemory.ts"

/** Where calls go together, and how many. */
export interface Options {
  /**
   * Where calls go together. `"known"`: only on networks that are known to have the contract. `"try"`, the default: on other networks as well, once
   * at least three calls would save more than the attempt costs. `"off"`: nowhere. `MulticallUse` replaces it for a call.
   */
  readonly use?: MulticallUse | undefined
  /** The most calls that become one; 100 by default. */
  readonly calls?: number | undefined
  /** The most bytes of the one call; 65,536 by default. */
  readonly bytes?: number | undefined
  /** How long the first call waits for others; 0 by default, which gathers the calls of one turn. */
  readonly window?: Duration.Input | undefined
}

/**
 * Calls of methods that have a `multicall`, such as `eth_call`, go together when they go to the same endpoint, read the same block
 * and have the same call settings, and one call costs less than all of them by the price sheet of the network or, without one, by the prices of the method.
 *
 * Each caller pays an equal share of the one call, from its own allowances; the shares add up to what is charged. A caller that is
 * interrupted does not affect the others, and pays its share if the call was already sent. An entry that fails, fails only for its caller, with the same error as a
 * separate call. If the whole call fails, or an entry does not show why it failed, calls are made alone. The layer remembers failures of whole calls:
 * where the contract is missing, calls stay separate; if they were too many, half as many go together the next time. An error of the server that
 * concerns all of them, such as 429 or an unknown block, is the error of each.
 *
 * Belongs below `Coalesce` and above `Retry` and `CreditBudget`, which treat the one call like any other.
 *
 * @example
 * ```ts
 * const client = RpcClient.layerMetered({ networks: [mainnet], multicall: {} })
 * ```
 *
 * The layer fails with `InvalidOptions` when `calls` or `bytes` is not a whole number above zero, or `window` is below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const limits = yield* Check.inLayer(() => limitsOf(Check.members(options, optionNames)))
      const below = checkedTransport(yield* Transport)
      const scope: Scope.Scope = yield* Effect.scope
      const memoryOf = perEndpoint(makeMulticallMemory)
      const sendTogether = gathering(below, scope, limits)
      const send: Transport["Service"]["send"] = (request) =>
        Effect.withFiber((fiber) => {
          const use = fiber.getRef(MulticallUse) ?? limits.use
          const group = groupOf(below, request, use, memoryOf(request.network), limits.calls)
          return group === undefined ? below.send(request) : sendTogether(request, group)
        })
      return asChecked({ ...below, send })
    }),
  )

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> => configured(options, layer)

const optionNames: Check.Members<Options> = { use: true, calls: true, bytes: true, window: true }

const limitsOf = ({ bytes = 65_536, calls = 100, use = "try", window = 0 }: Options) => ({
  use: Check.oneOf("use", use, ["try", "known", "off"]),
  calls: Check.wholeAboveZero("calls", calls),
  bytes: Check.wholeAboveZero("bytes", bytes),
  window: Check.millis("window", window),
})

const groupOf = (
  below: Transport["Service"],
  { aroundAttempt, method, network, params }: RpcRequest,
  use: MulticallUse,
  memory: MulticallMemory,
  calls: number,
): Group | undefined => {
  const { multicall } = method
  // A layer above that acts around each attempt does so for this call only.
  if (multicall === undefined || use === "off" || aroundAttempt !== undefined || !mayRepeat(method)) return undefined
  const group = multicall.groupOf(params, network)
  if (group === undefined || (!group.known && use !== "try")) return undefined
  const most = Math.min(calls, memory.mostOf(group))
  return {
    key: group.key,
    bytes: group.bytes,
    most,
    alone: most < 2 ? memory.whyAlone() : undefined,
    join: (requests) => ({ method, params: multicall.join(requests.map(({ params }) => params)) }),
    isCheaper: (one, alone) => isCheaper(below, one, alone, group.known),
    split: (result, { length }) => multicall.split(result, length),
    answered: (hasResults, one) => {
      const why = missingWords(one.params, group.block)
      if (!hasResults) memory.missing(group, why)
      return why
    },
    failed: ({ reason }, count) => {
      const why = `the one call failed: ${reason.message}`
      memory.failed(count, why)
      return why
    },
    isOfAll,
  }
}

/** The contract is the one that the call for all of them is sent to. */
const missingWords = (params: Json.Json, block: MulticallGroup["block"]): string => {
  const [call] = Json.isArray(params) ? params : []
  const to = call !== undefined && Json.isObject(call) ? call["to"] : undefined
  const place = typeof to === "string" ? ` at ${to}` : ""
  return `the network has no Multicall contract${place}${block === "tag" ? "" : ", or not yet at this block"}`
}

/** Where the contract may be missing, the calls must save more than the attempt costs. */
const isCheaper = (
  below: Transport["Service"],
  one: RpcRequest,
  alone: ReadonlyArray<RpcRequest>,
  isKnown: boolean,
): boolean => {
  const times = isKnown ? 1 : 2
  const most = alone.reduce((sum, request) => sum + highestPrice(request, below), 0)
  const usual = alone.reduce((sum, request) => sum + usualPrice(request), 0)
  return times * highestPrice(one, below) < most && times * usualPrice(one) < usual
}

/** Whether a separate call would fail in the same way. */
const isOfAll = ({ outcome, reason }: RpcError): boolean => {
  switch (reason._tag) {
    case "AuthFailed":
    case "BudgetExhausted":
    case "LedgerUnavailable":
    case "NotFound":
    case "OriginRefused":
    case "PaymentRequired":
    case "RateLimited":
    case "Transport":
    case "Unsupported":
      return true
    case "Timeout":
      return outcome === "unsent"
    default:
      return false
  }
}
