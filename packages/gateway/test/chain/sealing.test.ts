import { Bloom, ContractAddress, Hash, Hex, Secp256k1 } from "ox"
import { expect, test } from "vitest"
import { orderedTrieRoot } from "../../src/chain/internal/trie.ts"
import { generateEntries } from "../../src/index.ts"
import { encodeReceipt, encodeTransaction, hashAndSize, signatureOf } from "./reference.ts"

const { entries, pendingBlock } = generateEntries({ seed: 11, blocks: 120, logs: 1_000 })
const transactions = entries.flatMap(({ block }) => block.transactions)

test("every block hash and size is that of the encoded block", () => {
  for (const { block } of entries) {
    expect({ hash: block.hash, size: Number(block.size) }).toEqual(hashAndSize(block))
  }
})

test("every transaction hash is that of the encoded transaction", () => {
  for (const transaction of transactions) {
    expect(transaction.hash).toBe(Hash.keccak256(encodeTransaction(transaction).serialized))
  }
})

test("the sender of every kind of transaction is recovered from its signature", () => {
  const sample = transactions.filter((_, index) => index % 9 === 0)
  expect(new Set(sample.map((transaction) => transaction.type))).toEqual(new Set(["0x0", "0x2"]))
  for (const transaction of sample) {
    const payload = encodeTransaction(transaction).signPayload
    expect(Secp256k1.recoverAddress({ payload, signature: signatureOf(transaction) }).toLowerCase()).toBe(
      transaction.from,
    )
  }
})

test("every block commits to its transactions and receipts", () => {
  for (const { block, receipts } of entries) {
    const encoded = block.transactions.map((transaction) => Hex.toBytes(encodeTransaction(transaction).serialized))
    expect(block.transactionsRoot).toBe(orderedTrieRoot(encoded))
    expect(block.receiptsRoot).toBe(orderedTrieRoot(receipts.map((receipt) => Hex.toBytes(encodeReceipt(receipt)))))
  }
})

test("bloom filters hold exactly the bits of their logs", () => {
  for (const { block, receipts } of entries) {
    for (const receipt of receipts) {
      const values = receipt.logs.flatMap((log) => [log.address, ...log.topics])
      expect(values.every((value) => Bloom.contains(receipt.logsBloom, value))).toBe(true)
      expect(bitsIn(receipt.logsBloom)).toBe(new Set(values.flatMap(bitsOf)).size)
    }
    const union = receipts.reduce((bits, receipt) => bits | BigInt(receipt.logsBloom), 0n)
    expect(BigInt(block.logsBloom)).toBe(union)
  }
})

test("created contracts have the address of their creator's nonce", () => {
  const created = entries
    .flatMap(({ receipts }) => receipts)
    .filter((receipt) => receipt.contractAddress !== null)
    .map((receipt) => [receipt.contractAddress, transactionOf(receipt.transactionHash)] as const)
  expect(created.length).toBeGreaterThanOrEqual(6)
  for (const [address, { from, nonce }] of created) {
    expect(address).toBe(ContractAddress.fromCreate({ from, nonce: BigInt(nonce) }).toLowerCase())
  }
})

test("the pending block commits to its transactions too", () => {
  const encoded = pendingBlock.transactions.map((transaction) =>
    Hex.toBytes(
      encodeTransaction({ ...transaction, blockHash: "0x", blockNumber: "0x", transactionIndex: "0x" }).serialized,
    ),
  )
  expect(encoded.length).toBeGreaterThan(0)
  expect(pendingBlock.transactionsRoot).toBe(orderedTrieRoot(encoded))
})

function transactionOf(hash: string) {
  const found = transactions.find((transaction) => transaction.hash === hash)
  if (found === undefined) throw new Error(`There is no transaction ${hash}.`)
  return found
}

function bitsOf(value: Hex.Hex): ReadonlyArray<number> {
  const hash = Hash.keccak256(value)
  return [0, 2, 4].map((offset) => Number(Hex.slice(hash, offset, offset + 2)) % 2048)
}

function bitsIn(bloom: Hex.Hex): number {
  return BigInt(bloom).toString(2).replaceAll("0", "").length
}
