import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compileLogFilter, type LogFilter, matchesLog } from "../../src/chain/LogFilter.ts"
import { type Block, generateEntries, type Log, memoryChain } from "../../src/index.ts"

const { entries, chainId, pendingBlock } = generateEntries({ seed: 4, blocks: 80, logs: 700 })
const chain = memoryChain(entries, { chainId, pendingBlock })
const logs = entries.flatMap(({ receipts }) => receipts.flatMap((receipt) => receipt.logs))
const addresses = [...new Set(logs.map((log) => log.address)), `0x${"00".repeat(20)}`]
const topics = [...new Set(logs.flatMap((log) => log.topics))]

const someTopic = fc.constantFrom(...topics)
const topicFilter = fc.oneof(fc.constant(null), someTopic, fc.array(someTopic, { maxLength: 3 }))
const filters: fc.Arbitrary<LogFilter> = fc.record(
  {
    address: fc.oneof(fc.constantFrom(...addresses), fc.array(fc.constantFrom(...addresses), { maxLength: 4 })),
    topics: fc.array(topicFilter, { maxLength: 4 }),
  },
  { requiredKeys: [] },
)

test("a query finds what reading every log finds, in the same order", () => {
  const blocks = fc.integer({ min: -5, max: 90 })
  fc.assert(
    fc.property(blocks, blocks, filters, (from, to, filter) => {
      expect([...chain.logs(from, to, filter)]).toEqual(readAll(from, to, filter))
    }),
    { numRuns: runs(400) },
  )
})

test("queries by first topic and by contract find something", () => {
  const [transfer] = logs.find((log) => log.topics.length === 3)?.topics ?? []
  const [first = ""] = addresses
  for (const filter of [{ topics: [transfer ?? null] }, { address: first }, { address: [first, ...addresses] }]) {
    const found = [...chain.logs(0, chain.head, filter)]
    expect(found).toEqual(readAll(0, chain.head, filter))
    expect(found.length).toBeGreaterThan(0)
  }
})

test("a reader that stops early has seen the first logs", () => {
  const seen: Array<Log> = []
  for (const log of chain.logs(0, chain.head)) {
    seen.push(log)
    if (seen.length === 10) break
  }
  expect(seen).toEqual(logs.slice(0, 10))
})

test("blocks and receipts are found by hash in any case of digits, and unknown ones are not", () => {
  const block = chain.blockByNumber(7)
  const hash = block?.hash ?? ""
  expect(chain.blockByHash(hash)).toBe(block)
  expect(chain.blockByHash(hash.toUpperCase().replace("X", "x"))).toBe(block)
  expect(chain.blockByHash(`0x${"0".repeat(64)}`)).toBeUndefined()
  expect(chain.blockByNumber(80)).toBeUndefined()
  const receipt = entries[1]?.receipts[0]
  expect(chain.receiptByHash(receipt?.transactionHash.toUpperCase().replace("X", "x") ?? "")).toBe(receipt)
})

test("a part of a chain begins where its first block stands", () => {
  const part = memoryChain(entries.slice(40))
  expect([part.earliest, part.finalized, part.safe, part.head]).toEqual([40, 40, 47, 79])
  expect(part.chainId).toBe(31337)
  expect(part.blockByNumber(39)).toBeUndefined()
})

test("a chain without a pending block gets an empty one on its head", () => {
  const { pendingBlock } = memoryChain(entries)
  const head = chain.blockByNumber(chain.head)
  expect(pendingBlock).toMatchObject({ hash: null, number: null, transactions: [], parentHash: head?.hash })
  expect(Number(pendingBlock.timestamp)).toBe(Number(head?.timestamp) + 12)
})

test("a chain of a single block that lacks most members still has a pending block", () => {
  const hash: Block["hash"] = `0x${"1".repeat(64)}`
  const [genesis] = entries
  if (genesis === undefined) throw new Error("The chain has a genesis block.")
  const { gasLimit: _gasLimit, difficulty: _difficulty, ...rest } = genesis.block
  const chain = memoryChain([{ block: { ...rest, hash } as Block, receipts: [] }])
  expect(chain.pendingBlock.parentHash).toBe(hash)
  expect(chain.chainId).toBe(1)
})

test("blocks that do not ascend are refused, and so is no block at all", () => {
  expect(() => memoryChain([])).toThrow(new RangeError("A chain needs at least one block."))
  expect(() => memoryChain(entries.slice(0, 2).toReversed())).toThrow(
    new RangeError("Blocks must ascend, but block 0 comes after block 1."),
  )
})

function readAll(from: number, to: number, filter: LogFilter): ReadonlyArray<Log> {
  const compiled = compileLogFilter(filter)
  return logs.filter((log) => {
    const number = Number(log.blockNumber)
    return number >= from && number <= to && matchesLog(compiled, log)
  })
}
