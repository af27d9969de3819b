/** Diagnostics as a person reads them in a terminal: place, message, the line itself, and what to do. */
import { maskKeys } from "@dotrpc/analysis"
import { type Diagnostic, lineIndex, positionAt } from "@dotrpc/lang"
import type { Colors } from "./colors.ts"

/** One diagnostic over several lines. A key that stands in the line is masked. */
export const showDiagnostic = (file: string, text: string, diagnostic: Diagnostic, colors: Colors): string => {
  const lines = lineIndex(text)
  const start = positionAt(lines, diagnostic.start)
  const end = positionAt(lines, diagnostic.end)
  const shown = maskKeys(text, diagnostic.code === "A501" ? [diagnostic] : [])
  const source = shown.slice(lines.starts[start.line] ?? 0, lines.starts[start.line + 1]).replace(/[\r\n]+$/, "")
  const width =
    end.line === start.line
      ? Math.max(1, end.character - start.character)
      : Math.max(1, source.length - start.character)
  const paint = diagnostic.severity === "error" ? colors.red : colors.yellow
  const number = String(start.line + 1)
  // Tabs stay tabs, so that the marks stand under the text they mean.
  const indent = source.slice(0, start.character).replace(/[^\t]/g, " ")
  const place = colors.bold(`${file}:${start.line + 1}:${start.character + 1}`)
  return [
    `${place} ${paint(diagnostic.severity)} ${colors.dim(diagnostic.code)} ${diagnostic.message}`,
    `  ${colors.dim(`${number} |`)} ${source}`,
    `  ${colors.dim(`${" ".repeat(number.length)} |`)} ${indent}${paint("^".repeat(width))}`,
    ...(diagnostic.fix === undefined
      ? []
      : [`  ${colors.dim(`${" ".repeat(number.length)} =`)} fix: ${diagnostic.fix.title}`]),
  ].join("\n")
}
