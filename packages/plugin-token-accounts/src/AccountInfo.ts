/** Accounts of any program, as a node returns them, and what the token programs stored in them. */
import { Schema } from "effect"
import { EncodedData } from "./AccountList.ts"
import { U64, Whole } from "./internal/integer.ts"

/** Account data that the node parsed. What `info` contains depends on the program and the type. */
export const ParsedAccountData = Schema.Struct({
  program: Schema.String.annotateKey({ description: "Name of the program that owns the account: `spl-token`." }),
  parsed: Schema.Struct({
    type: Schema.String.annotateKey({ description: "What the account is to its program: `account`, `mint`." }),
    info: Schema.optionalKey(Schema.Unknown).annotateKey({ description: "Its content, by program and type." }),
  }),
  space: Schema.optionalKey(Whole).annotateKey({ description: "Size of the data in bytes." }),
})
export type ParsedAccountData = typeof ParsedAccountData.Type

/** One account. */
export const AccountInfo = Schema.Struct({
  data: Schema.Union([ParsedAccountData, EncodedData]).annotateKey({
    description: "Parsed by the node, or `[text, encoding]`.",
  }),
  executable: Schema.Boolean.annotateKey({ description: "Whether it is a program." }),
  lamports: U64.annotateKey({ description: "Its balance in lamports." }),
  owner: Schema.String.annotateKey({ description: "The program that owns the account." }),
  rentEpoch: Schema.optionalKey(Whole).annotateKey({
    description: "When rent is next due: 18446744073709551615 for an account that never owes it.",
  }),
  space: Schema.optionalKey(Whole).annotateKey({
    description: "Size of the whole data in bytes, also when only a slice was returned.",
  }),
})
export type AccountInfo = typeof AccountInfo.Type

/** An account with its key. */
export const KeyedAccount = Schema.Struct({
  pubkey: Schema.String.annotateKey({ description: "Key of the account." }),
  account: AccountInfo,
})
export type KeyedAccount = typeof KeyedAccount.Type
