import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { nextBaseFee } from "../../src/chain/internal/header.ts"
import { entriesToNdjson, generateChain, generateEntries, sampleContracts } from "../../src/index.ts"

const { entries } = generateEntries()
const chain = generateChain()
const logs = entries.flatMap(({ receipts }) => receipts.flatMap((receipt) => receipt.logs))

test("the default chain has 1,000 blocks, 12,000 logs and always the same head", () => {
  expect(entries.length).toBe(1_000)
  expect(logs.length).toBe(12_000)
  expect(chain.blockByNumber(999)?.hash).toBe("0xe3e542c5a405e39a9550ff996daab4862b93a23cda095a020e2c7cb0ec514b0e")
})

test("the tags stand 32 and 64 blocks behind the head, but not before the first block", () => {
  expect([chain.earliest, chain.finalized, chain.safe, chain.head]).toEqual([0, 935, 967, 999])
  const short = generateChain({ blocks: 40, logs: 10 })
  expect([short.earliest, short.finalized, short.safe, short.head]).toEqual([0, 0, 7, 39])
})

test("the same options give the same bytes, and another seed gives others", () => {
  expect(bytesOfSeed(5)).toBe(bytesOfSeed(5))
  expect(bytesOfSeed(5)).not.toBe(bytesOfSeed(6))
})

test("a chain has exactly the blocks and logs that were asked for", () => {
  fc.assert(
    fc.property(
      fc.record({ seed: fc.maxSafeInteger(), blocks: fc.integer({ min: 2, max: 60 }), logs: fc.nat({ max: 400 }) }),
      (options) => {
        const generated = generateChain(options)
        expect(generated.head).toBe(options.blocks - 1)
        expect([...generated.logs(0, generated.head)].length).toBe(options.logs)
      },
    ),
    { numRuns: runs(25) },
  )
})

test.each([
  [{ blocks: 0 }, "the number of blocks must be a whole number, 1 or more; got 0"],
  [{ blocks: 2.5 }, "the number of blocks must be a whole number, 1 or more; got 2.5"],
  [{ logs: -1 }, "the number of logs must be a whole number, 0 or more; got -1"],
  [{ blocks: 1 }, "A chain of one block holds nothing: the genesis block has no transactions."],
  [{ seed: 1.5 }, "The seed must be a safe integer, got 1.5."],
])("%o is refused", (options, message) => {
  expect(() => generateChain(options)).toThrow(new RangeError(message))
})

test("blocks are linked, numbered and 12 seconds apart", () => {
  for (const [number, { block }] of entries.entries()) {
    expect(Number(block.number)).toBe(number)
    expect(Number(block.timestamp)).toBe(1_700_000_000 + 12 * number)
    expect(block.parentHash).toBe(entries[number - 1]?.block.hash ?? `0x${"0".repeat(64)}`)
  }
})

test("receipts match the transactions of their block one by one", () => {
  for (const { block, receipts } of entries) {
    expect(receipts.length).toBe(block.transactions.length)
    for (const [index, receipt] of receipts.entries()) {
      const transaction = block.transactions[index]
      expect(receipt).toMatchObject({
        blockHash: block.hash,
        blockNumber: block.number,
        transactionIndex: `0x${index.toString(16)}`,
        transactionHash: transaction?.hash,
        from: transaction?.from,
        to: transaction?.to,
        type: transaction?.type,
        effectiveGasPrice: transaction?.gasPrice,
      })
      expect(transaction).toMatchObject({
        blockHash: block.hash,
        blockNumber: block.number,
        transactionIndex: receipt.transactionIndex,
      })
      expect(chain.receiptByHash(receipt.transactionHash)).toEqual(receipt)
    }
  }
})

test("logs are numbered through their block and repeat where their receipt stands", () => {
  for (const { receipts } of entries) {
    let logIndex = 0
    for (const receipt of receipts) {
      const { blockHash, blockNumber, transactionHash, transactionIndex } = receipt
      for (const log of receipt.logs) {
        expect(log).toMatchObject({ removed: false, blockHash, blockNumber, transactionHash, transactionIndex })
        expect(Number(log.logIndex)).toBe(logIndex++)
      }
    }
  }
  expect([...chain.logs(0, chain.head)]).toEqual(logs)
})

test("gas adds up, stays within the limit and moves the base fee", () => {
  let baseFee = 1_000_000_000n
  for (const { block, receipts } of entries) {
    let used = 0
    for (const [index, receipt] of receipts.entries()) {
      used += Number(receipt.gasUsed)
      expect(Number(receipt.cumulativeGasUsed)).toBe(used)
      const gasLeft = Number(block.gasLimit) - used + Number(receipt.gasUsed)
      expect(Number(block.transactions[index]?.gas)).toBeLessThanOrEqual(gasLeft)
      expect(Number(block.transactions[index]?.gas)).toBeGreaterThanOrEqual(Number(receipt.gasUsed))
    }
    expect(Number(block.gasUsed)).toBe(used)
    expect(BigInt(block.baseFeePerGas ?? 0)).toBe(baseFee)
    baseFee = nextBaseFee(baseFee, used, Number(block.gasLimit))
  }
})

test("transactions pay the base fee and their tip, but no more than their cap", () => {
  let capped = 0
  for (const { block } of entries) {
    const baseFee = BigInt(block.baseFeePerGas ?? 0)
    for (const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } of block.transactions) {
      expect(BigInt(gasPrice)).toBeGreaterThanOrEqual(baseFee)
      if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) continue
      const [cap, uncapped] = [BigInt(maxFeePerGas), baseFee + BigInt(maxPriorityFeePerGas)]
      if (cap < uncapped) capped++
      expect(BigInt(gasPrice)).toBe(cap < uncapped ? cap : uncapped)
    }
  }
  expect(capped).toBeGreaterThan(0)
})

test("nonces count up for every sender", () => {
  const next = new Map<string, number>()
  const pending = chain.pendingBlock.transactions
  for (const { from, nonce } of [...entries.flatMap(({ block }) => block.transactions), ...pending]) {
    expect(Number(nonce)).toBe(next.get(from) ?? 0)
    next.set(from, Number(nonce) + 1)
  }
})

test("failed transactions have no logs", () => {
  const failed = entries.flatMap(({ receipts }) => receipts).filter((receipt) => receipt.status === "0x0")
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.flatMap((receipt) => receipt.logs)).toEqual([])
})

test("logs of zero to four topics occur", () => {
  expect(new Set(logs.map((log) => log.topics.length))).toEqual(new Set([0, 1, 2, 3, 4]))
})

test("the density of logs is uneven: some blocks have none, some twenty times the average", () => {
  const counts = entries.map(({ receipts }) => receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0))
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(100)
  expect(counts.filter((count) => count > 240).length).toBeGreaterThan(0)
})

test("the first block after genesis creates the contracts at their documented addresses", () => {
  const created = (entries[1]?.receipts ?? []).map((receipt) => receipt.contractAddress)
  expect(created.slice(0, 6)).toEqual(Object.values(sampleContracts))
  expect(entries[0]?.receipts).toEqual([])
})

test("the pending block builds on the head, and its transactions have no place and no receipts", () => {
  const { pendingBlock } = chain
  expect(pendingBlock).toMatchObject({ hash: null, number: null, nonce: null, logsBloom: null })
  expect(pendingBlock.parentHash).toBe(chain.blockByNumber(chain.head)?.hash)
  for (const transaction of pendingBlock.transactions) {
    expect(transaction).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null })
    expect(chain.receiptByHash(transaction.hash)).toBeUndefined()
  }
})

test("everything is written in lower-case hex without superfluous zeros", () => {
  const quantity = /^0x(0|[1-9a-f][0-9a-f]*)$/
  for (const log of logs) {
    for (const name of ["logIndex", "transactionIndex", "blockNumber"] as const) expect(log[name]).toMatch(quantity)
    expect(log.address).toMatch(/^0x[0-9a-f]{40}$/)
    expect(log.topics.every((topic) => /^0x[0-9a-f]{64}$/.test(topic))).toBe(true)
    expect(log.data).toMatch(/^0x([0-9a-f]{64})*$/)
  }
  for (const { block } of entries) {
    for (const name of ["number", "gasUsed", "gasLimit", "timestamp", "size", "difficulty"] as const) {
      expect(block[name]).toMatch(quantity)
    }
  }
})

function bytesOfSeed(seed: number): string {
  return entriesToNdjson(generateEntries({ seed, blocks: 60, logs: 300 }).entries)
}
