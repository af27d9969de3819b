/** Encodings of blocks and transactions by another implementation, from the JSON alone. */
import { Hash, Hex, Rlp, TxEnvelopeEip1559, TxEnvelopeLegacy } from "ox"
import type { Block, Receipt, Transaction } from "../../src/index.ts"

/** A transaction as it is hashed, and what its sender signed. */
export const encodeTransaction = (transaction: Transaction): { serialized: Hex.Hex; signPayload: Hex.Hex } => {
  const common = {
    chainId: Number(transaction.chainId),
    nonce: BigInt(transaction.nonce),
    gas: BigInt(transaction.gas),
    to: transaction.to,
    value: BigInt(transaction.value),
    data: transaction.input,
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) {
    const envelope = TxEnvelopeLegacy.from({ ...common, gasPrice: BigInt(transaction.gasPrice) })
    return {
      serialized: TxEnvelopeLegacy.serialize(envelope, { signature: signatureOf(transaction) }),
      signPayload: TxEnvelopeLegacy.getSignPayload(envelope),
    }
  }
  const envelope = TxEnvelopeEip1559.from({
    ...common,
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  })
  TxEnvelopeEip1559.assert(envelope)
  return {
    serialized: TxEnvelopeEip1559.serialize(envelope, { signature: signatureOf(transaction) }),
    signPayload: TxEnvelopeEip1559.getSignPayload(envelope),
  }
}

/** The signature of a transaction; a legacy one hides the parity in `v` (EIP-155). */
export const signatureOf = (transaction: Transaction) => ({
  r: Hex.padLeft(Hex.fromNumber(BigInt(transaction.r)), 32),
  s: Hex.padLeft(Hex.fromNumber(BigInt(transaction.s)), 32),
  yParity: Number(transaction.yParity ?? BigInt(transaction.v) - BigInt(transaction.chainId ?? 0) * 2n - 35n),
})

/** A receipt as it stands in the receipts trie. */
export const encodeReceipt = (receipt: Receipt): Hex.Hex => {
  const content = Rlp.fromHex([
    integer(receipt.status ?? "0x0"),
    integer(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map((log) => [log.address, [...log.topics], log.data]),
  ])
  return receipt.type === "0x0" ? content : Hex.concat(Hex.padLeft(receipt.type, 1), content)
}

/** The hash and the size of a block. */
export const hashAndSize = (block: Block): { hash: Hex.Hex; size: number } => {
  const header = [
    block.parentHash,
    block.sha3Uncles,
    block.miner,
    block.stateRoot,
    block.transactionsRoot,
    block.receiptsRoot,
    block.logsBloom,
    integer(block.difficulty),
    integer(block.number),
    integer(block.gasLimit),
    integer(block.gasUsed),
    integer(block.timestamp),
    block.extraData,
    block.mixHash,
    block.nonce,
    integer(block.baseFeePerGas ?? "0x0"),
  ]
  const transactions = block.transactions.map((transaction) => {
    const { serialized } = encodeTransaction(transaction)
    return transaction.type === "0x0" ? Rlp.toHex(serialized) : serialized
  })
  return {
    hash: Hash.keccak256(Rlp.fromHex(header)),
    size: Hex.size(Rlp.fromHex([header, transactions, []])),
  }
}

/** An integer as the shortest bytes. */
const integer = (quantity: Hex.Hex): Hex.Hex => (BigInt(quantity) === 0n ? "0x" : Hex.fromNumber(BigInt(quantity)))
