/** The result of `getTokenAccountsByDelegate`, as the service returns it (service §2.5). */
import { deprecatedFor, Json } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { U64, Whole } from "./internal/integer.ts"

const tokenAmountStruct = Schema.Struct({
  amount: Schema.String.annotateKey({ description: "Exact, in the smallest unit." }),
  decimals: Whole.annotateKey({ description: "The mint's." }),
  uiAmount: Schema.optionalKey(
    Schema.NullOr(Schema.Union([Schema.Number, Schema.BigInt, Schema.instanceOf(Json.JsonNumber)])),
  ).annotateKey({ ...deprecatedFor("uiAmountString"), description: "A rounded number, or null." }),
  uiAmountString: Schema.String.annotateKey({ description: "Exact, with the mint's decimals." }),
})

/** An amount of a token. `amount` is exact, in the smallest unit; `uiAmountString` uses the mint's decimals. */
export type TokenAmount = { [Name in keyof typeof tokenAmountStruct.Type]: (typeof tokenAmountStruct.Type)[Name] }
export const TokenAmount = Schema.Opaque<TokenAmount>()(tokenAmountStruct)

const parsedDataStruct = Schema.Struct({
  program: Schema.String,
  parsed: Schema.Struct({
    type: Schema.String,
    info: Schema.Struct({
      mint: Schema.String.annotateKey({ description: "The token." }),
      owner: Schema.String.annotateKey({ description: "Who holds it." }),
      tokenAmount: TokenAmount.annotateKey({ description: "Its amount." }),
      delegate: Schema.optionalKey(Schema.String).annotateKey({ description: "Who else may spend from it." }),
      delegatedAmount: Schema.optionalKey(TokenAmount).annotateKey({
        description: "What the delegate may still spend.",
      }),
      state: Schema.String.annotateKey({ description: "`initialized`, `frozen` or `uninitialized`." }),
      isNative: Schema.Boolean.annotateKey({ description: "Whether it holds the network's native token." }),
      rentExemptReserve: Schema.optionalKey(TokenAmount).annotateKey({
        description: "Lamports of a native account that are not part of its amount.",
      }),
      closeAuthority: Schema.optionalKey(Schema.String).annotateKey({ description: "Who else may close it." }),
      extensions: Schema.optionalKey(
        Schema.Array(Schema.Struct({ extension: Schema.String, state: Schema.optionalKey(Schema.Unknown) })),
      ),
    }),
  }),
  space: Whole,
})

/** Account data that the node parsed. Members that are unset are absent. */
export type ParsedData = { [Name in keyof typeof parsedDataStruct.Type]: (typeof parsedDataStruct.Type)[Name] }
export const ParsedData = Schema.Opaque<ParsedData>()(parsedDataStruct)

/** Account data as text: with its encoding, or bare in the legacy base58 form. */
export const EncodedData = Schema.Union([
  Schema.Tuple([Schema.String, Schema.Literals(["base58", "base64", "base64+zstd"])]),
  Schema.String,
])
export type EncodedData = typeof EncodedData.Type

const tokenAccountEntryStruct = Schema.Struct({
  pubkey: Schema.String.annotateKey({ description: "Key of the token account." }),
  account: Schema.Struct({
    data: Schema.Union([ParsedData, EncodedData]),
    executable: Schema.Boolean.annotateKey({ description: "Whether it is a program." }),
    lamports: U64.annotateKey({ description: "Lamports that keep the account." }),
    owner: Schema.String.annotateKey({ description: "The program that owns the account." }),
    rentEpoch: Whole.annotateKey({
      description: "When rent is next due: 18446744073709551615 for an account that never owes it.",
    }),
    space: Schema.optionalKey(Whole).annotateKey({
      description: "Size of the whole data in bytes, also when only a slice was returned.",
    }),
  }),
})

/** One token account. */
export type TokenAccountEntry = {
  [Name in keyof typeof tokenAccountEntryStruct.Type]: (typeof tokenAccountEntryStruct.Type)[Name]
}
export const TokenAccountEntry = Schema.Opaque<TokenAccountEntry>()(tokenAccountEntryStruct)

const accountListStruct = Schema.Struct({
  context: Schema.Struct({
    slot: U64.annotateKey({ description: "The slot that the accounts were read at." }),
    apiVersion: Schema.optionalKey(Schema.String).annotateKey({ description: "Version of the node's interface." }),
  }),
  value: Schema.Array(TokenAccountEntry).annotateKey({ description: "The accounts." }),
})

/** The accounts, and the slot they were read at. */
export type AccountList = { [Name in keyof typeof accountListStruct.Type]: (typeof accountListStruct.Type)[Name] }
export const AccountList = Schema.Opaque<AccountList>()(accountListStruct)
