/** Networks that can be named without configuration; their URLs contain a key, so `rpc.config.json` gives them. */
import type { NetworkDefinition } from "@dotrpc/spec"

export const networks: ReadonlyArray<NetworkDefinition> = [
  {
    id: "starknet-mainnet",
    plugin: "l2-events",
    title: "Starknet mainnet",
    methodWord: "starknet",
    explorer: "https://voyager.online",
  },
  {
    id: "starknet-sepolia",
    plugin: "l2-events",
    title: "Starknet Sepolia",
    methodWord: "starknet",
    explorer: "https://sepolia.voyager.online",
  },
]
