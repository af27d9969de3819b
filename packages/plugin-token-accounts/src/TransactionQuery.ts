/** The config of methods that return transactions, and signatures in params. */
import { base58 } from "@scure/base"
import * as Schema from "effect/Schema"
import { Whole } from "./internal/integer.ts"

/** How transactions are written in the result. */
export const TransactionEncoding = Schema.Literals(["json", "jsonParsed", "base64", "base58"])
export type TransactionEncoding = typeof TransactionEncoding.Type

/** What is not voted on yet cannot be read. */
export const confirmedKey = Schema.optionalKey(Schema.Literals(["finalized", "confirmed"])).annotateKey({
  description: "`finalized` (the default) or `confirmed`.",
})

const transactionConfigStruct = Schema.Struct({
  commitment: confirmedKey,
  encoding: Schema.optionalKey(TransactionEncoding).annotateKey({
    description: "`json` (the default), `jsonParsed`, `base64` or `base58`.",
  }),
  maxSupportedTransactionVersion: Schema.optionalKey(Whole).annotateKey({
    description: "The newest version to be returned; others are an error. 0 is sent when absent.",
  }),
})

/** How a transaction is read. */
export type TransactionConfig = {
  [Name in keyof typeof transactionConfigStruct.Type]: (typeof transactionConfigStruct.Type)[Name]
}
export const TransactionConfig = Schema.Opaque<TransactionConfig>()(transactionConfigStruct)

/** Adds the version, without which a node refuses most of today's transactions; `undefined` when one is given. */
export const withVersion = <Config extends { readonly maxSupportedTransactionVersion?: number | bigint }>(
  config: Config | undefined,
) =>
  config?.maxSupportedTransactionVersion === undefined
    ? {
        config: { ...config, maxSupportedTransactionVersion: 0 },
        note: "maxSupportedTransactionVersion 0 was added: without it a node refuses transactions of version 0",
      }
    : undefined

/** What is wrong with a signature's text, as a phrase without a full stop; `undefined` when it is right. */
const signatureProblem = (text: string): string | undefined => {
  const expected = "expected a base58 signature of 64 bytes"
  if (text.length > 200) return `${expected}, found ${text.length} characters`
  if (/[^1-9A-HJ-NP-Za-km-z]/u.test(text)) return `${expected}, found ${JSON.stringify(text)}`
  const length = base58.decode(text).length
  return length === 64 ? undefined : `${expected}, found ${length} ${length === 1 ? "byte" : "bytes"}`
}

/** A signature in params. */
export const Signature = Schema.String.check(
  Schema.makeFilter(signatureProblem, { expected: "a base58 signature of 64 bytes" }),
)
