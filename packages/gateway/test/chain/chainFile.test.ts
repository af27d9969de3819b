import { expect, test } from "vitest"
import {
  type ChainEntry,
  ChainFileError,
  chainFromNdjson,
  entriesFromNdjson,
  entriesToNdjson,
  generateEntries,
} from "../../src/index.ts"

const { entries } = generateEntries({ seed: 8, blocks: 30, logs: 200 })
const text = entriesToNdjson(entries)
const lines = text.trimEnd().split("\n")

const hash = (digit: string) => `0x${digit.repeat(64)}`
const address = `0x${"ab".repeat(20)}`

/** A block of the time before Byzantium with one transaction and one log, as small as a line may be. */
const small = {
  block: {
    number: "0x10",
    hash: hash("1"),
    parentHash: hash("0"),
    timestamp: "0x55ba4224",
    transactions: [{ hash: hash("2") }],
  },
  receipts: [
    {
      transactionHash: hash("2"),
      blockHash: hash("1"),
      blockNumber: "0x10",
      root: hash("3"),
      logs: [{ address, topics: [hash("4")], data: "0x" }],
    },
  ],
  storage: { [address]: { "0x0008": "0x2a" } },
}
const [receipt] = small.receipts

test("a chain written to a file and read again is the same", () => {
  expect([...entriesFromNdjson(text)]).toEqual(entries)
  expect(entriesToNdjson(entriesFromNdjson(lines))).toBe(text)
})

test("a number of any size that a node added keeps its digits", () => {
  const [line = ""] = text.split("\n")
  const added = line
    .replace(/^\{/, '{"cursor":18446744073709551615,')
    .replace('"block":{', '"block":{"weight":18446744073709551615,')
  expect(entriesToNdjson(entriesFromNdjson(added))).toContain('"weight":18446744073709551615')
})

test("a chain read from a file answers as the generated one", () => {
  const chain = chainFromNdjson(`${text}\n`)
  const logs = entries.flatMap(({ receipts }) => receipts.flatMap((entry) => entry.logs))
  expect([chain.earliest, chain.head, chain.chainId]).toEqual([0, 29, 31337])
  expect([...chain.logs(0, 29)]).toEqual(logs)
  for (const { block, receipts, storage = {} } of entries) {
    expect(chain.blockByHash(block.hash)).toEqual(block)
    for (const entry of receipts) expect(chain.receiptByHash(entry.transactionHash)).toEqual(entry)
    for (const [contract, slots] of Object.entries(storage)) {
      for (const [slot, value] of Object.entries(slots)) {
        expect(chain.storageAt(contract, BigInt(slot), Number(block.number))).toBe(value)
      }
    }
  }
})

test("members that the service does not name are kept, and those that are missing stay missing", () => {
  const line = { ...small, block: { ...small.block, withdrawals: [], blobGasUsed: "0x0" } }
  const chain = chainFromNdjson(JSON.stringify(line))
  expect(chain.blockByNumber(16)).toEqual(line.block)
})

test("a receipt from before Byzantium keeps its root and gets no status", () => {
  const found = chainFromNdjson(JSON.stringify(small)).receiptByHash(hash("2"))
  expect(found).toEqual(receipt)
  expect(found).not.toHaveProperty("status")
})

test("slots and values of storage may be written in any length", () => {
  const chain = chainFromNdjson(JSON.stringify(small))
  expect(chain.storageAt(address, 8n, 16)).toBe(`0x${"2a".padStart(64, "0")}`)
  expect(chain.storageAt(address, 8n, 15)).toBe(`0x${"".padStart(64, "0")}`)
})

test("a chain may begin anywhere and have gaps", () => {
  const chain = chainFromNdjson([lines[3] ?? "", "", lines[9] ?? ""])
  expect([chain.earliest, chain.head]).toEqual([3, 9])
  expect(chain.blockByNumber(5)).toBeUndefined()
})

const block = small.block
test.each<[string, unknown, string]>([
  ["a line that is a list", [], "the line: expected an object, got []"],
  ["no block", { ...small, block: undefined }, "block: expected an object, got nothing"],
  [
    "a block number that is a JSON number",
    { ...small, block: { ...block, number: 16 } },
    "block.number: expected a hex quantity without leading zeros such as 0x1b4, got 16",
  ],
  [
    "a block number with leading zeros",
    { ...small, block: { ...block, number: "0x010" } },
    'block.number: expected a hex quantity without leading zeros such as 0x1b4, got "0x010"',
  ],
  [
    "a short hash",
    { ...small, block: { ...block, hash: "0x12" } },
    'block.hash: expected 32 bytes as hex (0x and 64 digits), got "0x12"',
  ],
  [
    "a bad value of an optional member",
    { ...small, block: { ...block, miner: "me" } },
    'block.miner: expected 20 bytes as hex (0x and 40 digits), got "me"',
  ],
  [
    "transactions by hash only",
    { ...small, block: { ...block, transactions: [hash("2")] } },
    `block.transactions[0]: expected a transaction object, not only its hash, got "${hash("2")}"`,
  ],
  [
    "a transaction without a hash",
    { ...small, block: { ...block, transactions: [{}] } },
    "block.transactions[0].hash: expected 32 bytes as hex (0x and 64 digits), got nothing",
  ],
  ["no receipts", { ...small, receipts: undefined }, "receipts: expected an array, got nothing"],
  [
    "two receipts of one transaction",
    { ...small, receipts: [receipt, { ...receipt, logs: [] }] },
    `receipts[1].transactionHash: expected a transaction that has no receipt before, got "${receipt?.transactionHash}"`,
  ],
  [
    "a receipt of another block",
    { ...small, receipts: [{ ...receipt, blockNumber: "0x11" }] },
    'receipts[0].blockNumber: expected the number of the block on the line, 0x10, got "0x11"',
  ],
  [
    "a receipt of a block with another hash",
    { ...small, receipts: [{ ...receipt, blockHash: hash("9") }] },
    `receipts[0].blockHash: expected the hash of the block on the line, ${hash("1")}, got "${hash("9")}"`,
  ],
  [
    "a receipt with a root and a status",
    { ...small, receipts: [{ ...receipt, status: "0x1" }] },
    "receipts[0]: expected exactly one of the members root and status",
  ],
  [
    "a receipt with neither a root nor a status",
    { ...small, receipts: [{ ...receipt, root: undefined }] },
    "receipts[0]: expected exactly one of the members root and status",
  ],
  [
    "a status that is neither success nor failure",
    { ...small, receipts: [{ ...receipt, root: undefined, status: "0x2" }] },
    'receipts[0].status: expected 0x1 or 0x0, got "0x2"',
  ],
  [
    "a log of another block",
    { ...small, receipts: [{ ...receipt, logs: [{ address, topics: [], data: "0x", blockNumber: "0x1" }] }] },
    'receipts[0].logs[0].blockNumber: expected the number of the block on the line, 0x10, got "0x1"',
  ],
  [
    "a log with five topics",
    { ...small, receipts: [{ ...receipt, logs: [{ address, topics: Array(5).fill(hash("4")), data: "0x" }] }] },
    "receipts[0].logs[0].topics: expected at most 4 topics, got 5",
  ],
  [
    "half a byte of data",
    { ...small, receipts: [{ ...receipt, logs: [{ address, topics: [], data: "0x123" }] }] },
    'receipts[0].logs[0].data: expected bytes as hex, two digits for each, got "0x123"',
  ],
  [
    "storage of something that is not an address",
    { ...small, storage: { "0x12": {} } },
    'storage: an address: expected 20 bytes as hex (0x and 40 digits), got "0x12"',
  ],
  [
    "a value of more than 32 bytes",
    { ...small, storage: { [address]: { "0x0": `0x1${"0".repeat(64)}` } } },
    `storage["${address}"]["0x0"]: expected a hex number of at most 32 bytes, got "0x1${"0".repeat(64)}"`,
  ],
])("%s is refused with its line and its place", (_name, line, problem) => {
  const [first = ""] = lines
  expect(() => chainFromNdjson([first, JSON.stringify(line)])).toThrow(new ChainFileError(2, problem))
})

test("a line that is not JSON is refused with its number", () => {
  expect(() => chainFromNdjson(`${lines[0]}\n\n{"block": \n`)).toThrow(
    expect.objectContaining({
      line: 3,
      message: expect.stringMatching(/^line 3 of the chain file: expected a JSON object \(/),
    }),
  )
})

test("blocks that do not ascend are refused", () => {
  expect(() => chainFromNdjson([lines[2] ?? "", lines[2] ?? ""])).toThrow(
    new ChainFileError(2, "block.number: expected a number above 2, got 2"),
  )
})

test("an empty file is refused", () => {
  expect(() => chainFromNdjson("\n")).toThrow(new ChainFileError(1, "expected at least one block, got an empty file"))
})

test("lines are read one by one", () => {
  const [first] = entriesFromNdjson([lines[0] ?? "", lines[1] ?? ""])
  expect(first satisfies ChainEntry | undefined).toEqual(entries[0])
  const reader = entriesFromNdjson([lines[0] ?? "", "not read"])
  expect(reader.next().value).toEqual(entries[0])
})
