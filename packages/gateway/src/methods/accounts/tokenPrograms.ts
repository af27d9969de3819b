/** The programs that keep token accounts. */
import type { TokenAccounts } from "@dotrpc/plugin-token-accounts"

const names: ReadonlyMap<string, TokenAccounts.TokenProgram> = new Map([
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "spl-token"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "spl-token-2022"],
])

/** The name that parsed data gives a token program; `undefined` for any other program. */
export const tokenProgramName = (programId: string): TokenAccounts.TokenProgram | undefined => names.get(programId)
