/** What the EVM methods of a network share: its chain, its limits, and which of its blocks are served. */
import type { Evm } from "@dotrpc/plugin-evm"
import type { Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { AccountHistory } from "../../chain/AccountHistory.ts"
import type { ChainStore } from "../../chain/ChainStore.ts"
import type { MadeInSteps } from "../../internal/madeInSteps.ts"
import { type Fault, serverFault } from "../Fault.ts"
import type { EvmLimits, QueryWork } from "./limits.ts"
import type { LoadEvm } from "./run/loadingEvm.ts"

export interface EvmService {
  readonly network: Network
  readonly chain: () => ChainStore
  /** Balances, nonces and code after every block. */
  readonly history: MadeInSteps<AccountHistory>
  readonly loadEvm: LoadEvm
  readonly limits: EvmLimits
  /** The simulated duration of a query, in milliseconds. The stores answer at once, so that a slow node is simulated here. */
  readonly queryMillis: (work: QueryWork) => number
  /** Whether a query with too many results gets a range that fits. */
  readonly hints: boolean
}

/** A block parameter as accepted params hold it: a tag or a hex number. */
export type BlockParameter = string

/** The number a block parameter stands for. The pending block counts as the one after the head. */
export const blockNumberOf = (chain: ChainStore, parameter: BlockParameter): number => {
  switch (parameter) {
    case "latest":
      return chain.head
    case "earliest":
      return chain.earliest
    case "pending":
      return chain.head + 1
    case "safe":
      return chain.safe
    case "finalized":
      return chain.finalized
    default:
      return Number(parameter)
  }
}

/** A block as the params of a read name it. */
export type BlockReference = Evm.BlockReference

/** The number of the block that a reference names; `undefined` for a hash that is unknown here. */
export const numberOf = (chain: ChainStore, reference: BlockReference): number | undefined => {
  if (typeof reference === "object" && reference.blockNumber !== undefined) return Number(reference.blockNumber)
  const hash = typeof reference === "object" ? reference.blockHash : reference.length === 66 ? reference : undefined
  if (hash === undefined) return blockNumberOf(chain, String(reference))
  const block = chain.blockByHash(hash)
  return block === undefined ? undefined : Number(block.number)
}

/** The block whose state is read. The pending block has not changed any. */
export const stateNumberOf = ({ chain: of, network }: EvmService, reference: BlockReference) => {
  const chain = of()
  const number = reference === "pending" ? chain.head : numberOf(chain, reference)
  return number === undefined || number > chain.head || number < chain.earliest
    ? Result.fail(serverFault("header not found"))
    : withinHistory(network, chain.head, number)
}

/** Fails for a block below those that the network serves (service §8, history depth). */
export const withinHistory = (network: Network, head: number, blockNumber: number): Result.Result<number, Fault> => {
  const depth = network.historyDepth
  if (depth === undefined || blockNumber > head - depth) return Result.succeed(blockNumber)
  const oldest = `0x${Math.max(0, head - depth + 1).toString(16)}`
  return Result.fail(
    serverFault(
      `archive requests are not supported on this network: only the latest ${depth} blocks are served, from ${oldest} on`,
    ),
  )
}
