/** What is wrong in a document, as an editor shows it. */
import type { Analysis } from "@dotrpc/analysis"
import { type Diagnostic, type LineIndex, positionAt } from "@dotrpc/lang"
import type { TextRange } from "./TextRange.ts"

export interface EditorDiagnostic {
  readonly range: TextRange
  readonly severity: Diagnostic["severity"]
  readonly code: string
  readonly message: string
  readonly fix?: {
    readonly title: string
    readonly edits: ReadonlyArray<{ readonly range: TextRange; readonly text: string }>
  }
}

/** Every problem of syntax and meaning. Answers from memory; nothing is sent. */
export const diagnostics = (analysis: Analysis, lines: LineIndex): ReadonlyArray<EditorDiagnostic> =>
  analysis.diagnostics.map((diagnostic) => ({
    range: rangeOf(lines, diagnostic),
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    ...(diagnostic.fix === undefined
      ? {}
      : {
          fix: {
            title: diagnostic.fix.title,
            edits: diagnostic.fix.edits.map((edit) => ({ range: rangeOf(lines, edit), text: edit.text })),
          },
        }),
  }))

/** The range of a span of offsets. */
export const rangeOf = (lines: LineIndex, span: { readonly start: number; readonly end: number }): TextRange => ({
  start: positionAt(lines, span.start),
  end: positionAt(lines, span.end),
})
