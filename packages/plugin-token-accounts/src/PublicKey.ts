/** Base58 keys of accounts: 32 bytes as text. */
import type { AddressForm } from "@dotrpc/spec"
import { base58 } from "@scure/base"
import * as Schema from "effect/Schema"

/** What is wrong with a key's text, as a phrase without a full stop; `undefined` when it is right. */
export const publicKeyProblem = (text: string): string | undefined => {
  if (text.length > longestText) return `expected a base58 key of 32 bytes, found ${text.length} characters`
  const stranger = /[^1-9A-HJ-NP-Za-km-z]/u.exec(text)
  if (stranger !== null)
    return `expected a base58 key of 32 bytes, found ${JSON.stringify(stranger[0])} at offset ${stranger.index}, which base58 does not use`
  const length = base58.decode(text).length
  return length === 32
    ? undefined
    : `expected a base58 key of 32 bytes, found ${length} ${length === 1 ? "byte" : "bytes"}`
}

/** Accounts, mints and programs. */
export const addressForm: AddressForm = {
  example: "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq",
  problem: publicKeyProblem,
}

/** A key in params. */
export const PublicKey = Schema.String.check(
  Schema.makeFilter(publicKeyProblem, { expected: "a base58 key of 32 bytes" }),
)

/** Decoding base58 takes time in the square of the length, and no key comes near this. */
const longestText = 200
