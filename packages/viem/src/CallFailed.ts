/** The cause of a viem error of this transport. */
import type { RpcError } from "@dotrpc/spec"

/** The cause of every error that the transport throws. Its message is what the server said, or why nothing was sent. */
export class CallFailed extends Error {
  override readonly name = "CallFailed"
  /** The error of the runtime: its reason, stable code, advice, and what was charged for. */
  readonly failure: RpcError

  constructor(failure: RpcError) {
    const { outcome, reason } = failure
    super("said" in reason && outcome !== "unsent" ? reason.said : reason.message)
    this.failure = failure
  }
}

/**
 * The error of the runtime behind an error that viem threw; `undefined` when it was not caused by a call of this transport.
 *
 * @example
 * ```ts
 * const failure = failureOf(error)
 * if (failure?.reason._tag === "DailyLimitReached") console.log(failure.reason.resetsAt)
 * ```
 */
export const failureOf = (error: unknown): RpcError | undefined => {
  if (error instanceof CallFailed) return error.failure
  return error instanceof Error ? failureOf(error.cause) : undefined
}
