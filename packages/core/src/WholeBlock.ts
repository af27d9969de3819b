/**
 * The layer that asks for a whole block: calls that are made at the same time and whose results are parts of one block become one call
 * for that block, where that costs less.
 *
 * Invariant: a call ends as it would end alone, or is made alone. Which block it belongs to is known from results that were read
 * anyway, or it is made alone: nothing is sent to find out.
 */
import type { Scope } from "effect"
import type * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type BlockPart,
  type Json,
  mayRepeat,
  type MulticallEntry,
  offersWhole,
  Options as Check,
  type RpcError,
  type RpcRequest,
  Transport,
  wholeSaves,
} from "@dotrpc/spec"
import { MulticallUse } from "./CallSettings.ts"
import { highestPrice } from "./internal/attempt.ts"
import { asChecked, checkedTransport } from "./internal/checkedTransport.ts"
import { configured } from "./internal/configured.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { gathering, type Group } from "./internal/together/gathering.ts"
import { makeWholeBlockMemory, type WholeBlockMemory } from "./internal/together/wholeBlockMemory.ts"
import * as SeenBlocks from "./SeenBlocks.ts"

/** Where whole blocks are asked for, and for how many calls. */
export interface Options {
  /**
   * Where whole blocks are asked for. `"known"`: only on networks that are known to have the method. `"try"`, the default: on other networks as well,
   * once calls would save more than the attempt costs. `"off"`: nowhere. `MulticallUse` replaces it for a call.
   */
  readonly use?: MulticallUse | undefined
  /** The most calls that become one; 1,000 by default. */
  readonly calls?: number | undefined
  /** The most items whose blocks are remembered, such as transactions; 5,000 by default. */
  readonly items?: number | undefined
  /** How long the first call waits for others; 0 by default, which gathers the calls of one turn. */
  readonly window?: Duration.Input | undefined
}

/**
 * Calls of methods that have a `blockPart`, such as `eth_getTransactionReceipt`, become one call for their block, such as `eth_getBlockReceipts`, when
 * they go to the same endpoint with the same call settings, earlier results show that they belong to the same block, and the one call costs less by the price
 * sheet of the network or, without one, by the prices of the methods, however long its reply is.
 *
 * Each caller pays an equal share of the one call, from its own allowances. What the block does not have is asked for by a separate call,
 * and so is everything if the one call fails. The layer remembers that: after an error which says that the method does not exist, or after two
 * failures in a row, calls to the endpoint stay separate.
 *
 * Belongs below `Coalesce` and above `Retry` and `CreditBudget`, which treat the one call like any other.
 *
 * @example
 * ```ts
 * const client = RpcClient.layerMetered({ networks: [mainnet], wholeBlock: {} })
 * ```
 *
 * The layer fails with `InvalidOptions` when `calls` or `items` is not a whole number above zero, or `window` is below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const limits = yield* Check.inLayer(() => limitsOf(Check.members(options, optionNames)))
      const below = checkedTransport(yield* Transport)
      const scope: Scope.Scope = yield* Effect.scope
      const memoryOf = perEndpoint(makeWholeBlockMemory)
      const own = SeenBlocks.make(limits.items)
      const sendTogether = gathering(below, scope, { bytes: Infinity, window: limits.window })
      const send: Transport["Service"]["send"] = (request) =>
        Effect.withFiber((fiber) => {
          const { method, network } = request
          const { blockItems } = method
          const use = fiber.getRef(MulticallUse) ?? limits.use
          const seen = fiber.getRef(SeenBlocks.Current) ?? own
          const group = groupOf(below, request, use, seen, memoryOf(network), limits.calls)
          const sent = group === undefined ? below.send(request) : sendTogether(request, group)
          return blockItems === undefined
            ? sent
            : Effect.tap(sent, ({ result }) => Effect.sync(() => seen.see(network, blockItems(result))))
        })
      return asChecked({ ...below, send })
    }),
  )

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> => configured(options, layer)

const optionNames: Check.Members<Options> = { use: true, calls: true, items: true, window: true }

const limitsOf = ({ calls = 1_000, items = 5_000, use = "try", window = 0 }: Options) => ({
  use: Check.oneOf("use", use, ["try", "known", "off"]),
  calls: Check.wholeAboveZero("calls", calls),
  items: Check.wholeAboveZero("items", items),
  window: Check.millis("window", window),
})

const groupOf = (
  below: Transport["Service"],
  { aroundAttempt, method, network, params }: RpcRequest,
  use: MulticallUse,
  seen: SeenBlocks.SeenBlocks,
  memory: WholeBlockMemory,
  calls: number,
): Group | undefined => {
  const { blockPart } = method
  // A layer above that acts around each attempt does so for this call only.
  if (blockPart === undefined || use === "off" || aroundAttempt !== undefined || !mayRepeat(method)) return undefined
  const item = blockPart.itemOf(params)
  const block = item === undefined ? undefined : seen.blockOf(network, item)
  if (block === undefined || memory.isOff()) return undefined
  const isOffered = offersWhole(network, blockPart)
  if (isOffered === false || (isOffered === undefined && use !== "try")) return undefined
  return {
    key: block,
    bytes: 0,
    most: calls,
    join: () => ({ method: blockPart.whole, params: blockPart.paramsOf(block) }),
    isCheaper: (one, { length }) => wholeSaves(method, network, length, highestPrice(one, below)),
    split: (result, requests) => partsOf(blockPart, result, block, requests, seen),
    answered: (hasParts) => {
      memory.answered(hasParts)
      return "their block is not in the chain any more"
    },
    failed: (error) => {
      memory.failed(error)
      return `the call for their whole block failed: ${error.reason.message}`
    },
    isOfAll,
  }
}

/** `undefined` if the reply has none of them. What it lacks, or what does not fit the method, is asked for alone. */
const partsOf = (
  { itemOf, partsOf }: BlockPart,
  result: Json.Json,
  block: string,
  requests: ReadonlyArray<RpcRequest>,
  seen: SeenBlocks.SeenBlocks,
): ReadonlyArray<MulticallEntry> | undefined => {
  const parts = partsOf(
    result,
    block,
    requests.map(({ params }) => itemOf(params) ?? ""),
  )
  const entries = requests.map(({ method, network, params }, index): MulticallEntry => {
    const part = parts[index]
    if (part !== undefined && method.resultIssue(part) === undefined) return { _tag: "Result", result: part }
    seen.forget(network, itemOf(params) ?? "")
    return { _tag: "Alone" }
  })
  return entries.some(({ _tag }) => _tag === "Result") ? entries : undefined
}

/** Whether a separate call would fail in the same way. Others may be answered: the method may be one that the key does not allow. */
const isOfAll = ({ outcome, reason }: RpcError): boolean => {
  switch (reason._tag) {
    case "BudgetExhausted":
    case "LedgerUnavailable":
    case "OriginRefused":
    case "RateLimited":
    case "Transport":
      return true
    case "Timeout":
      return outcome === "unsent"
    default:
      return false
  }
}
