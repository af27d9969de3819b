/** The chain that several programs read: the first logs of a made-up contract. */
import { contracts, itemsIn, lastWithin, type World, worlds } from "@dotrpc/scan-worlds"

/** The contract whose logs they are, and their first topic: that of `Transfer(address,address,uint256)`. */
export const token = `0x${"ab".repeat(20)}`
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** A chain, the last block to read of it, and the logs up to there. */
export interface Replayed {
  readonly chain: World
  readonly last: number
  readonly logs: number
}

/** Blocks from 0 on with about so many logs. Throws where the chain has fewer. */
export const replayed = (logs: number, name = "stablecoin"): Replayed => {
  const chain = contracts[name]?.make(101) ?? worlds[name]?.(101)
  if (chain === undefined) throw new Error("there is no such chain")
  const all = itemsIn(chain, 0, chain.blocks - 1)
  if (!(logs >= 1 && logs <= all)) throw new RangeError(`The chain has ${all} logs; ask for 1 to ${all} of them.`)
  const last = Math.min(chain.blocks - 1, lastWithin(chain, 0, logs) + 1)
  return { chain, last, logs: itemsIn(chain, 0, last) }
}
