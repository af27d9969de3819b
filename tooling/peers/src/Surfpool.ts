/** A Solana node inside this process: surfpool, which npm has for Linux on x64 with glibc only. */
import { createRequire } from "node:module"

/** The part of surfpool's binding that is used here. */
interface Surfnet {
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly payer: string
  readonly fundSol: (account: string, lamports: number) => void
  readonly stop: () => void
}

interface Binding {
  readonly Surfnet: { readonly startWithConfig: (config: { readonly offline: boolean }) => Surfnet }
}

/** The binding, or `undefined` on a machine it is not made for. */
export const surfpool = (): Binding | undefined => {
  try {
    return createRequire(import.meta.url)("@solana/surfpool-linux-x64-gnu") as Binding
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined
    throw error
  }
}
