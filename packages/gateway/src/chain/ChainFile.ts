/**
 * A chain as newline-delimited JSON, one block per line in ascending order:
 *
 * ```json
 * { "block": { "number": "0x1", … }, "receipts": [ … ], "storage": { "0xaddress": { "0xslot": "0xvalue" } } }
 * ```
 *
 * `block` has its transactions in full, `receipts` follow the order of the transactions, and `storage` is the state after
 * the block of the slots that changed. Members that are not named by the service are kept and returned, members that a
 * node leaves out stay out. A line must hold what queries are answered by, nothing in it may have the wrong shape, and
 * receipts and logs must not name another block than the one they stand with. Hashes are not recomputed.
 */
import { Json } from "@dotrpc/spec"
import type { Block, ChainEntry, Hex, Receipt } from "./ChainJson.ts"
import type { ChainStore } from "./ChainStore.ts"
import { word } from "./internal/hex.ts"
import { memoryChain } from "./MemoryChain.ts"

/**
 * Reads a chain, given as one text or line by line. Blank lines are skipped.
 *
 * @throws {@link ChainFileError} at the first line that is not as it should be, or when there is no line at all.
 */
export const chainFromNdjson = (source: string | Iterable<string>): ChainStore => memoryChain(entriesFromNdjson(source))

/**
 * Reads the blocks of a chain one by one.
 *
 * @throws {@link ChainFileError} as {@link chainFromNdjson} does, when it comes to the line.
 */
export function* entriesFromNdjson(source: string | Iterable<string>): Generator<ChainEntry, void> {
  let line = 0
  let previous = -1
  for (const text of typeof source === "string" ? source.split("\n") : source) {
    line++
    if (text.trim() === "") continue
    const entry = new LineReader(line).entry(text)
    const number = Number(entry.block.number)
    if (number <= previous) {
      throw new ChainFileError(line, `block.number: expected a number above ${previous}, got ${number}`)
    }
    previous = number
    yield entry
  }
  if (previous === -1) throw new ChainFileError(1, "expected at least one block, got an empty file")
}

/** Writes the blocks of a chain, each line ending in a newline. */
export const entriesToNdjson = (entries: Iterable<ChainEntry>): string => {
  let text = ""
  for (const entry of entries) text += `${jsonText(entry)}\n`
  return text
}

/** A line of a chain file that is not as it should be. The message names the line, the member, and what was expected. */
export class ChainFileError extends Error {
  override readonly name = "ChainFileError"
  /** Counted from 1. */
  readonly line: number

  constructor(line: number, problem: string) {
    super(`line ${line} of the chain file: ${problem}`)
    this.line = line
  }
}

type Members = Readonly<Record<string, unknown>>

/** The shape of a member, as a pattern and in words. */
interface Shape {
  readonly pattern: RegExp
  readonly words: string
}

const QUANTITY: Shape = {
  pattern: /^0x(0|[1-9a-f][0-9a-f]*)$/i,
  words: "a hex quantity without leading zeros such as 0x1b4",
}
const DATA: Shape = { pattern: /^0x([0-9a-f]{2})*$/i, words: "bytes as hex, two digits for each" }
const UP_TO_WORD: Shape = { pattern: /^0x[0-9a-f]{1,64}$/i, words: "a hex number of at most 32 bytes" }
const bytes = (length: number): Shape => ({
  pattern: new RegExp(`^0x[0-9a-f]{${2 * length}}$`, "i"),
  words: `${length} bytes as hex (0x and ${2 * length} digits)`,
})
const HASH = bytes(32)
const ADDRESS = bytes(20)
const BLOOM = bytes(256)

const requiredOfBlock = { number: QUANTITY, hash: HASH, parentHash: HASH, timestamp: QUANTITY }
const optionalOfBlock = {
  difficulty: QUANTITY,
  extraData: DATA,
  gasLimit: QUANTITY,
  gasUsed: QUANTITY,
  logsBloom: BLOOM,
  miner: ADDRESS,
  mixHash: HASH,
  nonce: bytes(8),
  receiptsRoot: HASH,
  sha3Uncles: HASH,
  size: QUANTITY,
  stateRoot: HASH,
  totalDifficulty: QUANTITY,
  transactionsRoot: HASH,
  baseFeePerGas: QUANTITY,
}
const requiredOfReceipt = { transactionHash: HASH, blockHash: HASH, blockNumber: QUANTITY }
const optionalOfReceipt = {
  contractAddress: ADDRESS,
  cumulativeGasUsed: QUANTITY,
  effectiveGasPrice: QUANTITY,
  from: ADDRESS,
  gasUsed: QUANTITY,
  logsBloom: BLOOM,
  root: HASH,
  status: { pattern: /^0x[01]$/, words: "0x1 or 0x0" },
  to: ADDRESS,
  transactionIndex: QUANTITY,
  type: QUANTITY,
}
const requiredOfLog = { address: ADDRESS, data: DATA }
const optionalOfLog = {
  blockHash: HASH,
  blockNumber: QUANTITY,
  transactionHash: HASH,
  transactionIndex: QUANTITY,
  logIndex: QUANTITY,
}

/** Reads one line; every check names the member it failed at. */
class LineReader {
  readonly #line: number

  constructor(line: number) {
    this.#line = line
  }

  entry(text: string): ChainEntry {
    const members = this.#members(this.#json(text), "the line")
    const block = this.#block(members["block"])
    const receipts = this.#list(members["receipts"], "receipts").map((receipt, index) =>
      this.#receipt(receipt, `receipts[${index}]`, block),
    )
    const hashes = receipts.map(({ transactionHash }) => transactionHash.toLowerCase())
    const first = new Map(hashes.map((hash, index) => [hash, index] as const).toReversed())
    for (const [index, hash] of hashes.entries())
      if (first.get(hash) !== index)
        this.#fail(`receipts[${index}].transactionHash`, "a transaction that has no receipt before", hash)
    const { storage } = members
    return storage === undefined ? { block, receipts } : { block, receipts, storage: this.#storage(storage) }
  }

  #block(value: unknown): Block {
    const block = this.#members(value, "block")
    this.#check(block, "block", requiredOfBlock, optionalOfBlock)
    for (const [index, transaction] of this.#list(block["transactions"], "block.transactions").entries()) {
      const path = `block.transactions[${index}]`
      if (typeof transaction === "string") this.#fail(path, "a transaction object, not only its hash", transaction)
      this.#check(this.#members(transaction, path), path, { hash: HASH }, {})
    }
    if (!Number.isSafeInteger(Number(block["number"]))) this.#fail("block.number", "at most 2^53 - 1", block["number"])
    // Members that the node left out are missing here too: only those that queries are answered by are required.
    return value as Block
  }

  #receipt(value: unknown, path: string, block: Block): Receipt {
    const receipt = this.#members(value, path)
    this.#check(receipt, path, requiredOfReceipt, optionalOfReceipt)
    this.#checkPlace(receipt, path, block)
    if ((receipt["root"] === undefined) === (receipt["status"] === undefined)) {
      throw new ChainFileError(this.#line, `${path}: expected exactly one of the members root and status`)
    }
    for (const [index, log] of this.#list(receipt["logs"], `${path}.logs`).entries()) {
      this.#checkLog(log, `${path}.logs[${index}]`, block)
    }
    return value as Receipt
  }

  #checkLog(value: unknown, path: string, block: Block): void {
    const log = this.#members(value, path)
    this.#check(log, path, requiredOfLog, optionalOfLog)
    this.#checkPlace(log, path, block)
    const topics = this.#list(log["topics"], `${path}.topics`)
    if (topics.length > 4) this.#fail(`${path}.topics`, "at most 4 topics", topics.length)
    for (const [index, topic] of topics.entries()) this.#shape(topic, `${path}.topics[${index}]`, HASH)
  }

  /** What stands with a block must not claim another one. */
  #checkPlace(members: Members, path: string, block: Block): void {
    const { blockHash, blockNumber } = members
    if (typeof blockHash === "string" && blockHash.toLowerCase() !== block.hash.toLowerCase()) {
      this.#fail(`${path}.blockHash`, `the hash of the block on the line, ${block.hash}`, blockHash)
    }
    if (typeof blockNumber === "string" && Number(blockNumber) !== Number(block.number)) {
      this.#fail(`${path}.blockNumber`, `the number of the block on the line, ${block.number}`, blockNumber)
    }
  }

  #storage(value: unknown): Record<Hex, Record<Hex, Hex>> {
    const storage: Record<Hex, Record<Hex, Hex>> = {}
    for (const [address, slots] of Object.entries(this.#members(value, "storage"))) {
      const path = `storage["${address}"]`
      const account: Record<Hex, Hex> = {}
      for (const [slot, content] of Object.entries(this.#members(slots, path))) {
        const key = this.#shape(slot, `${path}: a slot`, UP_TO_WORD)
        account[word(BigInt(key))] = word(BigInt(this.#shape(content, `${path}["${slot}"]`, UP_TO_WORD)))
      }
      storage[this.#shape(address, "storage: an address", ADDRESS)] = account
    }
    return storage
  }

  #json(text: string): unknown {
    try {
      return Json.parse(text)
    } catch (cause) {
      throw new ChainFileError(this.#line, `expected a JSON object (${cause instanceof Error ? cause.message : cause})`)
    }
  }

  #members(value: unknown, path: string): Members {
    if (isMembers(value)) return value
    return this.#fail(path, "an object", value)
  }

  #list(value: unknown, path: string): ReadonlyArray<unknown> {
    return Array.isArray(value) ? value : this.#fail(path, "an array", value)
  }

  #check(members: Members, path: string, required: Record<string, Shape>, optional: Record<string, Shape>): void {
    for (const [name, shape] of Object.entries(required)) this.#shape(members[name], `${path}.${name}`, shape)
    for (const [name, shape] of Object.entries(optional)) {
      const value = members[name]
      if (value !== undefined && value !== null) this.#shape(value, `${path}.${name}`, shape)
    }
  }

  #shape(value: unknown, path: string, shape: Shape): Hex {
    if (typeof value === "string" && isHex(value) && shape.pattern.test(value)) return value
    return this.#fail(path, shape.words, value)
  }

  #fail(path: string, expected: string, value: unknown): never {
    throw new ChainFileError(this.#line, `${path}: expected ${expected}, got ${show(value)}`)
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isHex = (value: string): value is Hex => value.startsWith("0x")

const LONGEST_SHOWN = 80

/** A value as JSON, cut short. */
const show = (value: unknown): string => {
  const text = value === undefined ? "nothing" : jsonText(value)
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`
}

/** What was read from a chain file, or generated for one, is JSON throughout; integers of any size keep their digits. */
const jsonText = (value: unknown): string => Json.stringify(value as Json.Json)
