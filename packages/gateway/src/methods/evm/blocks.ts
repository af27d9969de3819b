/** Blocks, their transactions and their receipts, one at a time. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Method } from "@dotrpc/spec"
import { Result } from "effect"
import type { Block, PendingBlock, PendingTransaction, Receipt, Transaction } from "../../chain/ChainJson.ts"
import { quantity } from "../../chain/internal/hex.ts"
import type { Fault } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { type BlockReference, type EvmService, numberOf, withinHistory } from "./EvmService.ts"

type AnyBlock = Block | PendingBlock
type Found<A> = Result.Result<A | undefined, Fault>

export const blocks = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const { network } = service

  /** `undefined` for a block that does not exist. */
  const blockAt = (reference: BlockReference): Found<AnyBlock> => {
    const chain = service.chain()
    if (reference === "pending") return Result.succeed(chain.pendingBlock)
    const number = numberOf(chain, reference)
    if (number === undefined || number > chain.head) return Result.succeed(undefined)
    return Result.map(withinHistory(network, chain.head, number), () => chain.blockByNumber(number))
  }
  const receiptsOf = (block: AnyBlock): ReadonlyArray<Receipt> =>
    block.transactions.flatMap(({ hash }) => service.chain().receiptByHash(hash) ?? [])

  /** A method whose first param names a block, and whose result is `null` where there is none. */
  const ofBlock = <Params extends readonly [BlockReference, ...ReadonlyArray<unknown>], Value>(
    method: Method<Params, Value | null>,
    read: (block: AnyBlock, params: Params) => Value | null,
  ): ServedMethod =>
    serveMethod({
      method,
      network,
      answer: (params) => Result.map(blockAt(params[0]), (block) => (block === undefined ? null : read(block, params))),
    })

  const withDetails = (block: AnyBlock, [, full]: readonly [unknown, boolean]) => (full ? block : withHashes(block))
  const count = ({ transactions }: AnyBlock) => quantity(transactions.length)
  const nth = ({ transactions }: AnyBlock, [, index]: readonly [unknown, string]) => transactions[Number(index)] ?? null
  return [
    ofBlock(Evm.GetBlockByNumber, withDetails),
    ofBlock(Evm.GetBlockByHash, withDetails),
    ofBlock(Evm.GetBlockReceipts, receiptsOf),
    ofBlock(Evm.GetBlockTransactionCountByNumber, count),
    ofBlock(Evm.GetBlockTransactionCountByHash, count),
    ofBlock(Evm.GetUncleCountByBlockNumber, ({ uncles }) => quantity(uncles.length)),
    ofBlock(Evm.GetUncleCountByBlockHash, ({ uncles }) => quantity(uncles.length)),
    ofBlock(Evm.GetUncleByBlockNumberAndIndex, () => null),
    ofBlock(Evm.GetUncleByBlockHashAndIndex, () => null),
    ofBlock(Evm.GetTransactionByBlockNumberAndIndex, nth),
    ofBlock(Evm.GetTransactionByBlockHashAndIndex, nth),
    serveMethod({
      method: Evm.GetTransactionByHash,
      network,
      answer: ([hash]): Result.Result<Transaction | PendingTransaction | null, Fault> => {
        const chain = service.chain()
        const wanted = hash.toLowerCase()
        const receipt = chain.receiptByHash(wanted)
        if (receipt === undefined)
          return Result.succeed(chain.pendingBlock.transactions.find((each) => each.hash === wanted) ?? null)
        const number = Number(receipt.blockNumber)
        return Result.map(withinHistory(network, chain.head, number), () =>
          transactionIn(chain.blockByNumber(number), wanted),
        )
      },
    }),
  ]
}

const transactionIn = (block: Block | undefined, hash: string): Transaction | null =>
  block?.transactions.find((transaction) => transaction.hash.toLowerCase() === hash) ?? null

const withHashes = (block: AnyBlock) => ({ ...block, transactions: block.transactions.map(({ hash }) => hash) })
