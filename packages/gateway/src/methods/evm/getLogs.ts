/** `eth_getLogs` over a chain (service §4.3), with the limits of §8 and the errors of §7. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { Result } from "effect"
import type { Log } from "../../chain/ChainJson.ts"
import type { ChainStore } from "../../chain/ChainStore.ts"
import type { LogFilter } from "../../chain/LogFilter.ts"
import { type Fault, serverFault } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { blockNumberOf, type EvmService, withinHistory } from "./EvmService.ts"
import { argumentsFault, beyondHead, filterFault, invalidBlockRange } from "./nodeWords.ts"

export const getLogs = (service: EvmService): ServedMethod =>
  serveMethod({
    method: Evm.GetLogs,
    network: service.network,
    explain: (params) =>
      argumentsFault(params, 1) ??
      filterFault(Json.isArray(params) ? params[0] : undefined, service.limits.filterParams, service.network),
    answer: ([filter]) =>
      Result.gen(function* () {
        const chain = service.chain()
        const range = yield* filter.blockHash == null ? rangeOf(chain, filter) : blockOf(chain, filter.blockHash)
        if (range === undefined) return []
        yield* withinHistory(service.network, chain.head, range.from)
        return yield* readLogs(service, chain, range, { address: filter.address, topics: filter.topics })
      }),
  })

/** The error of a query with too many results (service §7). */
export const tooManyResults = (limit: number): Fault => ({
  code: -32005,
  message: `query returned more than ${limit} results`,
})

/** The error of a query that runs too long (service §7). */
export const queryTimeout: Fault = { code: -32005, message: "query timeout exceeded" }

interface BlockRange {
  readonly from: number
  readonly to: number
}

const blockOf = (chain: ChainStore, hash: string): Result.Result<BlockRange, Fault> => {
  const block = chain.blockByHash(hash)
  if (block === undefined) return Result.fail(serverFault("unknown block"))
  const number = Number(block.number)
  return Result.succeed({ from: number, to: number })
}

/**
 * The blocks a filter covers; `undefined` when tags make it cover none, as from `latest` to an older number. The pending
 * block has no logs yet, so a range up to `pending` ends at the head.
 */
const rangeOf = (
  chain: ChainStore,
  filter: { readonly fromBlock?: string | null | undefined; readonly toBlock?: string | null | undefined },
): Result.Result<BlockRange | undefined, Fault> => {
  const [first, last] = [filter.fromBlock ?? "latest", filter.toBlock ?? "latest"]
  const [from, to] = [blockNumberOf(chain, first), blockNumberOf(chain, last)]
  const beyond = (parameter: string, number: number) => parameter.startsWith("0x") && number > chain.head
  if (from > to)
    return first.startsWith("0x") && (last.startsWith("0x") || beyond(first, from))
      ? Result.fail(invalidBlockRange)
      : Result.succeed(undefined)
  if (beyond(last, to) || beyond(first, from)) return Result.fail(beyondHead)
  return Result.succeed({ from, to })
}

const readLogs = (
  service: EvmService,
  chain: ChainStore,
  range: BlockRange,
  filter: LogFilter,
): Result.Result<ReadonlyArray<Log>, Fault> => {
  const { limits } = service
  const logs: Array<Log> = []
  let excess: Log | undefined
  for (const log of chain.logs(range.from, range.to, filter)) {
    if (logs.length === limits.results) {
      excess = log
      break
    }
    logs.push(log)
  }
  const work = { blocks: range.to - range.from + 1, logs: logs.length + (excess === undefined ? 0 : 1) }
  if (service.queryMillis(work) > limits.queryMillis) return Result.fail(queryTimeout)
  if (excess === undefined) return Result.succeed(logs)
  const fault = tooManyResults(limits.results)
  return Result.fail(
    service.hints ? withHint(fault, range.from, Number(excess.blockNumber) - 1, limits.results) : fault,
  )
}

/** Adds the longest range from the same start that fits; there is none when the first block alone holds too much. */
const withHint = (fault: Fault, from: number, to: number, limit: number): Fault => {
  if (to < from) return fault
  const [start, end] = [`0x${from.toString(16)}`, `0x${to.toString(16)}`]
  return {
    ...fault,
    message: `${fault.message}. Try with this block range [${start}, ${end}].`,
    data: { from: start, limit, to: end },
  }
}
