/** The exit codes of a run. */
import type { Diagnostic } from "@dotrpc/lang"
import { internalErrorCode } from "./InternalError.ts"
import { isBroken } from "./internal/broken.ts"
import type { RequestReport } from "./RunEvent.ts"

/** The exit code of a process that ran requests. */
export const ExitCode = {
  ok: 0,
  checkFailed: 1,
  /** Usage, syntax or an unresolved reference. */
  invalid: 2,
  /** An RPC or transport failure. */
  failed: 3,
  refused: 4,
  /** A bug, here or in a plugin. What ran is reported all the same. */
  internal: 70,
  interrupted: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/**
 * The gravest of what happened: an internal error, an invalid document, then a refusal, a failure, a failed check. A run is
 * not whole when a file that was asked for could not be read.
 */
export const exitCodeOf = (
  diagnostics: ReadonlyArray<Diagnostic>,
  reports: ReadonlyArray<RequestReport>,
  isWhole = true,
): ExitCode => {
  if (reports.some(isInternal)) return ExitCode.internal
  if (!isWhole) return ExitCode.invalid
  if (diagnostics.some((diagnostic) => diagnostic.severity === "error")) return ExitCode.invalid
  if (reports.some((report) => report.error?.span !== undefined)) return ExitCode.invalid
  const unexpected = reports.filter((report) => report.expected !== true)
  const compared = reports.flatMap(({ compare }) => (compare === undefined || compare.equal === true ? [] : [compare]))
  const isRefused = (error: RequestReport["error"]) => error !== undefined && refusals.has(error.reason)
  if (unexpected.some((report) => report.status === "refused")) return ExitCode.refused
  if (compared.some(({ error }) => isRefused(error))) return ExitCode.refused
  if (unexpected.some((report) => report.status === "rpc-error" || report.status === "failed")) return ExitCode.failed
  if (compared.some(({ error }) => error !== undefined)) return ExitCode.failed
  if (compared.length > 0 || reports.some((report) => report.checks.some(isBroken))) return ExitCode.checkFailed
  // What needs a result where an error was expected could not run.
  return reports.some((report) => report.error?.id === "dependency") ? ExitCode.failed : ExitCode.ok
}

/** Of several rows that failed, the error of the request is that of the first. */
const isInternal = ({ error, rows = [] }: RequestReport): boolean =>
  [error, ...rows.map((row) => row.error)].some((each) => each?.id === internalErrorCode)

const refusals = new Set(["BudgetRefused", "DailyLimitReached", "LedgerUnavailable"])
