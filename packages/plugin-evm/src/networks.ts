/**
 * What well-known networks can do, without an endpoint or a key: a configuration gives those. Tags and depth of history
 * are how the service (§4.1, §8) tells networks apart.
 */
import type { NetworkDefinition } from "@dotrpc/spec"
import { blockTags } from "./schemas/BlockParameter.ts"

const tagsWithoutSafe = blockTags.filter((tag) => tag !== "safe")

export const networks: ReadonlyArray<NetworkDefinition> = [
  { id: "ethereum", plugin: "evm", title: "Ethereum", blockTags },
  { id: "mantle", plugin: "evm", title: "Mantle, which offers eth_getBlockRange", blockTags },
  {
    id: "linea",
    plugin: "evm",
    title: "Linea, where `finalized` takes the place of `safe`",
    blockTags: tagsWithoutSafe,
  },
  {
    id: "near-head",
    plugin: "evm",
    title: "A network that answers the latest 128 blocks",
    blockTags,
    historyDepth: 128,
  },
]
