/** Why bytes or text could not be read as a token account. */
import * as Data from "effect/Data"

/**
 * - `encoding`: the text is not what its encoding says
 * - `partial`: only a slice of the account's data is there
 * - `not-token-account`: the bytes are something else, such as a mint
 * - `corrupt`: the bytes are a token account's in size, but a field holds a value it cannot have
 * - `decimals`: the number of decimals is not a whole number from 0 to 255
 */
export type DecodeReason = "encoding" | "partial" | "not-token-account" | "corrupt" | "decimals"

/** Thrown by `decodeAccount`, `decodeData`, `decodeEntry` and `uiAmountString`. */
export class DecodeError extends Data.TaggedError("DecodeError")<{
  readonly reason: DecodeReason
  readonly detail: string
}> {
  /** Stable code of the reason, such as `TOK-1001`. */
  get code(): string {
    return codes[this.reason]
  }

  override get message(): string {
    return this.detail
  }
}

/** Invariant: codes are never reused. */
const codes: Readonly<Record<DecodeReason, string>> = {
  encoding: "TOK-1001",
  partial: "TOK-1002",
  "not-token-account": "TOK-1003",
  corrupt: "TOK-1004",
  decimals: "TOK-1005",
}
