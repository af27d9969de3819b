/** Diagnostics of a section whose place in the file has changed. */
import type { Diagnostic, Span } from "@dotrpc/lang"

/** What lies before `from` is of the prelude and has not moved. */
export const movedDiagnostic = (diagnostic: Diagnostic, from: number, by: number): Diagnostic => {
  if (by === 0 || diagnostic.start < from) return diagnostic
  const { fix } = diagnostic
  const moved = { ...diagnostic, ...movedSpan(diagnostic, from, by) }
  return fix === undefined
    ? moved
    : { ...moved, fix: { ...fix, edits: fix.edits.map((edit) => ({ ...edit, ...movedSpan(edit, from, by) })) } }
}

const movedSpan = ({ start, end }: Span, from: number, by: number): Span =>
  start < from ? { start, end } : { start: start + by, end: end + by }
