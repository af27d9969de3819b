/** A chain of a few empty blocks, which takes no time to make. */
import { type ChainStore, generateChain } from "../src/index.ts"

export const emptyChain = (): ChainStore => generateChain({ blocks: 4, logs: 0 })
