/** A chain that is made up, and reorganized while it is read. */
import type { Random } from "../Random.ts"

export interface Chain {
  readonly head: number
  /** Logs of blocks `from` to `to` as a node answers them. */
  readonly logs: (from: number, to: number) => ReadonlyArray<Log>
  readonly block: (number: number) => object
  /** Replaces the last blocks by others with other logs. */
  readonly replace: (blocks: number) => void
}

export interface Log {
  readonly blockNumber: string
  readonly blockHash: string
  readonly logIndex: string
  readonly [member: string]: unknown
}

export const hex = (value: number): string => `0x${value.toString(16)}`
const word = (text: string): string => `0x${text.padStart(64, "0")}`
const address = `0x${"ab".padStart(40, "0")}`

export const makeChain = (head: number, random: Random): Chain => {
  /** Of each block: how often it was replaced, and how many logs it has now. */
  const blocks = Array.from({ length: head + 1 }, () => ({ fork: 0, logs: 0 }))
  const fill = (from: number) => {
    // Dense and empty stretches, and now and then a block that is full.
    let density = 0
    for (let number = from; number <= head; number++) {
      if (number === from || random.isTrue(0.02)) density = random.oneOf([0, 0, 1, 3, 8])
      const block = blocks[number]
      if (block !== undefined) block.logs = random.isTrue(0.01) ? 40 : random.between(0, density)
    }
  }
  fill(0)
  const hashOf = (number: number) => word(`${blocks[number]?.fork ?? 0}f${number.toString(16).padStart(8, "0")}`)
  return {
    head,
    replace: (count) => {
      const from = head - count + 1
      for (const block of blocks.slice(from)) block.fork++
      fill(from)
    },
    logs: (from, to) =>
      blocks.slice(from, to + 1).flatMap(({ logs }, index) =>
        Array.from({ length: logs }, (_, logIndex) => ({
          removed: false,
          logIndex: hex(logIndex),
          transactionIndex: "0x0",
          transactionHash: word("7"),
          blockHash: hashOf(from + index),
          blockNumber: hex(from + index),
          address,
          data: "0x",
          topics: [],
        })),
      ),
    block: (number) => ({
      number: hex(number),
      hash: hashOf(number),
      parentHash: word("0"),
      timestamp: "0x1",
      transactions: [],
      miner: address,
      gasLimit: "0x1",
      gasUsed: "0x0",
      size: "0x1",
      extraData: "0x",
      logsBloom: `0x${"0".repeat(512)}`,
      nonce: "0x0000000000000000",
      difficulty: "0x0",
      stateRoot: word("0"),
      transactionsRoot: word("0"),
      receiptsRoot: word("0"),
      sha3Uncles: word("0"),
      uncles: [],
    }),
  }
}
