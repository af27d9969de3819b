/** How an attempt ended, as far as charging is concerned, also when it did not end by itself. */
import { Cause, type Exit } from "effect"
import type { Price, RpcError, RpcReply } from "@dotrpc/spec"

/** An attempt that was stopped counts as a timeout once its first byte had left: the server may have charged it. */
export const attemptOutcome = (exit: Exit.Exit<RpcReply, RpcError>, sent: boolean): Price.Outcome => {
  if (exit._tag === "Success") return "ok"
  const error = Cause.findError(exit.cause)
  if (error._tag === "Success") return error.success.outcome
  return sent ? "timeout" : "unsent"
}
