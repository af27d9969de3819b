/** Sealing a block: from calls that were carried out to the block, its receipts and every hash in them. */
import type { Block, Hex, Log, PendingBlock, Receipt } from "../ChainJson.ts"
import { BloomBuilder, mergeBlooms } from "../internal/bloom.ts"
import { BLOCK_TIME, blockSize, type Header, headerHash, NO_NONCE, NO_UNCLES } from "../internal/header.ts"
import { hexFromBytes, quantity } from "../internal/hex.ts"
import { rlpEncode, rlpEncodeTyped, rlpInteger, type RlpItem } from "../internal/rlp.ts"
import { orderedTrieRoot } from "../internal/trie.ts"
import { contractAddress, type Draft, type Fee, type SignedTransaction, signTransaction } from "./transaction.ts"
import type { ContractCall } from "./world.ts"

/** Time of the genesis block: 2023-11-14T22:13:20Z. */
export const GENESIS_TIME = 1_700_000_000

/** A call with its place in the sender's order and what it pays. */
export interface PricedCall {
  readonly call: ContractCall
  readonly nonce: number
  readonly fee: Fee
}

/** What a block is made of, besides what follows from its calls. */
export interface BlockPlan {
  readonly number: number
  readonly parentHash: Hex
  readonly gasLimit: number
  readonly baseFee: bigint
  readonly stateRoot: Hex
  /** What the randomness beacon said, in the place of proof of work. */
  readonly mixHash: Hex
  readonly calls: ReadonlyArray<PricedCall>
}

/** A block and its receipts. */
export interface SealedBlock {
  readonly block: Block
  readonly receipts: ReadonlyArray<Receipt>
}

/** Seals blocks of one chain. */
export class BlockSealer {
  readonly #blooms = new BloomBuilder()

  seal(plan: BlockPlan): SealedBlock {
    const transactions = plan.calls.map((priced) => signTransaction(draft(priced), plan.baseFee))
    const outcomes = this.#outcomes(plan.calls, transactions)
    const header: Header = {
      parentHash: plan.parentHash,
      sha3Uncles: NO_UNCLES,
      miner: FEE_RECIPIENT,
      stateRoot: plan.stateRoot,
      transactionsRoot: orderedTrieRoot(transactions.map((transaction) => transaction.encoded)),
      receiptsRoot: orderedTrieRoot(outcomes.map((outcome) => outcome.encoded)),
      logsBloom: hexFromBytes(mergeBlooms(outcomes.map((outcome) => outcome.bloom))),
      difficulty: "0x0",
      number: quantity(plan.number),
      gasLimit: quantity(plan.gasLimit),
      gasUsed: quantity(outcomes.at(-1)?.cumulativeGasUsed ?? 0),
      timestamp: quantity(GENESIS_TIME + plan.number * BLOCK_TIME),
      extraData: EXTRA_DATA,
      mixHash: plan.mixHash,
      nonce: NO_NONCE,
      baseFeePerGas: quantity(plan.baseFee),
    }
    const blockHash = headerHash(header)
    const encoded = transactions.map((transaction) => transaction.encoded)
    return {
      block: {
        ...header,
        hash: blockHash,
        size: quantity(blockSize(header, encoded)),
        totalDifficulty: "0x0",
        uncles: [],
        transactions: transactions.map(({ content }, index) => ({
          ...content,
          blockHash,
          blockNumber: header.number,
          transactionIndex: quantity(index),
        })),
      },
      receipts: placeReceipts(blockHash, header.number, plan.calls, transactions, outcomes),
    }
  }

  #outcomes(
    calls: ReadonlyArray<PricedCall>,
    transactions: ReadonlyArray<SignedTransaction>,
  ): ReadonlyArray<Execution> {
    let cumulativeGasUsed = 0
    return calls.map(({ call }, index) => {
      cumulativeGasUsed += call.gasUsed
      const bloom = this.#blooms.of(call.logs)
      const content: RlpItem = [
        call.succeeded ? "0x01" : "0x",
        rlpInteger(cumulativeGasUsed),
        bloom,
        call.logs.map((log) => [log.address, log.topics, log.data]),
      ]
      const isLegacy = transactions[index]?.content.type === "0x0"
      return { cumulativeGasUsed, bloom, encoded: isLegacy ? rlpEncode(content) : rlpEncodeTyped(2, content) }
    })
  }
}

/** The same block as long as nobody has sealed it: its own hashes and its place are unknown. */
export const unsealed = (block: Block): PendingBlock => ({
  ...block,
  hash: null,
  logsBloom: null,
  nonce: null,
  number: null,
  transactions: block.transactions.map((transaction) => ({
    ...transaction,
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
  })),
})

const FEE_RECIPIENT: Hex = "0x00000000000000000000000000000000000000fe"

/** "dotrpc" */
const EXTRA_DATA: Hex = "0x646f74727063"

/** What a transaction did, as far as the receipts trie shows. */
interface Execution {
  readonly cumulativeGasUsed: number
  readonly bloom: Uint8Array
  readonly encoded: Uint8Array
}

/** The gas limit leaves a fifth above what is used, except where the use is exact. */
const draft = ({ call, nonce, fee }: PricedCall): Draft => ({
  from: call.from,
  nonce,
  to: call.to,
  value: call.value,
  input: call.input,
  gasLimit: call.logs.length === 0 ? call.gasUsed : call.gasUsed + Math.floor(call.gasUsed / 5),
  fee,
})

const placeReceipts = (
  blockHash: Hex,
  blockNumber: Hex,
  calls: ReadonlyArray<PricedCall>,
  transactions: ReadonlyArray<SignedTransaction>,
  outcomes: ReadonlyArray<Execution>,
): ReadonlyArray<Receipt> => {
  const receipts: Array<Receipt> = []
  let logIndex = 0
  for (const [index, { call, nonce }] of calls.entries()) {
    const transaction = transactions[index]
    const outcome = outcomes[index]
    if (transaction === undefined || outcome === undefined) throw new RangeError("Every call has a transaction.")
    const transactionIndex = quantity(index)
    const transactionHash = transaction.content.hash
    const logs = call.logs.map((log): Log => ({
      removed: false,
      logIndex: quantity(logIndex++),
      transactionIndex,
      transactionHash,
      blockHash,
      blockNumber,
      address: log.address,
      data: log.data,
      topics: log.topics,
    }))
    receipts.push({
      blockHash,
      blockNumber,
      contractAddress: call.to === null ? contractAddress(call.from.address, nonce) : null,
      cumulativeGasUsed: quantity(outcome.cumulativeGasUsed),
      effectiveGasPrice: quantity(transaction.effectiveGasPrice),
      from: call.from.address,
      gasUsed: quantity(call.gasUsed),
      logs,
      logsBloom: hexFromBytes(outcome.bloom),
      status: call.succeeded ? "0x1" : "0x0",
      to: call.to,
      transactionHash,
      transactionIndex,
      type: transaction.content.type,
    })
  }
  return receipts
}
