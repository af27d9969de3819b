/** The result of `getTokenAccountsByDelegate`, as the service returns it (service §2.5). */
import { deprecatedFor, Json } from "@dotrpc/spec"
import { Schema } from "effect"
import { U64, Whole } from "./internal/integer.ts"

/** An amount of a token. `amount` is exact, in the smallest unit; `uiAmountString` uses the mint's decimals. */
export const TokenAmount = Schema.Struct({
  amount: Schema.String,
  decimals: Whole,
  /** Deprecated: a rounded number, or null. */
  uiAmount: Schema.optionalKey(
    Schema.NullOr(Schema.Union([Schema.Number, Schema.BigInt, Schema.instanceOf(Json.JsonNumber)])),
  ).annotateKey(deprecatedFor("uiAmountString")),
  uiAmountString: Schema.String,
})
export type TokenAmount = typeof TokenAmount.Type

/** Account data that the node parsed. Members that are unset are absent. */
export const ParsedData = Schema.Struct({
  program: Schema.String,
  parsed: Schema.Struct({
    type: Schema.String,
    info: Schema.Struct({
      mint: Schema.String,
      owner: Schema.String,
      tokenAmount: TokenAmount,
      delegate: Schema.optionalKey(Schema.String),
      delegatedAmount: Schema.optionalKey(TokenAmount),
      state: Schema.String,
      isNative: Schema.Boolean,
      rentExemptReserve: Schema.optionalKey(TokenAmount),
      closeAuthority: Schema.optionalKey(Schema.String),
      extensions: Schema.optionalKey(
        Schema.Array(Schema.Struct({ extension: Schema.String, state: Schema.optionalKey(Schema.Unknown) })),
      ),
    }),
  }),
  space: Whole,
})
export type ParsedData = typeof ParsedData.Type

/** Account data as text: with its encoding, or bare in the legacy base58 form. */
export const EncodedData = Schema.Union([
  Schema.Tuple([Schema.String, Schema.Literals(["base58", "base64", "base64+zstd"])]),
  Schema.String,
])
export type EncodedData = typeof EncodedData.Type

/** One token account. */
export const TokenAccountEntry = Schema.Struct({
  pubkey: Schema.String,
  account: Schema.Struct({
    data: Schema.Union([ParsedData, EncodedData]),
    executable: Schema.Boolean,
    lamports: U64,
    /** The program that owns the account. */
    owner: Schema.String,
    /** 18446744073709551615 (a bigint) for an account that never owes rent. */
    rentEpoch: Whole,
    /** Size of the whole data in bytes, whatever slice of it came back. */
    space: Schema.optionalKey(Whole),
  }),
})
export type TokenAccountEntry = typeof TokenAccountEntry.Type

/** The accounts, and the slot they were read at. */
export const AccountList = Schema.Struct({
  context: Schema.Struct({ slot: U64, apiVersion: Schema.optionalKey(Schema.String) }),
  value: Schema.Array(TokenAccountEntry),
})
export type AccountList = typeof AccountList.Type
