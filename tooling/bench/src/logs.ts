/** Replies of logs: 10,000 of them are about 6 MB of text. */

/** How much neighbours have in common, from which a decoder may or may not profit. */
export type Likeness = "one token's transfers" | "nothing repeated"

export const replyOfLogs = (likeness: Likeness): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, result: [...logsOf(10_000, likeness)] })

/** The transfers of one token, a dozen to a block and two to a transaction, one after the other. */
export const logsAlike = (count: number): Generator<object> => logsOf(count, "one token's transfers")

function* logsOf(count: number, likeness: Likeness): Generator<object> {
  const alike = likeness === "one token's transfers"
  const random = hexOf(1)
  const contract = random(20)
  const transfer = random(32)
  let block = ""
  let transaction = ""
  for (let index = 0; index < count; index++) {
    if (!alike || index % 12 === 0) block = random(32)
    if (!alike || index % 2 === 0) transaction = random(32)
    yield {
      address: alike ? contract : random(20),
      topics: alike ? [transfer, padded(random(20)), padded(random(20))] : [random(32), random(32), random(32)],
      data: alike ? padded(random(8)) : random(32),
      blockNumber: `0x${(18_000_000 + Math.floor(index / 12)).toString(16)}`,
      transactionHash: transaction,
      transactionIndex: `0x${((index % 12) >> 1).toString(16)}`,
      blockHash: block,
      logIndex: `0x${(index % 12).toString(16)}`,
      removed: false,
    }
  }
}

const padded = (hex: string) => `0x${hex.slice(2).padStart(64, "0")}`

/** Hex of so many bytes, the same in every process. */
const hexOf = (seed: number) => {
  let state = seed
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state.toString(16).padStart(8, "0")
  }
  return (bytes: number) =>
    `0x${Array.from({ length: Math.ceil(bytes / 4) }, word)
      .join("")
      .slice(0, bytes * 2)}`
}
