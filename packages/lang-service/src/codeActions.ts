/** What can be done about the text under a selection: repairs of diagnostics, and other ways to write it. */
import { type Analysis, sendUnchecked } from "@dotrpc/analysis"
import type { Span } from "@dotrpc/lang"
import { offsetAt, positionAt } from "@dotrpc/lang/locate"
import type { CodeAction, Proposal } from "./codeActions/CodeAction.ts"
import { foreignActions } from "./codeActions/foreign.ts"
import { literalActions } from "./codeActions/literals.ts"
import { rangeActions } from "./codeActions/ranges.ts"
import { plainText, writtenParams } from "./completion/statements.ts"
import type { AnalysedText } from "./AnalysedText.ts"
import { skeletonOf } from "./internal/schema.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** Nobody looks through the actions of a longer selection: those of its beginning count. */
const longestSelection = 10_000

/** Every action for a range, repairs first. */
export const codeActions = ({ analysis, lines }: AnalysedText, range: TextRange): ReadonlyArray<CodeAction> => {
  const start = offsetAt(lines, range.start)
  const selected = { start, end: Math.min(offsetAt(lines, range.end), start + longestSelection) }
  const proposals = [
    ...fixes(analysis, selected),
    ...uncheckedActions(analysis, selected),
    ...missingParams(analysis, selected, (offset) => positionAt(lines, offset).line),
    ...foreignActions(analysis, lines.text, selected),
    ...rangeActions(analysis, lines.text, selected),
    ...literalActions(analysis, lines.text, selected),
  ]
  // A repair says what an action for the same text would do as well.
  const written = proposals.map(({ edits }) => JSON.stringify(edits))
  return proposals
    .filter((_, index) => written.indexOf(written[index] ?? "") === index)
    .toSorted((left, right) => Number(left.kind === "refactor") - Number(right.kind === "refactor"))
    .map(({ edits, ...proposal }) => ({
      ...proposal,
      changes: edits.map((edit) => ({ range: rangeOf(lines, edit), text: edit.text })),
    }))
}

const fixes = (analysis: Analysis, selected: Span): ReadonlyArray<Proposal> =>
  analysis.diagnostics.flatMap(({ code, end, fix, start }): ReadonlyArray<Proposal> =>
    fix === undefined || start > selected.end || end < selected.start
      ? []
      : [{ title: fix.title, kind: "quickfix", code, edits: fix.edits }],
  )

/** A method that no plugin knows may be meant all the same. */
const uncheckedActions = ({ requests }: Analysis, selected: Span): ReadonlyArray<Proposal> =>
  requests.flatMap(({ call, errors }): ReadonlyArray<Proposal> =>
    call.method.start <= selected.end && call.method.end >= selected.start && errors.some(({ code }) => code === "A101")
      ? [{ ...sendUnchecked(call), kind: "quickfix", code: "A101" }]
      : [],
  )

/** Behind a method without params: the least it takes, and its examples. */
const missingParams = (
  { requests }: Analysis,
  selected: Span,
  lineOf: (offset: number) => number,
): ReadonlyArray<Proposal> => {
  const line = lineOf(selected.start)
  const request = requests.find(({ call }) => call.params === undefined && lineOf(call.method.start) === line)
  const method = request?.method
  if (request === undefined || method === undefined) return []
  const { end } = request.call.method
  const insert = (title: string, params: string): Proposal => ({
    title,
    kind: "quickfix",
    edits: [{ start: end, end, text: ` ${params}` }],
  })
  return [
    insert("Add params", plainText(skeletonOf(method.params.ast).snippet)),
    ...method.examples.map(({ params, title }) => insert(`Add params: ${title}`, writtenParams(method, params))),
  ]
}
