/** What an expanding selection covers, step by step. */
import type { Span, SyntaxNode } from "@dotrpc/lang"
import { nodesAt, offsetAt, type Position } from "@dotrpc/lang/locate"
import type { AnalysedText } from "./AnalysedText.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** The ranges around a position, the innermost first; each holds the one before it and more. */
export const selectionRanges = ({ analysis, lines }: AnalysedText, position: Position): ReadonlyArray<TextRange> => {
  const offset = offsetAt(lines, position)
  const spans = nodesAt(analysis.tree, offset)
    .flatMap((node) => spansOf(node, offset, lines.text))
    .filter((span) => span.start <= offset && offset <= span.end)
  const nested = spans.filter((span, index) => index === 0 || isInside(span, spans[index - 1] ?? span))
  return nested.toReversed().map((span) => rangeOf(lines, span))
}

/** A node, then the part of it that a person thinks of as its content. */
const spansOf = (node: SyntaxNode, offset: number, text: string): ReadonlyArray<Span> => {
  const whole = { start: node.start, end: node.end }
  switch (node.kind) {
    case "Array":
    case "Object":
      return [whole, contentOf(node, 1, text)]
    case "String":
      return [whole, { start: node.start + 1, end: Math.max(node.start + 1, node.end - 1) }]
    case "Template":
      return text.startsWith("{{", node.start) ? [whole, contentOf(node, 2, text)] : [whole]
    case "Section":
      return [{ start: node.start, end: node.start + text.slice(node.start, node.end).trimEnd().length }, node.title]
    case "Call":
      return [whole, node.method]
    case "Variable":
    case "Directive":
      return [whole, node.name, ...(node.kind === "Directive" ? [node.value] : [])]
    case "Member":
      return offset >= node.property.start ? [whole, node.property] : [whole]
    case "Function":
      return [whole, node.name]
    default:
      return [whole]
  }
}

/** Between the brackets, without the blanks there. */
const contentOf = (node: Span, bracket: number, text: string): Span => {
  const inside = text.slice(node.start + bracket, Math.max(node.start + bracket, node.end - bracket))
  const start = node.start + bracket + (inside.length - inside.trimStart().length)
  return { start, end: Math.max(start, start + inside.trim().length) }
}

const isInside = (span: Span, outer: Span): boolean =>
  span.start >= outer.start && span.end <= outer.end && span.end - span.start < outer.end - outer.start
