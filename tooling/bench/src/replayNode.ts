/**
 * What a node over a made-up chain of many millions of logs answers: logs, blocks with their transactions, and where the chain ends. Each
 * reply is made when it is asked for, the same one each time.
 */
import { itemsIn } from "@dotrpc/scan-worlds"
import { type Replayed, token, transferTopic } from "./replayed.ts"

/** A refusal, as nodes send it. */
export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`
const hex = (value: number): string => `0x${value.toString(16)}`
const zeros = (bytes: number): string => `0x${"00".repeat(bytes)}`

/** Accounts take turns, so that logs differ from their neighbours. */
const accounts = Array.from({ length: 4_096 }, (_, index) => word((index + 1) * 987_654_321_987))
const senderOf = (block: number, index: number): string => accounts[(block * 31 + index * 7) & 4_095] ?? ""

const hashOf = (block: number): string => word(block + 1)
/** Two logs come of one transaction. No hash is zero, which indexers take for a transaction that is missing. */
const transactionOf = (block: number, index: number): string => word((block + 1) * 65_536 + (index >> 1))

/** Blocks after the last one that has logs here, as a chain goes on after what somebody reads of it. */
const after = 128

/** The JSON of results, by method. Throws a `Refusal`. */
export const nodeOver = ({ chain, last }: Replayed, limit: number) => {
  const newest = last + after
  const tags: Readonly<Record<string, number>> = {
    earliest: 0,
    finalized: newest - 64,
    safe: newest - 32,
    latest: newest,
    pending: newest,
  }
  const numberOf = (block: unknown): number => (typeof block === "string" ? (tags[block] ?? Number(block)) : Number.NaN)
  const logsIn = (from: number, to: number): number => (from > last ? 0 : itemsIn(chain, from, Math.min(to, last)))

  const block = (number: number, withTransactions: boolean): string => {
    if (!(number >= 0 && number <= newest)) return "null"
    const count = Math.ceil(logsIn(number, number) / 2)
    const transactions = Array.from({ length: count }, (_, index) =>
      withTransactions ? transaction(number, index) : JSON.stringify(transactionOf(number, index * 2)),
    )
    return `${headOf(number, count).slice(0, -1)},"transactions":[${transactions.join(",")}]}`
  }

  const logs = ({ address, fromBlock, toBlock, topics = [] }: Filter): string => {
    const [from, to] = [numberOf(fromBlock), numberOf(toBlock)]
    if (!(from <= to)) throw new Refusal(-32602, "invalid block range")
    const [first, ...others] = topics
    if (others.some((topic) => topic !== null)) throw new Refusal(-32602, "only the first topic can be asked for")
    if (!(includes(address, token) && includes(first, transferTopic))) return "[]"
    if (logsIn(from, to) > limit) throw new Refusal(-32005, `query returned more than ${limit} results`)
    return `[${[...textOf(from, Math.min(to, last))].join("")}]`
  }

  /** Logs in pieces of one block each. */
  function* textOf(from: number, to: number): Generator<string> {
    let isFirst = true
    for (let block = from; block <= to; block++) {
      const count = logsIn(block, block)
      if (count === 0) continue
      const place = `","blockNumber":"${hex(block)}","blockHash":"${hashOf(block)}","removed":false,`
      let text = ""
      for (let index = 0; index < count; index++) {
        const receiver = accounts[(block + index * 13) & 4_095]
        const transaction = `"transactionHash":"${transactionOf(block, index)}","transactionIndex":"${hex(index >> 1)}"`
        text += `${isFirst ? "" : ","}${start}${senderOf(block, index)}","${receiver}"],"data":"${word(block * 1_000 + index)}${place}${transaction},"logIndex":"${hex(index)}"}`
        isFirst = false
      }
      yield text
    }
  }

  return (method: string, params: ReadonlyArray<unknown>): string => {
    switch (method) {
      case "eth_chainId":
        return '"0x1"'
      case "eth_blockNumber":
        return JSON.stringify(hex(newest))
      case "eth_getBlockByNumber":
        return block(numberOf(params[0]), params[1] === true)
      case "eth_getBlockByHash":
        return block(Number(params[0]) - 1, params[1] === true)
      case "eth_getLogs":
        return logs(params[0] as Filter)
      default:
        throw new Refusal(-32601, `the method ${method} does not exist`)
    }
  }
}

/** A block with so many transactions, before them. */
const headOf = (number: number, count: number): string =>
  JSON.stringify({
    number: hex(number),
    hash: hashOf(number),
    parentHash: word(number),
    timestamp: hex(1_600_000_000 + number * 12),
    miner: zeros(20),
    gasLimit: hex(30_000_000),
    gasUsed: hex(count * gas),
    baseFeePerGas: hex(1_000_000_000),
    size: hex(600 + count * 180),
    extraData: "0x",
    // Excludes nothing where there are logs.
    logsBloom: `0x${(count === 0 ? "00" : "ff").repeat(256)}`,
    nonce: zeros(8),
    mixHash: zeros(32),
    difficulty: "0x0",
    stateRoot: zeros(32),
    transactionsRoot: zeros(32),
    receiptsRoot: zeros(32),
    sha3Uncles: zeros(32),
    uncles: [],
  })

interface Filter {
  readonly address?: Wanted
  readonly fromBlock: string
  readonly toBlock: string
  readonly topics?: ReadonlyArray<Wanted>
}

/** One value, one of several, or any. */
type Wanted = string | ReadonlyArray<string> | null | undefined

const includes = (wanted: Wanted, value: string): boolean =>
  wanted == null || [wanted].flat().some((one) => one.toLowerCase() === value)

const start = `{"address":"${token}","topics":["${transferTopic}","`

const gas = 65_000

/** A call of the token with room for two transfers. */
const transaction = (block: number, index: number): string =>
  JSON.stringify({
    hash: transactionOf(block, index * 2),
    blockHash: hashOf(block),
    blockNumber: hex(block),
    transactionIndex: hex(index),
    type: "0x2",
    chainId: "0x1",
    nonce: hex(block & 0xffff),
    from: `0x${senderOf(block, index * 2).slice(-40)}`,
    to: token,
    value: "0x0",
    gas: hex(gas),
    gasPrice: hex(2_000_000_000),
    maxFeePerGas: hex(3_000_000_000),
    maxPriorityFeePerGas: hex(1_000_000_000),
    input: `0xa9059cbb${word(block).slice(2)}${word(index).slice(2)}`,
    accessList: [],
    v: "0x1",
    yParity: "0x1",
    r: word(block * 3 + 1),
    s: word(index * 5 + 1),
  })
