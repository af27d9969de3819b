/** An account as one entry of a result, in the encoding that was asked for (service §2.5, §4.5). */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { base58, base64 } from "@scure/base"
import { Result } from "effect"
import type { AccountStore, Commitment, StoredAccount } from "../../accounts/AccountStore.ts"
import type { Fault } from "../Fault.ts"
import { tokenProgramName } from "./tokenPrograms.ts"
import { zstdFrame } from "./zstdFrame.ts"

type Data = TokenAccounts.TokenAccountEntry["account"]["data"]

export interface EncodeOptions {
  /** Where the decimals of mints are looked up. */
  readonly accounts: AccountStore
  readonly commitment: Commitment
  /** Absent for the legacy form: bare base58. */
  readonly encoding: TokenAccounts.Encoding | undefined
  readonly dataSlice: { readonly offset: number | bigint; readonly length: number | bigint } | undefined
}

/** Encodes an account. Base58 fails beyond 128 bytes, which is every token account without a slice. */
export const encodeAccount = (
  account: StoredAccount,
  options: EncodeOptions,
): Result.Result<TokenAccounts.TokenAccountEntry, Fault> =>
  Result.map(encodeData(account, options), (data) => ({
    pubkey: account.pubkey,
    account: {
      data,
      executable: account.executable,
      lamports: account.lamports,
      owner: account.owner,
      rentEpoch: account.rentEpoch,
      space: account.space,
    },
  }))

const encodeData = (account: StoredAccount, options: EncodeOptions): Result.Result<Data, Fault> => {
  const { dataSlice, encoding } = options
  if (encoding === "jsonParsed") return Result.succeed(parsedData(account, options))
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

/** The parsed form; a validator answers in base64 what it cannot parse, such as an account of an unknown mint. */
const parsedData = (account: StoredAccount, { accounts, commitment }: EncodeOptions): Data => {
  const program = tokenProgramName(account.owner)
  const mint = accounts.account(base58.encode(account.data.subarray(0, 32)), commitment)
  const decimals = mint?.data[MINT_DECIMALS]
  const parsed =
    program === undefined || decimals === undefined
      ? undefined
      : Result.getOrUndefined(Result.try(() => TokenAccounts.decodeAccount(account.data, { program, decimals })))
  return parsed ?? [base64.encode(account.data), "base64"]
}

/** The part of the data that a slice covers; empty beyond the end. */
const slice = (data: Uint8Array, { length, offset }: NonNullable<EncodeOptions["dataSlice"]>): Uint8Array => {
  const start = Math.min(Number(offset), data.length)
  return data.subarray(start, start + Math.min(Number(length), data.length - start))
}

/** Offset of the decimals in a mint account. */
const MINT_DECIMALS = 44
const BASE58_BYTES = 128

const tooLongForBase58: Fault = {
  code: -32600,
  message: `Encoded binary (base 58) data should be less than ${BASE58_BYTES} bytes, please use Base64 encoding.`,
}
