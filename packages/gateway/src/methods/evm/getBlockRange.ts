/** `eth_getBlockRange` over a chain (service §4.2): inclusive, ascending, a limited number of blocks. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json, type Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { Block, PendingBlock } from "../../chain/ChainJson.ts"
import { type Fault, invalidParams, serverFault } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { blockNumberOf, type EvmService, withinHistory } from "./EvmService.ts"
import { argumentsFault, blockFault } from "./nodeWords.ts"

export const getBlockRange = (service: EvmService): ServedMethod =>
  serveMethod({
    method: Evm.GetBlockRange,
    network: service.network,
    explain: (params) => blockRangeParamsFault(params, service.network, service.limits.blockRange),
    answer: ([first, last, details]) =>
      Result.gen(function* () {
        const chain = service.chain()
        const [start, end] = [blockNumberOf(chain, first), blockNumberOf(chain, last)]
        const fault = blockRangeFault(start, end, service.limits.blockRange)
        if (fault !== undefined) return yield* Result.fail(fault)
        if (end > chain.head && last !== "pending")
          return yield* Result.fail(invalidParams(`end of requested block range (${end}) does not exist`))
        yield* withinHistory(service.network, chain.head, start)
        const blocks: Array<Block | PendingBlock> = []
        for (let number = start; number <= end; number++) {
          const block = number > chain.head ? chain.pendingBlock : chain.blockByNumber(number)
          if (block === undefined) return yield* Result.fail(serverFault(`block ${number} not found`))
          blocks.push(block)
        }
        return details ? blocks : blocks.map(withHashes)
      }),
  })

/** A node's words for params that are not a range of blocks. */
export const blockRangeParamsFault = (params: Json.Json, network: Network, limit: number): Fault | undefined => {
  const [start, end] = Json.isArray(params) ? params : []
  return (
    argumentsFault(params, 3) ??
    blockFault(start, 0, network) ??
    blockFault(end, 1, network) ??
    blockRangeFault(Number(start), Number(end), limit)
  )
}

/** What is wrong with a range of blocks, whatever the chain holds; nothing when an end is not a number. */
export const blockRangeFault = (start: number, end: number, limit: number): Fault | undefined => {
  if (start > end) return invalidParams(`start of block range (${start}) is greater than end of block range (${end})`)
  const count = end - start + 1
  return count > limit
    ? invalidParams(`requested block range is too large (max is ${limit}, requested ${count})`)
    : undefined
}

const withHashes = (block: Block | PendingBlock) => ({
  ...block,
  transactions: block.transactions.map((transaction) => transaction.hash),
})
