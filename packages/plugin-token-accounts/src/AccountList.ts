/** The result of `getTokenAccountsByDelegate`, as the service returns it (service §2.5). */
import { deprecatedFor, Json, unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { accountFields, EncodedData } from "./AccountInfo.ts"
import { Context } from "./Context.ts"
import { Whole } from "./internal/integer.ts"

const tokenAmountStruct = Schema.Struct({
  amount: Schema.String.annotateKey({ description: "Exact, in the smallest unit." }),
  decimals: Whole.annotateKey({ description: "The mint's." }),
  uiAmount: unneeded(Schema.Union([Schema.Number, Schema.BigInt, Schema.instanceOf(Json.JsonNumber)])).annotateKey({
    ...deprecatedFor("uiAmountString"),
    description: "A rounded number, or null.",
  }),
  uiAmountString: unneeded(Schema.String).annotateKey({
    description:
      "In whole tokens, as the node computed it: with the mint's decimals and, where it has one, its multiplier.",
  }),
})

/**
 * An amount of a token. `amount` is exact, in the smallest unit; `uiAmountString` is what people see, which only the node knows where
 * the mint has a multiplier.
 */
export type TokenAmount = { [Name in keyof typeof tokenAmountStruct.Type]: (typeof tokenAmountStruct.Type)[Name] }
export const TokenAmount = Schema.Opaque<TokenAmount>()(tokenAmountStruct)

const parsedDataStruct = Schema.Struct({
  program: unneeded(Schema.String),
  parsed: Schema.Struct({
    type: unneeded(Schema.String),
    info: Schema.Struct({
      mint: Schema.String.annotateKey({ description: "The token." }),
      owner: Schema.String.annotateKey({ description: "Who holds it." }),
      tokenAmount: TokenAmount.annotateKey({ description: "Its amount." }),
      delegate: unneeded(Schema.String).annotateKey({ description: "Who else may spend from it." }),
      delegatedAmount: unneeded(TokenAmount).annotateKey({
        description: "What the delegate may still spend.",
      }),
      state: unneeded(Schema.String).annotateKey({ description: "`initialized`, `frozen` or `uninitialized`." }),
      isNative: unneeded(Schema.Boolean).annotateKey({ description: "Whether it holds the network's native token." }),
      rentExemptReserve: unneeded(TokenAmount).annotateKey({
        description: "Lamports of a native account that are not part of its amount.",
      }),
      closeAuthority: unneeded(Schema.String).annotateKey({ description: "Who else may close it." }),
      extensions: unneeded(
        Schema.Array(Schema.Struct({ extension: Schema.String, state: Schema.optionalKey(Schema.Unknown) })),
      ),
    }),
  }),
  space: unneeded(Whole),
})

/** Account data that the node parsed. Members that are unset are absent or null. */
export type ParsedData = { [Name in keyof typeof parsedDataStruct.Type]: (typeof parsedDataStruct.Type)[Name] }
export const ParsedData = Schema.Opaque<ParsedData>()(parsedDataStruct)

const tokenAccountEntryStruct = Schema.Struct({
  pubkey: Schema.String.annotateKey({ description: "Key of the token account." }),
  account: Schema.Struct({ data: Schema.Union([ParsedData, EncodedData]), ...accountFields }),
})

/** One token account. */
export type TokenAccountEntry = {
  [Name in keyof typeof tokenAccountEntryStruct.Type]: (typeof tokenAccountEntryStruct.Type)[Name]
}
export const TokenAccountEntry = Schema.Opaque<TokenAccountEntry>()(tokenAccountEntryStruct)

const accountListStruct = Schema.Struct({
  context: Context,
  value: Schema.Array(TokenAccountEntry).annotateKey({ description: "The accounts." }),
})

/** The accounts, and the slot they were read at. */
export type AccountList = { [Name in keyof typeof accountListStruct.Type]: (typeof accountListStruct.Type)[Name] }
export const AccountList = Schema.Opaque<AccountList>()(accountListStruct)
