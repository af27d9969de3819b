/**
 * A run as TAP version 14: one test a request, one a check, and one that fails for each file that could not be read and each error
 * and each internal error that is of no request.
 */
import {
  type FileReport,
  labelOf,
  showDifferences,
  summarizeChecks,
  summarizeComparison,
  summarizeReport,
} from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"
import { escapedJson } from "./border.ts"
import { fileErrors } from "./fileErrors.ts"
import { checkPlace, errorPlace, requestPlace } from "./places.ts"

/** Test by test. */
export function* tapReport(
  files: ReadonlyArray<FileReport>,
  problems: ReadonlyArray<string>,
  internalErrors: ReadonlyArray<string>,
): Generator<string, void> {
  const reports = files.flatMap((file) => file.reports)
  const errors = new Map(files.map((file) => [file, fileErrors(file)]))
  const failed =
    problems.length + internalErrors.length + [...errors.values()].reduce((sum, { length }) => sum + length, 0)
  const compared = reports.filter(({ compare }) => compare !== undefined).length
  yield `TAP version 14\n1..${reports.reduce((sum, { checks }) => sum + 1 + checks.length, failed + compared)}\n`
  let number = 0
  const test = (
    ok: boolean,
    name: string,
    directive: string,
    details: ReadonlyArray<readonly [string, string | number]>,
  ) => {
    const lines = [`${ok ? "ok" : "not ok"} ${++number} - ${escape(name)}${directive}`]
    if (!ok && details.length > 0)
      lines.push("  ---", ...details.map(([key, value]) => `  ${key}: ${escapedJson(JSON.stringify(value))}`), "  ...")
    return lines.map((line) => `${line}\n`).join("")
  }
  for (const problem of problems) yield test(false, problem, "", [])
  for (const error of internalErrors) yield test(false, error, "", [["reason", "Internal"]])
  for (const file of files) {
    for (const error of errors.get(file) ?? []) {
      const { line } = errorPlace(file, error)
      yield test(false, `${file.file}: ${error.code} ${error.message}`, "", [
        ["file", file.file],
        ["line", line],
        ["message", error.message],
      ])
    }
    for (const report of file.reports) {
      const name = `${file.file}: ${labelOf(report.request)}`
      if (report.status === "skipped") yield test(true, name, ` # SKIP ${escape(report.error?.message ?? "")}`, [])
      else {
        const place = requestPlace(file, report)
        const details =
          report.error === undefined
            ? ([
                ["file", place.file],
                ["line", place.line],
                ["message", summarizeChecks(report)],
              ] as const)
            : ([
                ["file", place.file],
                ["line", place.line],
                ["reason", report.error.reason],
                ["id", report.error.id],
                ["message", report.error.message],
                ...(report.error.advice === undefined ? [] : [["advice", report.error.advice] as const]),
                ...(report.error.data === undefined ? [] : [["data", Json.stringify(report.error.data)] as const]),
              ] as const)
        yield test(
          report.status === "ok" || report.expected === true,
          `${name} (${summarizeReport(report)})`,
          "",
          details,
        )
      }
      const { compare } = report
      if (compare !== undefined) {
        const { file: path, line } = requestPlace(file, report)
        yield test(compare.equal === true, `${name}: @compare ${compare.network.id}`, "", [
          ["file", path],
          ["line", line],
          ["message", summarizeComparison(report) ?? ""],
          ...(compare.differences.length === 0
            ? []
            : [["diff", showDifferences(compare.differences, longestActual).join("\n")] as const]),
        ])
      }
      for (const check of report.checks)
        if (check.skipped === true) yield test(true, `${name}: ${check.text}`, " # SKIP not checked", [])
        else {
          const place = checkPlace(file, report, check)
          const { actual, actualAmount, differences, problem } = check
          yield test(check.ok, `${name}: ${check.text}`, "", [
            ["file", place.file],
            ["line", place.line],
            ...(problem === undefined ? [] : [["message", problem] as const]),
            ...(differences === undefined
              ? []
              : [["diff", showDifferences(differences, longestActual).join("\n")] as const]),
            ...(actual === undefined ? [] : [["actual", Json.stringifyStart(actual, longestActual)] as const]),
            ...(actualAmount === undefined ? [] : [["actualAmount", actualAmount] as const]),
          ])
        }
    }
  }
}

/** The JSON report has all of it. */
const longestActual = 1_000

/** `#` begins a directive, a backslash takes the meaning from what follows, and a line break ends the line. */
const escape = (text: string): string => Visible.line(text).replace(/[\\#]/g, "\\$&")
