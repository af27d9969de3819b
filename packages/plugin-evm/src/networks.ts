/**
 * Well-known public networks as data: their chain, their explorer, and what the service does not answer there (§4.1, §8).
 * None has an endpoint or a key: a configuration gives those.
 *
 * Limit: how many blocks one call may cover is a matter of each provider, so no network here has a `spanCap`.
 */
import type { NetworkDefinition } from "@dotrpc/spec"
import { blockTags } from "./schemas/BlockParameter.ts"

const tagsWithoutSafe = blockTags.filter((tag) => tag !== "safe")

const network = (
  id: string,
  title: string,
  chainId: number,
  explorer: string,
  limits: Pick<NetworkDefinition, "blockTags" | "historyDepth" | "methods"> = {},
): NetworkDefinition => ({
  id,
  plugin: "evm",
  title,
  chainId,
  explorer,
  blockTags,
  // Of the service's public networks only Mantle has it (§4.2).
  methods: { eth_getBlockRange: false },
  ...limits,
})

export const networks: ReadonlyArray<NetworkDefinition> = [
  network("ethereum", "Ethereum", 1, "https://etherscan.io"),
  network("sepolia", "Ethereum Sepolia", 11_155_111, "https://sepolia.etherscan.io"),
  network("hoodi", "Ethereum Hoodi", 560_048, "https://hoodi.etherscan.io"),
  network("arbitrum", "Arbitrum One", 42_161, "https://arbiscan.io"),
  network("arbitrum-sepolia", "Arbitrum Sepolia", 421_614, "https://sepolia.arbiscan.io"),
  network("avalanche", "Avalanche C-Chain", 43_114, "https://snowtrace.io"),
  network("avalanche-fuji", "Avalanche Fuji", 43_113, "https://testnet.snowtrace.io"),
  network("base", "Base", 8_453, "https://basescan.org"),
  network("base-sepolia", "Base Sepolia", 84_532, "https://sepolia.basescan.org"),
  network("blast", "Blast", 81_457, "https://blastscan.io"),
  network("bsc", "BNB Smart Chain", 56, "https://bscscan.com"),
  network("bsc-testnet", "BNB Smart Chain testnet, the latest 128 blocks", 97, "https://testnet.bscscan.com", {
    historyDepth: 128,
  }),
  network("celo", "Celo", 42_220, "https://celoscan.io"),
  network("gnosis", "Gnosis", 100, "https://gnosisscan.io"),
  network("linea", "Linea, where `finalized` takes the place of `safe`", 59_144, "https://lineascan.build", {
    blockTags: tagsWithoutSafe,
  }),
  network("linea-sepolia", "Linea Sepolia, without `safe`", 59_141, "https://sepolia.lineascan.build", {
    blockTags: tagsWithoutSafe,
  }),
  network("mantle", "Mantle, which offers eth_getBlockRange", 5_000, "https://mantlescan.xyz", {
    methods: { eth_getBlockRange: true },
  }),
  network("mantle-sepolia", "Mantle Sepolia", 5_003, "https://explorer.sepolia.mantle.xyz"),
  network("opbnb", "opBNB, the latest 128 blocks", 204, "https://opbnb.bscscan.com", { historyDepth: 128 }),
  network("optimism", "OP Mainnet", 10, "https://optimistic.etherscan.io"),
  network("optimism-sepolia", "OP Sepolia", 11_155_420, "https://optimism-sepolia.blockscout.com"),
  network("polygon", "Polygon", 137, "https://polygonscan.com"),
  network("polygon-amoy", "Polygon Amoy", 80_002, "https://amoy.polygonscan.com"),
  network("scroll", "Scroll", 534_352, "https://scrollscan.com"),
  network("scroll-sepolia", "Scroll Sepolia", 534_351, "https://sepolia.scrollscan.com"),
  network("unichain", "Unichain, where `finalized` takes the place of `safe`", 130, "https://uniscan.xyz", {
    blockTags: tagsWithoutSafe,
  }),
  network("zksync", "ZKsync Era", 324, "https://explorer.zksync.io"),
]
