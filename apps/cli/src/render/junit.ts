/**
 * A run as JUnit XML: a suite per file, a case per request, per check and per error that is of no request, a suite of the files
 * that could not be read, and one of the internal errors that are of no request.
 */
import {
  type CheckReport,
  type ErrorReport,
  type FileReport,
  isBroken,
  labelOf,
  type RequestReport,
  showActual,
  showDifferences,
  summarizeComparison,
} from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"
import { escapedJson } from "./border.ts"
import { fileErrors } from "./fileErrors.ts"
import { checkPlace, errorPlace, type FileLine, requestPlace } from "./places.ts"

/** Line by line. */
export function* junitReport(
  files: ReadonlyArray<FileReport>,
  problems: ReadonlyArray<string>,
  internalErrors: ReadonlyArray<string>,
): Generator<string, void> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  for (const line of errorSuite("files that could not be read", "Unreadable", problems)) yield `${line}\n`
  for (const line of errorSuite("internal errors", "Internal", internalErrors)) yield `${line}\n`
  for (const file of files) for (const line of suite(file)) yield `${line}\n`
  yield "</testsuites>\n"
}

function* errorSuite(name: string, type: string, errors: ReadonlyArray<string>): Generator<string, void> {
  if (errors.length === 0) return
  const counts = `tests="${errors.length}" failures="0" errors="${errors.length}" skipped="0" time="0.000"`
  yield `  <testsuite name="${name}" ${counts}>`
  const unique = uniqueNames()
  for (const error of errors) {
    const open = `    <testcase classname="${name}" name="${attribute(unique(error))}" time="0.000">`
    yield `${open}<error type="${type}" message="${attribute(error)}"/></testcase>`
  }
  yield "  </testsuite>"
}

function* suite(file: FileReport): Generator<string, void> {
  const { reports } = file
  const checks = reports.flatMap((report) => report.checks)
  const compared = reports.filter(({ compare }) => compare !== undefined)
  const unequal = compared.filter(({ compare }) => compare?.equal !== true)
  const failures = checks.filter(isBroken).length + unequal.filter(({ compare }) => compare?.error === undefined).length
  const own = fileErrors(file)
  const errors =
    own.length +
    reports.filter(({ expected, status }) => isError(status) && expected !== true).length +
    unequal.filter(({ compare }) => compare !== undefined && isError(compare.status)).length
  const skipped =
    reports.filter((report) => report.status === "skipped").length +
    checks.filter((check) => check.skipped).length +
    unequal.filter(({ compare }) => compare?.status === "skipped").length
  const seconds = reports.reduce((sum, report) => sum + report.ms, 0) / 1_000
  const counts = `tests="${own.length + reports.length + checks.length + compared.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds.toFixed(3)}"`
  yield `  <testsuite name="${attribute(file.file)}" ${counts}>`
  const unique = uniqueNames()
  for (const error of own) {
    const open = caseOf(file, unique(`${error.code} ${error.message}`), errorPlace(file, error), 0)
    const advice = error.fix === undefined ? "" : text(error.fix.title)
    yield `${open}><error type="${attribute(error.code)}" message="${attribute(error.message)}">${advice}</error></testcase>`
  }
  for (const report of reports) {
    const label = labelOf(report.request)
    yield requestCase(file, report, unique(label))
    if (report.compare !== undefined)
      yield comparisonCase(file, report, unique(`${label}: @compare ${report.compare.network.id}`))
    for (const check of report.checks) yield checkCase(file, report, check, unique(`${label}: ${check.text}`))
  }
  yield "  </testsuite>"
}

/** Readers of reports tell cases apart by their names alone: of several that are alike, the second gets a `(2)`. */
const uniqueNames = (): ((name: string) => string) => {
  const counts = new Map<string, number>()
  const given = new Set<string>()
  return (name) => {
    let count = counts.get(name) ?? 0
    let unique = name
    do unique = ++count === 1 ? name : `${name} (${count})`
    while (given.has(unique))
    counts.set(name, count)
    given.add(unique)
    return unique
  }
}

const caseOf = (file: FileReport, name: string, { file: own, line }: FileLine, millis: number): string =>
  `    <testcase classname="${attribute(file.file)}" name="${attribute(name)}" file="${attribute(own)}" line="${line}" time="${(millis / 1_000).toFixed(3)}"`

const isError = (status: RequestReport["status"]): boolean =>
  status === "rpc-error" || status === "failed" || status === "refused"

const requestCase = (file: FileReport, report: RequestReport, name: string): string => {
  const open = caseOf(file, name, requestPlace(file, report), report.ms)
  // A check that failed is a case of its own, and counts once.
  const isFailedCheck = report.status === "check-failed" || report.status === "compare-failed"
  const status = isFailedCheck ? `<property name="status" value="${report.status}"/>` : ""
  const notes = (report.notes ?? []).map((note) => `<property name="note" value="${attribute(note)}"/>`).join("")
  const credits = `<properties><property name="credits" value="${report.credits}"/>${status}${notes}</properties>`
  if (report.error === undefined || report.expected === true) return `${open}>${credits}</testcase>`
  const message = attribute(report.error.message)
  if (report.status === "skipped") return `${open}><skipped message="${message}"/></testcase>`
  return `${open}>${credits}<error type="${attribute(report.error.reason)}" message="${message}">${errorWords(report.error)}</error></testcase>`
}

const errorWords = ({ advice, data, id }: ErrorReport): string =>
  [
    ...(advice === undefined ? [] : [text(advice)]),
    `id: ${text(id)}`,
    ...(data === undefined ? [] : [`data: ${text(escapedJson(Json.stringify(data)))}`]),
  ].join("\n")

const comparisonCase = (file: FileReport, report: RequestReport, name: string): string => {
  const { compare } = report
  const open = caseOf(file, name, requestPlace(file, report), compare?.ms ?? 0)
  const credits = `<properties><property name="credits" value="${compare?.credits ?? 0}"/></properties>`
  if (compare?.equal === true) return `${open}>${credits}</testcase>`
  if (compare?.status === "skipped")
    return `${open}><skipped message="${attribute(compare.error?.message ?? "not called")}"/></testcase>`
  if (compare?.error !== undefined)
    return `${open}>${credits}<error type="${attribute(compare.error.reason)}" message="${attribute(compare.error.message)}">${errorWords(compare.error)}</error></testcase>`
  const lines = showDifferences(compare?.differences ?? [], longestDifference).map(escapedJson)
  return `${open}>${credits}<failure message="${attribute(summarizeComparison(report) ?? "")}">${lines.map(text).join("\n")}</failure></testcase>`
}

const checkCase = (file: FileReport, report: RequestReport, check: CheckReport, name: string): string => {
  const open = caseOf(file, name, checkPlace(file, report, check), 0)
  if (check.ok) return `${open}/>`
  if (check.skipped === true) return `${open}><skipped message="not checked"/></testcase>`
  const lines = [
    ...(check.problem === undefined ? [] : [check.problem]),
    ...(check.actual === undefined ? [] : [showActual(check, escapedJson(shortened(check.actual)))]),
    ...showDifferences(check.differences ?? [], longestDifference).map(escapedJson),
  ]
  return `${open}><failure message="${attribute(check.text)}">${lines.map(text).join("\n")}</failure></testcase>`
}

/** Nobody reads more in a case; the JSON report has all of it. */
const shortened = (value: Json.Json): string => {
  const text = Json.stringifyStart(value, longestShown)
  return text.length <= longestShown ? text : `${text.slice(0, longestShown - 1)}…`
}

const longestDifference = 1_000

const longestShown = 1_048_576

/** On one line, as a reader of attributes would make blanks of line breaks and tabs. */
const text = (value: string): string =>
  Visible.line(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const attribute = (value: string): string => text(value).replaceAll('"', "&quot;")
