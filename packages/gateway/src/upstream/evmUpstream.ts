/**
 * The EVM methods over a real node. Params go to the node as received and its errors come back as they are; what the
 * gateway adds are the limits of the service, and `eth_getBlockRange` for the many nodes that do not have it.
 */
import { Evm } from "@dotrpc/plugin-evm"
import { Json, type Network } from "@dotrpc/spec"
import { Effect, Result } from "effect"
import { withinHistory } from "../methods/evm/EvmService.ts"
import type { EvmLimits } from "../methods/evm/limits.ts"
import { blockRangeFault, blockRangeParamsFault } from "../methods/evm/getBlockRange.ts"
import { queryTimeout, tooManyResults } from "../methods/evm/getLogs.ts"
import { filterSizeFault, tagFault } from "../methods/evm/nodeWords.ts"
import { type Fault, invalidParams } from "../methods/Fault.ts"
import { replyRoom } from "../methods/ReplyRoom.ts"
import { priced, type ServedMethod } from "../methods/ServedMethod.ts"
import { passThrough } from "./passThrough.ts"
import type { Upstream } from "./Upstream.ts"

export interface EvmUpstream {
  readonly network: Network
  readonly upstream: Upstream
  readonly limits: EvmLimits
}

export const evmUpstreamMethods = (service: EvmUpstream): ReadonlyArray<ServedMethod> => [
  getLogs(service),
  getBlockRange(service),
  getStorageAt(service),
  getTransactionReceipt(service),
  ...Evm.plugin.methods
    .filter(({ name }) => !limited.has(name))
    .map((method) => passThrough(method, service.network, service.upstream)),
]

/** Methods that have a limit of the service, or that many nodes lack. */
const limited: ReadonlySet<string> = new Set(
  [Evm.GetLogs, Evm.GetBlockRange, Evm.GetStorageAt, Evm.GetTransactionReceipt].map(({ name }) => name),
)

const getLogs = (service: EvmUpstream): ServedMethod => ({
  ...priced(Evm.GetLogs, service.network),
  call: Effect.fnUntraced(function* (params) {
    const { limits, network, upstream } = service
    const filter = firstOf(params)
    const { fromBlock, toBlock } = Json.isObject(filter) ? filter : {}
    const fault =
      filterSizeFault(filter, limits.filterParams) ?? tagFault(fromBlock, network) ?? tagFault(toBlock, network)
    if (fault !== undefined) return yield* Effect.fail(fault)
    yield* checkHistory(service, [fromBlock ?? "latest", toBlock ?? "latest"])
    const logs = yield* upstream
      .call("eth_getLogs", params ?? [])
      .pipe(Effect.timeoutOrElse({ duration: limits.queryMillis, orElse: () => Effect.fail(queryTimeout) }))
    return Json.isArray(logs) && logs.length > limits.results
      ? yield* Effect.fail(tooManyResults(limits.results))
      : logs
  }),
})

const getStorageAt = (service: EvmUpstream): ServedMethod => ({
  ...priced(Evm.GetStorageAt, service.network),
  call: Effect.fnUntraced(function* (params) {
    const block = Json.isArray(params) ? params[2] : undefined
    const fault = tagFault(block, service.network)
    if (fault !== undefined) return yield* Effect.fail(fault)
    yield* checkHistory(service, [block])
    const value = yield* service.upstream.call("eth_getStorageAt", params ?? [])
    // Some nodes leave out leading zeros; the service never does (service §2.4).
    return typeof value === "string" && value.startsWith("0x") ? `0x${value.slice(2).padStart(64, "0")}` : value
  }),
})

const getTransactionReceipt = (service: EvmUpstream): ServedMethod => ({
  ...priced(Evm.GetTransactionReceipt, service.network),
  call: Effect.fnUntraced(function* (params) {
    const receipt = yield* service.upstream.call("eth_getTransactionReceipt", params ?? [])
    yield* checkHistory(service, [Json.isObject(receipt) ? receipt.blockNumber : undefined])
    return receipt
  }),
})

const getBlockRange = (service: EvmUpstream): ServedMethod => {
  // Asked once: a node does not grow a method while it runs.
  let lacksMethod = false
  return {
    ...priced(Evm.GetBlockRange, service.network),
    call: Effect.fnUntraced(function* (sent) {
      const params = sent ?? []
      const [issue] = Evm.GetBlockRange.issues(params, service.network)
      if (issue !== undefined || !Json.isArray(params))
        return yield* Effect.fail(
          blockRangeParamsFault(params, service.network, service.limits.blockRange) ??
            invalidParams(`invalid params: ${issue?.message ?? "expected an array"}`),
        )
      const [first = null, last = null, details = false] = params
      const [start, end] = [yield* numberOf(service, first, "start"), yield* numberOf(service, last, "end")]
      const fault = blockRangeFault(start, end, service.limits.blockRange)
      if (fault !== undefined) return yield* Effect.fail(fault)
      yield* checkHistory(service, [quantity(start)])
      if (!lacksMethod) {
        const own = yield* Effect.result(service.upstream.call("eth_getBlockRange", params))
        if (own._tag === "Success") return own.success
        if (!absentMethodCodes.has(own.failure.code)) return yield* Effect.fail(own.failure)
        lacksMethod = true
      }
      const room = replyRoom(RANGE_LIMIT, () => true)
      return yield* Effect.forEach(
        Array.from({ length: end - start + 1 }, (_, index) => start + index),
        (number) =>
          blockAt(service, number === end ? last : quantity(number), number, details).pipe(
            Effect.flatMap((block) => Effect.fromResult(room.admit(Result.succeed(block)))),
          ),
        { concurrency: 8 },
      )
    }),
  }
}

/** The blocks of a range are in memory until the last one is there: they may have so many characters together. */
const RANGE_LIMIT = 64 * 1_048_576

/** The errors of nodes for a method they do not have: JSON-RPC's own code, and the one of EIP-1474, which hardhat uses. */
const absentMethodCodes: ReadonlySet<number> = new Set([-32601, -32004])

/** The number a block parameter stands for on the node; tags are the node's to resolve. */
const numberOf = (service: EvmUpstream, parameter: Json.Json, side: "start" | "end"): Effect.Effect<number, Fault> => {
  if (typeof parameter === "string" && parameter.startsWith("0x")) return Effect.succeed(Number(parameter))
  const tag = parameter === "pending" ? "latest" : parameter
  return service.upstream
    .call("eth_getBlockByNumber", [tag, false])
    .pipe(
      Effect.flatMap((block) =>
        Json.isObject(block) && typeof block.number === "string"
          ? Effect.succeed(Number(block.number) + (parameter === "pending" ? 1 : 0))
          : Effect.fail(missing(side, Json.stringify(parameter))),
      ),
    )
}

const blockAt = (
  service: EvmUpstream,
  parameter: Json.Json,
  number: number,
  details: Json.Json,
): Effect.Effect<Json.Json, Fault> =>
  service.upstream.call("eth_getBlockByNumber", [parameter === "pending" ? parameter : quantity(number), details]).pipe(
    Effect.filterOrFail(
      (block) => block !== null,
      () => missing("end", String(number)),
    ),
  )

const missing = (side: "start" | "end", block: string): Fault =>
  invalidParams(`${side} of requested block range (${block}) does not exist`)

/** Fails when one of the block numbers is below those that the network serves. */
const checkHistory = Effect.fnUntraced(function* (
  { network, upstream }: EvmUpstream,
  blocks: ReadonlyArray<Json.Json | undefined>,
) {
  if (network.historyDepth === undefined) return
  const numbers = blocks
    .filter((block) => typeof block === "string")
    .map((block) => (block === "earliest" ? 0 : Number(block)))
    .filter(Number.isSafeInteger)
  if (numbers.length === 0) return
  const head = Number(yield* upstream.call("eth_blockNumber", []))
  yield* Effect.fromResult(withinHistory(network, head, Math.min(...numbers)))
})

const firstOf = (params: Json.Json | undefined): Json.Json | undefined => (Json.isArray(params) ? params[0] : undefined)

const quantity = (value: number): string => `0x${value.toString(16)}`
