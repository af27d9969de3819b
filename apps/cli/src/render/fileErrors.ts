/** The errors of a file that are of none of its requests, such as a misspelt directive above all of them. */
import type { Diagnostic } from "@dotrpc/lang"
import type { FileReport } from "@dotrpc/runner"

/** The first error of a request that was not sent is its own; every other one is here, so that no report lacks it. */
export const fileErrors = ({ diagnostics, reports }: FileReport): ReadonlyArray<Diagnostic> => {
  const ofRequests = new Set(
    reports.flatMap(({ error, request }) =>
      error?.span === undefined || request.origin !== undefined ? [] : [keyOf(error.id, error.span.start)],
    ),
  )
  return diagnostics.filter(({ code, severity, start }) => severity === "error" && !ofRequests.has(keyOf(code, start)))
}

const keyOf = (code: string, start: number): string => `${code} ${start}`
