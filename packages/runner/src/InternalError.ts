/**
 * The message of an internal error: a bug here or in a plugin.
 *
 * Invariant: one line, without a stack, without a secret and without a URL.
 */
import { Redaction } from "@dotrpc/spec"
import { Cause, type Redacted } from "effect"

/** Stable, as the codes of `RpcError` are. */
export const internalErrorCode = "RPC-9001"

/** `internal error, please report: TypeError: …`, of whatever was thrown or the `Cause` of it. */
export const internalErrorWords = (thrown: unknown, secrets: ReadonlyArray<Redacted.Redacted<string>> = []): string => {
  const defect = Cause.isCause(thrown) ? Cause.squash(thrown) : thrown
  const [line = ""] = Redaction.scrub(wordsOf(defect).slice(0, longest), secrets).split(/[\r\n]/, 1)
  return `internal error, please report: ${line.replace(url, "$1•••").slice(0, shown)}`
}

/** Whatever was thrown may not even be fit to be written. */
const wordsOf = (defect: unknown): string => {
  try {
    return String(defect)
  } catch {
    return "a value that cannot be shown was thrown"
  }
}

/** A URL may hold a key of which nothing is known here. */
const url = /\b((?:https?|wss?|rediss?|postgres(?:ql)?):\/\/)[^\s"']*/g

/** Of a message, as much as is looked at; a secret across its end is not shown. */
const longest = 20_000
const shown = 400
