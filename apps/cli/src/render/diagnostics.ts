/** Diagnostics as a person reads them in a terminal: place, message, the line itself, and what to do. */
import { Visible } from "@dotrpc/spec"
import { maskKeys } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { type LineIndex, lineIndex, positionAt } from "@dotrpc/lang/locate"
import stringWidth from "string-width"
import type { Colors } from "./colors.ts"

/** The most problems of one file that are written out: anyone who has read these mends them first. */
const mostShown = 100

/** The diagnostics of a file one after the other; of a great many the first ones, and how many more there are. */
export const showDiagnostics = (
  file: string,
  text: string,
  diagnostics: ReadonlyArray<Diagnostic>,
  colors: Colors,
): ReadonlyArray<string> => {
  const lines = lineIndex(text)
  const chosen = shownOf(diagnostics)
  if (chosen.length === 0) return []
  const masked = maskKeys(
    text,
    diagnostics.filter(({ code }) => code === "A501"),
  )
  const shown = chosen.map((diagnostic) => showDiagnostic(file, masked, diagnostic, colors, lines))
  const more = diagnostics.length - chosen.length
  if (more === 0) return shown
  return [
    ...shown,
    `${colors.bold(Visible.line(file))} … and ${more.toLocaleString("en")} more; dotrpc check --format json lists all of them`,
  ]
}

/** Those of a file that are written out: errors before warnings, as they forbid a run; in the order of the file. */
export const shownOf = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  if (diagnostics.length <= mostShown) return diagnostics
  const errors = diagnostics.filter(({ severity }) => severity === "error").slice(0, mostShown)
  const others = diagnostics.filter(({ severity }) => severity !== "error").slice(0, mostShown - errors.length)
  return [...errors, ...others].toSorted((left, right) => left.start - right.start)
}

/** One diagnostic over several lines. A key that stands in the line is masked. */
const showDiagnostic = (
  file: string,
  masked: string,
  diagnostic: Diagnostic,
  colors: Colors,
  lines: LineIndex,
): string => {
  const start = positionAt(lines, diagnostic.start)
  const end = positionAt(lines, diagnostic.end)
  const whole = masked.slice(lines.starts[start.line] ?? 0, lines.starts[start.line + 1]).replace(/[\r\n]{1,2}$/, "")
  const { before, source } = around(whole, start.character)
  const from = start.character - before
  const until = end.line === start.line ? end.character - before : source.length
  const marked = source.slice(from, Math.max(from + 1, until))
  const width = Math.max(1, cellsOf(marked.replaceAll("\t", " ")))
  const paint = diagnostic.severity === "error" ? colors.red : colors.yellow
  const number = String(start.line + 1)
  // Tabs stay tabs, and a wide character has two cells, so that the marks stand under the text they mean.
  const indent = source
    .slice(0, from)
    .split("\t")
    .map((part) => " ".repeat(cellsOf(part)))
    .join("\t")
  const place = colors.bold(`${Visible.line(file)}:${start.line + 1}:${start.character + 1}`)
  return [
    `${place} ${paint(diagnostic.severity)} ${colors.dim(diagnostic.code)} ${Visible.line(diagnostic.message)}`,
    `  ${colors.dim(`${number} |`)} ${source.split("\t").map(Visible.line).join("\t")}`,
    `  ${colors.dim(`${" ".repeat(number.length)} |`)} ${indent}${paint("^".repeat(width))}`,
    ...(diagnostic.fix === undefined
      ? []
      : [`  ${colors.dim(`${" ".repeat(number.length)} =`)} fix: ${Visible.line(diagnostic.fix.title)}`]),
  ].join("\n")
}

/** How many cells of a terminal a text takes as it is shown. */
const cellsOf = (text: string): number => stringWidth(Visible.line(text))

/** What is shown of a line, which may be a whole file, and how much of it stands before that. */
const around = (line: string, character: number): { readonly before: number; readonly source: string } => {
  if (line.length <= longestLine) return { before: 0, source: line }
  const first = Math.max(0, Math.min(character - longestLine / 4, line.length - longestLine))
  const part = line.slice(first, first + longestLine)
  const source = `${first > 0 ? "…" : ""}${part}${first + longestLine < line.length ? "…" : ""}`
  return { before: first > 0 ? first - 1 : 0, source }
}

const longestLine = 160

/** Writes the problems of a file, as {@link showDiagnostics} shows them. */
export const writeDiagnostics = (
  sink: { readonly colors: Colors; readonly write: (text: string) => void },
  file: string,
  text: string,
  diagnostics: ReadonlyArray<Diagnostic>,
): void => {
  for (const shown of showDiagnostics(file, text, diagnostics, sink.colors)) sink.write(`${shown}\n`)
}
