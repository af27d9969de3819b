/** Instructions of the programs in the sample data, as their bytes and as a node parses them. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Json } from "@dotrpc/spec"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { TOKEN_PROGRAM } from "./tokenLayout.ts"

export const SYSTEM_PROGRAM = "11111111111111111111111111111111"
export const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"

/** An instruction by the keys it names. */
export interface Instruction {
  readonly programId: string
  readonly accounts: ReadonlyArray<string>
  readonly data: Uint8Array
  /** The name that a node gives the program. */
  readonly program: string
  readonly parsed: Json.Json
}

export interface TokenTransfer {
  readonly source: string
  readonly mint: string
  readonly destination: string
  readonly authority: string
  readonly amount: bigint
  readonly decimals: number
}

export const transferChecked = (transfer: TokenTransfer): Instruction => {
  const { amount, authority, decimals, destination, mint, source } = transfer
  return {
    programId: TOKEN_PROGRAM,
    accounts: [source, mint, destination, authority],
    data: concatBytes(Uint8Array.of(12), u64(amount), Uint8Array.of(decimals)),
    program: "spl-token",
    parsed: {
      type: "transferChecked",
      info: { authority, destination, mint, source, tokenAmount: amountJson(amount, decimals) },
    },
  }
}

export const approve = (source: string, delegate: string, owner: string, amount: bigint): Instruction => ({
  programId: TOKEN_PROGRAM,
  accounts: [source, delegate, owner],
  data: concatBytes(Uint8Array.of(4), u64(amount)),
  program: "spl-token",
  parsed: { type: "approve", info: { amount: String(amount), delegate, owner, source } },
})

export const initializeAccount = (account: string, mint: string, owner: string): Instruction => ({
  programId: TOKEN_PROGRAM,
  accounts: [account, mint],
  data: concatBytes(Uint8Array.of(18), base58.decode(owner)),
  program: "spl-token",
  parsed: { type: "initializeAccount3", info: { account, mint, owner } },
})

export const createAccount = (source: string, newAccount: string, lamports: bigint, space: number): Instruction => ({
  programId: SYSTEM_PROGRAM,
  accounts: [source, newAccount],
  data: concatBytes(u32(0), u64(lamports), u64(BigInt(space)), base58.decode(TOKEN_PROGRAM)),
  program: "system",
  parsed: {
    type: "createAccount",
    info: { lamports: Number(lamports), newAccount, owner: TOKEN_PROGRAM, source, space },
  },
})

export const transferLamports = (source: string, destination: string, lamports: bigint): Instruction => ({
  programId: SYSTEM_PROGRAM,
  accounts: [source, destination],
  data: concatBytes(u32(2), u64(lamports)),
  program: "system",
  parsed: { type: "transfer", info: { destination, lamports: Number(lamports), source } },
})

export const memo = (text: string): Instruction => ({
  programId: MEMO_PROGRAM,
  accounts: [],
  data: utf8ToBytes(text),
  program: "spl-memo",
  parsed: text,
})

/** An amount as nodes write it. */
export const amountJson = (amount: bigint, decimals: number) => ({
  amount: String(amount),
  decimals,
  uiAmount: Number(amount) / 10 ** decimals,
  uiAmountString: TokenAccounts.uiAmountString(amount, decimals),
})

const u32 = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0)

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}
