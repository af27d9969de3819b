/** A Solana node in this process with token accounts on it, each as the token program would have left it. */
import type { Json } from "@dotrpc/spec"
import { ask } from "./ask.ts"
import { surfpool } from "./Surfpool.ts"

export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
export const delegate = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"

/** Mints by what is special about them. */
export const mints = {
  dollar: { key: "4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF", decimals: 6 },
  ticket: { key: "9PBzfUeTjigVSoDqjbpGMq8pGf9sGNZLjWwABjUPf2VY", decimals: 0 },
  dust: { key: "HLRSLrPd8ieZMtVV265qVHg9YF3ruZ8tVTvxWHBac9s3", decimals: 19 },
} as const

/** Accounts that {@link delegate} may spend from. No amount but the first fits into a double. */
export const tokenAccounts = [
  { mint: "dollar", owner: "76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX", amount: 1_500_000n, delegated: 777n },
  { mint: "dollar", owner: "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri", amount: 2n ** 63n + 1n, delegated: 0n },
  { mint: "ticket", owner: "76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX", amount: 2n ** 64n - 1n, delegated: 1n },
  { mint: "dust", owner: "76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX", amount: 2n ** 53n + 1n, delegated: 3n },
] as const satisfies ReadonlyArray<{
  readonly mint: keyof typeof mints
  readonly owner: string
  readonly amount: bigint
  readonly delegated: bigint
}>

export interface TokenNode {
  readonly url: string
  readonly stop: () => void
}

/** Starts the node, or gives `undefined` on a machine that surfpool is not made for. */
export const startTokenNode = async (): Promise<TokenNode | undefined> => {
  const node = surfpool()?.Surfnet.startWithConfig({ offline: true })
  if (node === undefined) return undefined
  for (const { decimals, key } of Object.values(mints)) {
    const account = { lamports: 1_461_600, owner: tokenProgram, data: mintData(decimals), executable: false }
    await ask(node.rpcUrl, "surfnet_setAccount", [key, { ...account, rentEpoch: 18_446_744_073_709_551_615n }])
  }
  for (const { amount, delegated, mint, owner } of tokenAccounts) {
    const account: Json.JsonObject = { amount, delegate, delegatedAmount: delegated, state: "initialized" }
    await ask(node.rpcUrl, "surfnet_setTokenAccount", [owner, mints[mint].key, account, tokenProgram])
  }
  return { url: node.rpcUrl, stop: () => node.stop() }
}

/** A mint without authorities and with the largest supply, in hex: the program's 82 bytes. */
const mintData = (decimals: number): string => {
  const bytes = Buffer.alloc(82)
  bytes.writeBigUInt64LE(2n ** 64n - 1n, 36)
  bytes.writeUInt8(decimals, 44)
  bytes.writeUInt8(1, 45)
  return bytes.toString("hex")
}
