/**
 * The small queries that EVM clients send on their own before anything else. They are not among the methods of the
 * service and no plugin prices them: the chain's identity costs 5 credits and its head 80.
 */
import { Price } from "@dotrpc/spec"
import { Effect } from "effect"
import type { ChainStore } from "../../chain/ChainStore.ts"
import type { ServedMethod } from "../ServedMethod.ts"
import type { EvmService } from "./EvmService.ts"

const credits = { eth_chainId: 5, net_version: 5, eth_blockNumber: 80 } as const

export type ChainQuery = keyof typeof credits

export const chainQueryNames: ReadonlyArray<ChainQuery> = ["eth_chainId", "net_version", "eth_blockNumber"]

/** A chain query as it is counted, without its answer. */
export const pricedChainQuery = (name: ChainQuery): Omit<ServedMethod, "call"> => ({
  name,
  credits: credits[name],
  settle: Price.defaultSettlePolicy,
})

export const chainQueries = (service: EvmService): ReadonlyArray<ServedMethod> =>
  chainQueryNames.map((name) => ({
    ...pricedChainQuery(name),
    call: () => Effect.sync(() => answers[name](service.chain())),
  }))

const answers: Readonly<Record<ChainQuery, (chain: ChainStore) => string>> = {
  eth_chainId: ({ chainId }) => `0x${chainId.toString(16)}`,
  net_version: ({ chainId }) => String(chainId),
  eth_blockNumber: ({ head }) => `0x${head.toString(16)}`,
}
