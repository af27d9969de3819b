/** Indentation while a person types: of a new line, and of a bracket that closes. */
import { tokenAt, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import { offsetAt, type Position, positionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"
import type { AnalysedText } from "./AnalysedText.ts"
import { statementAt } from "./internal/place.ts"
import { rangeOf, type TextChange } from "./TextRange.ts"

/** The characters after which an editor should ask. */
export const onTypeTriggers = ["\n", "}", "]"] as const

/** What to change about the line of a position behind the character that was typed; nothing where the line is not one to indent. */
export const onTypeFormatting = (
  document: AnalysedText,
  position: Position,
  typed: string,
): ReadonlyArray<TextChange> => {
  const { analysis, lines } = document
  const { text } = lines
  const start = lines.starts[position.line] ?? 0
  const cursor = offsetAt(lines, position)
  const content = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? ""
  const blanks = /^[ \t]*/.exec(content)?.[0] ?? ""
  const closes = /^[\]}]/.test(content.slice(blanks.length))
  // A bracket behind something else closes on a line that is indented already.
  if (typed !== "\n" && (!closes || content.slice(0, cursor - start).trim() !== typed)) return []
  const opener = openBracketAt(document, start)
  if (opener === undefined || isInString(document, start)) return []
  const openerLine = lines.starts[positionAt(lines, opener).line] ?? 0
  const base = /^[ \t]*/.exec(text.slice(openerLine))?.[0] ?? ""
  const wanted = closes ? base : `${base}  `
  if (wanted === blanks || analysis.tree.end < start) return []
  return [{ range: rangeOf(lines, { start, end: start + blanks.length }), text: wanted }]
}

/** Where the innermost bracket stands that is open at an offset. */
const openBracketAt = ({ analysis: { tree } }: AnalysedText, offset: number): number | undefined => {
  const statement = statementAt(tree, offset)
  if (statement === undefined) return undefined
  const { tokens } = tree
  const open: Array<number> = []
  for (let index = statement.first; index < tokens.length && tokenEnd(tokens, index) <= offset; index++) {
    const kind = tokenKind(tokens, index)
    if (kind === Kind.OpenBracket || kind === Kind.OpenBrace) open.push(tokenStart(tokens, index))
    if (kind === Kind.CloseBracket || kind === Kind.CloseBrace) open.pop()
  }
  return open.at(-1)
}

/** A block comment keeps the lines that its author gave it. */
const isInString = ({ analysis: { tree } }: AnalysedText, offset: number): boolean => {
  const kind = tokenKind(tree.tokens, tokenAt(tree.tokens, offset))
  return (
    (kind === Kind.BlockComment || kind === Kind.UnclosedComment) &&
    tokenStart(tree.tokens, tokenAt(tree.tokens, offset)) < offset
  )
}
