/** What is wrong in a document, as an editor shows it. */
import type { Analysis } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import type { LineIndex } from "@dotrpc/lang/locate"
import { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"

/** A problem where the editor underlines it. */
export interface EditorDiagnostic {
  readonly range: TextRange
  readonly severity: Diagnostic["severity"]
  readonly code: string
  readonly message: string
  readonly fix?:
    | {
        readonly title: string
        readonly edits: ReadonlyArray<TextChange>
      }
    | undefined
}

/** Every problem of syntax and meaning. Answers from memory; nothing is sent. */
export const diagnostics = (analysis: Analysis, lines: LineIndex): ReadonlyArray<EditorDiagnostic> =>
  analysis.diagnostics.map((diagnostic) => ({
    range: rangeOf(lines, diagnostic),
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    fix:
      diagnostic.fix === undefined
        ? undefined
        : {
            title: diagnostic.fix.title,
            edits: diagnostic.fix.edits.map((edit) => ({ range: rangeOf(lines, edit), text: edit.text })),
          },
  }))
