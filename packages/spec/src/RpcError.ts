/**
 * The only error of the runtime. It names the method and the network; its `reason` says why.
 *
 * Invariant: no message contains a URL or a key.
 */
import { Data } from "effect"
import type { Json } from "./Json.ts"
import type { Outcome } from "./Price.ts"
import type { Reason } from "./RpcReason.ts"

/**
 * A failed call. `outcome` decides what was charged (see `Price`). `data` is what the server's error held besides its code
 * and its words, such as the bytes a contract reverted with, without secrets.
 */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly method: string
  readonly network: string
  readonly reason: Reason
  readonly outcome: Outcome
  readonly data?: Json | undefined
}> {
  override get message(): string {
    return `${this.method} on ${this.network}: ${this.reason.message}`
  }

  /** Stable code of the reason, such as `RPC-2001`. */
  get code(): string {
    return this.reason.code
  }

  get advice(): string {
    return this.reason.advice
  }

  /** True when sending the very same request again may succeed. */
  get retryable(): boolean {
    return this.reason.retryable
  }
}
