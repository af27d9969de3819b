/** What gas costs: from the base fee of the next block and the tips of past ones. */
import { Evm } from "@dotrpc/plugin-evm"
import { Result } from "effect"
import type { Block } from "../../chain/ChainJson.ts"
import type { ChainStore } from "../../chain/ChainStore.ts"
import { quantity } from "../../chain/internal/hex.ts"
import { invalidParams } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { blockNumberOf, type EvmService, withinHistory } from "./EvmService.ts"

/** The most blocks of one fee history, as with most nodes. */
const mostBlocks = 1_024

export const fees = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const { network } = service
  const nextBaseFee = () => BigInt(service.chain().pendingBlock.baseFeePerGas ?? "0x0")
  const usualTip = () => {
    const chain = service.chain()
    const tips = tipsOf(chain, chain.blockByNumber(chain.head)).map(({ tip }) => tip)
    return tips[Math.floor(tips.length / 2)] ?? DEFAULT_TIP
  }
  const served = (method: typeof Evm.GasPrice, answer: () => bigint) =>
    serveMethod({ method, network, answer: () => Result.succeed(quantity(answer())) })
  return [
    served(Evm.GasPrice, () => nextBaseFee() + usualTip()),
    served(Evm.MaxPriorityFeePerGas, usualTip),
    served(Evm.BaseFee, nextBaseFee),
    serveMethod({
      method: Evm.GetFeeHistory,
      network,
      answer: ([asked, newest, percentiles]) => {
        const chain = service.chain()
        const last = newest === "pending" ? chain.head : blockNumberOf(chain, newest)
        if (last > chain.head)
          return Result.fail(invalidParams(`request beyond head block: requested ${last}, head ${chain.head}`))
        const count = Math.min(Number(asked), mostBlocks, last - chain.earliest + 1)
        const first = last - count + 1
        return Result.map(withinHistory(network, chain.head, first), () => {
          const blocks = Array.from({ length: Math.max(0, count) }, (_, index) => chain.blockByNumber(first + index))
          const next =
            last === chain.head ? nextBaseFee() : BigInt(chain.blockByNumber(last + 1)?.baseFeePerGas ?? "0x0")
          return {
            oldestBlock: quantity(first),
            baseFeePerGas: [...blocks.map((block) => block?.baseFeePerGas ?? "0x0"), quantity(next)],
            gasUsedRatio: blocks.map((block) =>
              block === undefined ? 0 : Number(block.gasUsed) / Number(block.gasLimit),
            ),
            ...(percentiles === undefined || percentiles === null || percentiles.length === 0
              ? {}
              : { reward: blocks.map((block) => rewards(chain, block, percentiles.map(Number))) }),
          }
        })
      },
    }),
  ]
}

/** Wei for each gas where a block has no transaction to learn from: 1 gwei. */
const DEFAULT_TIP = 1_000_000_000n

interface Tip {
  readonly tip: bigint
  readonly gas: number
}

/** What each transaction of a block paid above the base fee, ascending. */
const tipsOf = (chain: ChainStore, block: Block | undefined): ReadonlyArray<Tip> => {
  if (block === undefined) return []
  const baseFee = BigInt(block.baseFeePerGas ?? "0x0")
  return block.transactions
    .flatMap(({ hash }) => chain.receiptByHash(hash) ?? [])
    .map(({ effectiveGasPrice, gasUsed }) => ({ tip: BigInt(effectiveGasPrice) - baseFee, gas: Number(gasUsed) }))
    .toSorted((left, right) => (left.tip < right.tip ? -1 : left.tip > right.tip ? 1 : 0))
}

/** The tip of the transaction in which each percentile of the block's gas lies. */
const rewards = (chain: ChainStore, block: Block | undefined, percentiles: ReadonlyArray<number>) => {
  const tips = tipsOf(chain, block)
  const total = tips.reduce((sum, { gas }) => sum + gas, 0)
  return percentiles.map((percentile) => {
    let gas = 0
    const found = tips.find((each) => (gas += each.gas) >= (total * percentile) / 100)
    return quantity(found?.tip ?? 0n)
  })
}
