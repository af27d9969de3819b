/**
 * Annotations of lines, as the runner of GitHub Actions reads them from stdout: `::error file=a.rpc,line=3::…`.
 *
 * Invariant: a text from outside neither ends an annotation nor begins another command.
 */
import type { Diagnostic } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import {
  type CheckReport,
  type FileReport,
  isBroken,
  labelOf,
  type RequestReport,
  showActual,
  showDifferences,
  summarizeComparison,
} from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"
import { escapedJson, withoutStyles } from "../render/border.ts"
import { fileErrors } from "../render/fileErrors.ts"
import { checkPlace, requestPlace } from "../render/places.ts"

export interface Annotation {
  readonly kind: "error" | "warning" | "notice"
  readonly file?: string | undefined
  /** From 1. */
  readonly line?: number | undefined
  readonly col?: number | undefined
  readonly endLine?: number | undefined
  readonly title?: string | undefined
  readonly text: ReadonlyArray<string>
}

export const annotation = ({ kind, text, ...places }: Annotation): string => {
  const properties = Object.entries(places).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${property(String(value))}`],
  )
  return `::${kind}${properties.length === 0 ? "" : ` ${properties.join(",")}`}::${text.map(data).join("%0A")}`
}

/** What is wrong with a text. */
export function* diagnosticAnnotations(
  file: string,
  text: string,
  diagnostics: ReadonlyArray<Diagnostic>,
): Generator<string, void> {
  const lines = lineIndex(text)
  for (const { code, end, message, severity, start } of diagnostics) {
    const { character, line } = positionAt(lines, start)
    const kind = severity === "info" ? "notice" : severity
    const endLine = positionAt(lines, end).line + 1
    yield annotation({ kind, file, line: line + 1, col: character + 1, endLine, title: code, text: [message] })
  }
}

/** What went wrong in a run: a line for each error, each check that failed, and each comparison that is not equal. */
export function* runAnnotations(
  files: ReadonlyArray<FileReport>,
  problems: ReadonlyArray<string>,
  internalErrors: ReadonlyArray<string>,
): Generator<string, void> {
  for (const words of [...problems, ...internalErrors])
    yield annotation({ kind: "error", title: "dotrpc", text: [words] })
  for (const file of files) {
    yield* diagnosticAnnotations(file.file, file.text, fileErrors(file))
    for (const report of file.reports) yield* requestAnnotations(file, report)
  }
}

function* requestAnnotations(file: FileReport, report: RequestReport): Generator<string, void> {
  const { checks, compare, error, expected, status } = report
  const title = labelOf(report.request)
  const place = requestPlace(file, report)
  if (error !== undefined && expected !== true && status !== "skipped")
    yield annotation({
      kind: "error",
      ...place,
      title,
      text: [error.message, ...(error.advice === undefined ? [] : [error.advice])],
    })
  for (const check of checks.filter(isBroken))
    yield annotation({ kind: "error", ...checkPlace(file, report, check), title, text: checkWords(check) })
  if (compare !== undefined && compare.equal !== true && compare.status !== "skipped")
    yield annotation({ kind: "error", ...place, title, text: [summarizeComparison(report) ?? ""] })
}

const checkWords = (check: CheckReport): ReadonlyArray<string> => [
  check.text,
  ...(check.problem === undefined ? [] : [check.problem]),
  ...(check.actual === undefined ? [] : [showActual(check, shortened(check.actual))]),
  ...showDifferences(check.differences ?? [], longest),
]

const shortened = (value: Json.Json): string => {
  const text = escapedJson(Json.stringifyStart(value, longest))
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
}

/** An annotation has room for 4 KiB. */
const longest = 500

const data = (text: string): string => withoutStyles(Visible.line(text)).replaceAll("%", "%25")

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
