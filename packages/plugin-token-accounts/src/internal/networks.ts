/** Networks that can be named without configuration; their URLs contain a key, so `rpc.config.json` gives them. */
import type { NetworkDefinition } from "@dotrpc/spec"

const explorer = "https://explorer.solana.com"

export const networks: ReadonlyArray<NetworkDefinition> = [
  { id: "solana-mainnet", plugin: "token-accounts", title: "Solana mainnet", explorer },
  { id: "solana-devnet", plugin: "token-accounts", title: "Solana devnet", explorer: `${explorer}?cluster=devnet` },
  { id: "solana-testnet", plugin: "token-accounts", title: "Solana testnet", explorer: `${explorer}?cluster=testnet` },
]
