/** Accounts as results have them, in the encoding that was asked for (service §2.5, §4.5). */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { base58, base64 } from "@scure/base"
import { Result } from "effect"
import type { StoredAccount } from "../../accounts/AccountStore.ts"
import { decimalsAt, isMint } from "../../accounts/tokenLayout.ts"
import type { Fault } from "../Fault.ts"
import type { Reading } from "./reading.ts"
import { tokenProgramName } from "./tokenPrograms.ts"
import { zstdFrame } from "./zstdFrame.ts"

export interface EncodeOptions {
  /** Absent for the legacy form: bare base58. */
  readonly encoding?: TokenAccounts.Encoding
  readonly dataSlice?: { readonly offset: number | bigint; readonly length: number | bigint }
}

/** Encodes a token account of a list. Base58 fails beyond 128 bytes, which is every token account without a slice. */
export const encodeEntry = (
  account: StoredAccount,
  { accounts, commitment }: Reading,
  options: EncodeOptions,
): Result.Result<TokenAccounts.TokenAccountEntry, Fault> => {
  const mint = accounts.account(base58.encode(account.data.subarray(0, 32)), commitment)
  const parsed = mint === undefined ? undefined : parsedTokenAccount(account, decimalsAt(mint.data))
  return Result.map(encodeData(account, parsed, options), (data) => ({
    pubkey: account.pubkey,
    account: { data, ...withoutData(account) },
  }))
}

/** Encodes an account of any program. */
export const encodeAccount = (
  account: StoredAccount,
  reading: Reading,
  options: EncodeOptions,
): Result.Result<TokenAccounts.AccountInfo, Fault> =>
  Result.map(encodeData(account, parsedAccount(account, reading), options), (data) => ({
    data,
    ...withoutData(account),
  }))

/** Encodes an account of any program with its key. */
export const encodeListed = (
  account: StoredAccount,
  reading: Reading,
  options: EncodeOptions,
): Result.Result<TokenAccounts.KeyedAccount, Fault> =>
  Result.map(encodeAccount(account, reading, options), (encoded) => ({ pubkey: account.pubkey, account: encoded }))

const withoutData = ({ executable, lamports, owner, rentEpoch, space }: StoredAccount) => ({
  executable,
  lamports,
  owner,
  rentEpoch,
  space,
})

/** `parsed` is sent on `jsonParsed`; a validator answers in base64 what it cannot parse, such as an account of an unknown mint. */
const encodeData = <Parsed>(
  account: StoredAccount,
  parsed: Parsed | undefined,
  { dataSlice, encoding }: EncodeOptions,
): Result.Result<Parsed | TokenAccounts.EncodedData, Fault> => {
  if (encoding === "jsonParsed") return Result.succeed(parsed ?? ([base64.encode(account.data), "base64"] as const))
  const bytes = dataSlice === undefined ? account.data : slice(account.data, dataSlice)
  switch (encoding) {
    case "base64":
      return Result.succeed([base64.encode(bytes), encoding])
    case "base64+zstd":
      return Result.succeed([base64.encode(zstdFrame(bytes)), encoding])
    default: {
      if (bytes.length > BASE58_BYTES) return Result.fail(tooLongForBase58)
      const text = base58.encode(bytes)
      return Result.succeed(encoding === undefined ? text : [text, encoding])
    }
  }
}

const parsedTokenAccount = ({ data, owner }: StoredAccount, decimals: number) => {
  const program = tokenProgramName(owner)
  return program === undefined
    ? undefined
    : Result.getOrUndefined(Result.try(() => TokenAccounts.decodeAccount(data, { program, decimals })))
}

const parsedAccount = (
  account: StoredAccount,
  { accounts, commitment }: Reading,
): TokenAccounts.ParsedAccountData | undefined => {
  const program = tokenProgramName(account.owner)
  if (program === undefined) return undefined
  if (isMint(account.data)) return TokenAccounts.decodeMint(account.data, program)
  const mint = accounts.account(base58.encode(account.data.subarray(0, 32)), commitment)
  return mint === undefined ? undefined : parsedTokenAccount(account, decimalsAt(mint.data))
}

/** The part of the data that a slice covers; empty beyond the end. */
const slice = (data: Uint8Array, { length, offset }: NonNullable<EncodeOptions["dataSlice"]>): Uint8Array => {
  const start = Math.min(Number(offset), data.length)
  return data.subarray(start, start + Math.min(Number(length), data.length - start))
}

const BASE58_BYTES = 128

const tooLongForBase58: Fault = {
  code: -32600,
  message: `Encoded binary (base 58) data should be less than ${BASE58_BYTES} bytes, please use Base64 encoding.`,
}
