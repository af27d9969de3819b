/** Diagnostics as a person reads them in a terminal: place, message, the line itself, and what to do. */
import { maskKeys } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import type { Colors } from "./colors.ts"
import { visible } from "./visible.ts"

/** One diagnostic over several lines. A key that stands in the line is masked. */
export const showDiagnostic = (file: string, text: string, diagnostic: Diagnostic, colors: Colors): string => {
  const lines = lineIndex(text)
  const start = positionAt(lines, diagnostic.start)
  const end = positionAt(lines, diagnostic.end)
  const shown = maskKeys(text, diagnostic.code === "A501" ? [diagnostic] : [])
  const whole = shown.slice(lines.starts[start.line] ?? 0, lines.starts[start.line + 1]).replace(/[\r\n]+$/, "")
  const { before, source } = around(whole, start.character)
  const from = start.character - before
  const until = end.line === start.line ? end.character - before : source.length
  const width = Math.max(1, Math.min(until, source.length) - from)
  const paint = diagnostic.severity === "error" ? colors.red : colors.yellow
  const number = String(start.line + 1)
  // Tabs stay tabs, so that the marks stand under the text they mean.
  const indent = source.slice(0, from).replace(/[^\t]/g, " ")
  const place = colors.bold(`${file}:${start.line + 1}:${start.character + 1}`)
  return [
    `${place} ${paint(diagnostic.severity)} ${colors.dim(diagnostic.code)} ${visible(diagnostic.message)}`,
    `  ${colors.dim(`${number} |`)} ${source.split("\t").map(visible).join("\t")}`,
    `  ${colors.dim(`${" ".repeat(number.length)} |`)} ${indent}${paint("^".repeat(width))}`,
    ...(diagnostic.fix === undefined
      ? []
      : [`  ${colors.dim(`${" ".repeat(number.length)} =`)} fix: ${diagnostic.fix.title}`]),
  ].join("\n")
}

/** What is shown of a line, which may be a whole file, and how much of it stands before that. */
const around = (line: string, character: number): { readonly before: number; readonly source: string } => {
  if (line.length <= longestLine) return { before: 0, source: line }
  const first = Math.max(0, Math.min(character - longestLine / 4, line.length - longestLine))
  const part = line.slice(first, first + longestLine)
  const source = `${first > 0 ? "…" : ""}${part}${first + longestLine < line.length ? "…" : ""}`
  return { before: first > 0 ? first - 1 : 0, source }
}

const longestLine = 160
