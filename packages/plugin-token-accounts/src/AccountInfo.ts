/** Accounts of any program, as a node returns them, and what the token programs stored in them. */
import { Json, unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { U64, Whole } from "./internal/integer.ts"

const parsedAccountDataStruct = Schema.Struct({
  program: Schema.String.annotateKey({ description: "Name of the program that owns the account: `spl-token`." }),
  parsed: Schema.Struct({
    type: Schema.String.annotateKey({ description: "What the account is to its program: `account`, `mint`." }),
    info: Schema.optionalKey(Schema.Unknown).annotateKey({ description: "Its content, by program and type." }),
  }),
  space: unneeded(Whole).annotateKey({ description: "Size of the data in bytes." }),
})

/** Account data that the node parsed. What `info` contains depends on the program and the type. */
export type ParsedAccountData = {
  [Name in keyof typeof parsedAccountDataStruct.Type]: (typeof parsedAccountDataStruct.Type)[Name]
}
export const ParsedAccountData = Schema.Opaque<ParsedAccountData>()(parsedAccountDataStruct)

/** Account data as text: with its encoding, or bare in the legacy base58 form. */
export const EncodedData = Schema.Union([
  Schema.Tuple([Schema.String, Schema.Literals(["base58", "base64", "base64+zstd"])]),
  Schema.String,
])
export type EncodedData = typeof EncodedData.Type

/** What every account has beside its data. */
export const accountFields = {
  executable: unneeded(Schema.Boolean).annotateKey({ description: "Whether it is a program." }),
  lamports: U64.annotateKey({ description: "Its balance in lamports." }),
  owner: Schema.String.annotateKey({ description: "The program that owns the account." }),
  rentEpoch: unneeded(Schema.Union([Whole, Schema.instanceOf(Json.JsonNumber)])).annotateKey({
    description: "When rent is next due: 18446744073709551615 for an account that never owes it.",
  }),
  space: unneeded(Whole).annotateKey({
    description: "Size of the whole data in bytes, also when only a slice was returned.",
  }),
}

const accountInfoStruct = Schema.Struct({
  data: Schema.Union([ParsedAccountData, EncodedData]).annotateKey({
    description: "Parsed by the node, or `[text, encoding]`.",
  }),
  ...accountFields,
})

/** One account. */
export type AccountInfo = { [Name in keyof typeof accountInfoStruct.Type]: (typeof accountInfoStruct.Type)[Name] }
export const AccountInfo = Schema.Opaque<AccountInfo>()(accountInfoStruct)

const keyedAccountStruct = Schema.Struct({
  pubkey: Schema.String.annotateKey({ description: "Key of the account." }),
  account: AccountInfo,
})

/** An account with its key. */
export type KeyedAccount = { [Name in keyof typeof keyedAccountStruct.Type]: (typeof keyedAccountStruct.Type)[Name] }
export const KeyedAccount = Schema.Opaque<KeyedAccount>()(keyedAccountStruct)
