/** Networks that can be named without configuration; their addresses hold a key, so they are given in `rpc.config.json`. */
import type { NetworkDefinition } from "@dotrpc/spec"

export const networks: ReadonlyArray<NetworkDefinition> = [
  { id: "solana-mainnet", plugin: "token-accounts", title: "Solana mainnet" },
  { id: "solana-devnet", plugin: "token-accounts", title: "Solana devnet" },
]
