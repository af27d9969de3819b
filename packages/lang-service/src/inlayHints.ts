/** What is shown beside the text without being in it: prices of calls, decimals of hex numbers, times of timestamps. */
import { type Analysis, atOnce, type BoundRequest, type Steps } from "@dotrpc/analysis"
import type { Span, SyntaxNode } from "@dotrpc/lang"
import { childrenOf, offsetAt, type Position, positionAt } from "@dotrpc/lang/locate"
import { Table } from "@dotrpc/spec"
import type { AnalysedText } from "./AnalysedText.ts"
import { clickPrice, type RunBefore } from "./clickPrice.ts"
import { decimalOfQuantity, timeOf } from "./internal/readings.ts"
import type { TextRange } from "./TextRange.ts"

/** A short text shown in a line that it is not part of. */
export interface InlayHint {
  /** Behind the text it belongs to. */
  readonly position: Position
  readonly text: string
  readonly kind: "price" | "number" | "time"
  readonly tooltip: string
}

/** The hints of the sections that a range touches, in the order of the text. */
export const inlayHints = (document: AnalysedText, range: TextRange): ReadonlyArray<InlayHint> =>
  atOnce(inlayHintsSteps(document, range))

/** As {@link inlayHints}, in steps of one request or section each. */
export function* inlayHintsSteps(
  { analysis, likelyOf, lines }: AnalysedText,
  range: TextRange,
): Steps<ReadonlyArray<InlayHint>> {
  const shown = { start: offsetAt(lines, range.start), end: offsetAt(lines, range.end) }
  const { prelude, sections } = analysis.tree
  const hints: Array<InlayHint> = []
  const add = (offset: number, hint: Omit<InlayHint, "position">) =>
    hints.push({ ...hint, position: positionAt(lines, offset) })
  for (const request of analysis.requests) {
    yield
    const price = touches(request.call.method, shown) ? priceHint(analysis, request, { likelyOf }) : undefined
    if (price !== undefined) add(request.call.method.end, price)
  }
  for (const holder of [prelude, ...sections]) {
    if (!touches(holder, shown)) continue
    yield
    for (const node of literalsIn(holder)) {
      const hint = touches(node, shown) ? numberHint(node) : undefined
      if (hint !== undefined) add(node.end, hint)
    }
  }
  return hints.toSorted((left, right) => inOrder(left.position, right.position))
}

/** What a run of the request pays, with those that it needs first. One with an error has no price worth showing: it is not sent. */
const priceHint = (
  analysis: Analysis,
  request: BoundRequest,
  before: RunBefore,
): Omit<InlayHint, "position"> | undefined => {
  if (request.price === undefined || request.errors.length > 0) return undefined
  const { assumed, details, words } = clickPrice(analysis, [request], before)
  const tooltip = [
    ...details,
    `Network: ${request.network?.id ?? "none"}`,
    ...(assumed ? ["The provider does not publish this price; it is assumed."] : []),
  ]
  return { text: words, kind: "price", tooltip: tooltip.join("\n") }
}

/** Small numbers read the same in hex and in decimal, and keys are not numbers. */
const numberHint = (node: SyntaxNode): Omit<InlayHint, "position"> | undefined => {
  const text = literalText(node)
  if (text === undefined) return undefined
  const decimal = decimalOfQuantity(text)
  const integer = decimal ?? (/^\d{10}$/.test(text) ? BigInt(text) : undefined)
  const time = integer === undefined ? undefined : timeOf(integer)
  if (time !== undefined) return { text: time, kind: "time", tooltip: `${text} as seconds since 1970, in UTC` }
  if (decimal === undefined || decimal < 10n) return undefined
  return { text: Table.groupDigits(decimal), kind: "number", tooltip: `${text} in decimal` }
}

const literalText = (node: SyntaxNode): string | undefined => {
  if (node.kind === "String") return node.value
  if (node.kind === "Number") return node.text
  return node.kind === "Literal" && (node.type === "hex" || node.type === "number") ? node.text : undefined
}

const literalsIn = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  if (node.kind === "Property") return node.value === undefined ? [] : literalsIn(node.value)
  if (literalText(node) !== undefined) return [node]
  return childrenOf(node).flatMap(literalsIn)
}

const inOrder = (left: Position, right: Position): number => left.line - right.line || left.character - right.character

const touches = (span: Span, shown: Span): boolean => span.start <= shown.end && span.end >= shown.start
