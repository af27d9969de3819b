/**
 * Why a command ends before its time: an interruption that a bug is the reason of carries it along, so that the report of
 * the command can say more than that it was interrupted.
 */
import { internalErrorWords } from "@dotrpc/runner"
import { Cause, Context, type Redacted, Result } from "effect"

/** What was thrown where nobody waited for it; an annotation of the interruption. */
export class EndedBy extends Context.Service<EndedBy, { readonly thrown: unknown }>()("@dotrpc/cli/EndedBy") {}

/** `internal error, please report: …`; `undefined` of an interruption by a person or a reader, and of a failure. */
export const bugIn = (
  cause: Cause.Cause<unknown>,
  secrets: ReadonlyArray<Redacted.Redacted<string>> = [],
): string | undefined => {
  const endedBy = Context.getOrUndefined(Cause.annotations(cause), EndedBy)
  if (endedBy !== undefined) return internalErrorWords(endedBy.thrown, secrets)
  const defect = Cause.findDefect(cause)
  return Result.isSuccess(defect) ? internalErrorWords(defect.success, secrets) : undefined
}
