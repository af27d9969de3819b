/** Why a gateway could not be served. */
import { Data } from "effect"

/**
 * - `key-required`: the host can be reached from other machines and no key was given
 * - `bad-option`: the sample data cannot be made as it was asked for
 * - `port-in-use`: something else listens on the port
 * - `cannot-listen`: the system refused the host or the port
 * - `no-balances`: the server that keeps the balances cannot be used
 */
export type ServeReason = "key-required" | "bad-option" | "port-in-use" | "cannot-listen" | "no-balances"

/** The error of {@link serve}. */
export class ServeError extends Data.TaggedError("ServeError")<{
  readonly reason: ServeReason
  readonly detail: string
}> {
  /** Stable code of the reason, such as `GW-1001`. */
  get code(): string {
    return codes[this.reason]
  }

  override get message(): string {
    return this.detail
  }
}

/** Invariant: codes are never reused. */
const codes: Readonly<Record<ServeReason, string>> = {
  "key-required": "GW-1001",
  "port-in-use": "GW-1002",
  "cannot-listen": "GW-1003",
  "bad-option": "GW-1004",
  "no-balances": "GW-1005",
}
