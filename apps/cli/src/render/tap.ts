/**
 * A run as TAP version 14: one test a request, one a check, and one that fails for each file that could not be read and each error
 * and each internal error that is of no request.
 */
import {
  type CheckReport,
  type FileReport,
  labelOf,
  type RequestReport,
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
  for (const problem of problems) yield shown({ ok: false, name: problem }, ++number)
  for (const error of internalErrors) yield shown({ ok: false, name: error, details: { reason: "Internal" } }, ++number)
  for (const file of files) {
    for (const error of errors.get(file) ?? []) {
      const details = { file: file.file, line: errorPlace(file, error).line, message: error.message }
      yield shown({ ok: false, name: `${file.file}: ${error.code} ${error.message}`, details }, ++number)
    }
    for (const report of file.reports) for (const test of testsOf(file, report)) yield shown(test, ++number)
  }
}

interface Test {
  readonly ok: boolean
  readonly name: string
  /** Why it was left out. */
  readonly skip?: string | undefined
  /** What a failure shows. */
  readonly details?: Readonly<Record<string, string | number | undefined>> | undefined
}

/** A request, its comparison and its checks. */
function* testsOf(file: FileReport, report: RequestReport): Generator<Test, void> {
  const name = `${file.file}: ${labelOf(report.request)}`
  const { compare, error } = report
  const place = requestPlace(file, report)
  if (report.status === "skipped") yield { ok: true, name, skip: error?.message ?? "" }
  else
    yield {
      ok: report.status === "ok" || report.expected === true,
      name: `${name} (${summarizeReport(report)})`,
      details: { file: place.file, line: place.line, ...failureOf(report) },
    }
  if (compare !== undefined)
    yield {
      ok: compare.equal === true,
      name: `${name}: @compare ${compare.network.id}`,
      details: {
        file: place.file,
        line: place.line,
        message: summarizeComparison(report) ?? "",
        diff: compare.differences.length === 0 ? undefined : diffOf(compare.differences),
      },
    }
  for (const check of report.checks)
    yield check.skipped === true
      ? { ok: true, name: `${name}: ${check.text}`, skip: "not checked" }
      : { ok: check.ok, name: `${name}: ${check.text}`, details: checkDetails(file, report, check) }
}

const failureOf = (report: RequestReport): Test["details"] => {
  const { error } = report
  if (error === undefined) return { message: summarizeChecks(report) }
  const { advice, data, id, message, reason } = error
  return { reason, id, message, advice, data: data === undefined ? undefined : Json.stringify(data) }
}

const checkDetails = (file: FileReport, report: RequestReport, check: CheckReport): Test["details"] => {
  const place = checkPlace(file, report, check)
  const { actual, actualAmount, differences, problem } = check
  return {
    file: place.file,
    line: place.line,
    message: problem,
    diff: differences === undefined ? undefined : diffOf(differences),
    actual: actual === undefined ? undefined : Json.stringifyStart(actual, longestActual),
    actualAmount,
  }
}

const diffOf = (differences: Parameters<typeof showDifferences>[0]): string =>
  showDifferences(differences, longestActual).join("\n")

/** A test, and below one that failed its details as YAML. */
const shown = ({ details = {}, name, ok, skip }: Test, number: number): string => {
  const directive = skip === undefined ? "" : ` # SKIP ${escape(skip)}`
  const lines = [`${ok ? "ok" : "not ok"} ${number} - ${escape(name)}${directive}`]
  const entries = Object.entries(details).filter(([, value]) => value !== undefined)
  if (!ok && entries.length > 0)
    lines.push("  ---", ...entries.map(([key, value]) => `  ${key}: ${escapedJson(JSON.stringify(value))}`), "  ...")
  return lines.map((line) => `${line}\n`).join("")
}

/** The JSON report has all of it. */
const longestActual = 1_000

/** `#` begins a directive, a backslash takes the meaning from what follows, and a line break ends the line. */
const escape = (text: string): string => Visible.line(text).replace(/[\\#]/g, "\\$&")
