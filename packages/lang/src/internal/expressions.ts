/**
 * Parses expressions by precedence climbing.
 *
 * Invariant: an expression has at most `maximumParts` nodes, so neither this parser nor a reader of the tree runs out of stack.
 */
import type { BinaryOperator, ExprNode, Span, TemplateNode, Word } from "../Syntax.ts"
import { tokenEnd, tokenKind } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import {
  end,
  fixing,
  isBoundary,
  isReported,
  maximumParts,
  peek,
  previous,
  replacing,
  report,
  skipTo,
  start,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { decode } from "./strings.ts"

const comparisonPrecedence = 3

interface Operator {
  readonly text: BinaryOperator
  readonly precedence: number
}

const operators = new Map<number, Operator>([
  [Kind.Or, { text: "||", precedence: 1 }],
  [Kind.And, { text: "&&", precedence: 2 }],
  [Kind.Equal, { text: "==", precedence: comparisonPrecedence }],
  [Kind.NotEqual, { text: "!=", precedence: comparisonPrecedence }],
  [Kind.Less, { text: "<", precedence: comparisonPrecedence }],
  [Kind.LessOrEqual, { text: "<=", precedence: comparisonPrecedence }],
  [Kind.Greater, { text: ">", precedence: comparisonPrecedence }],
  [Kind.GreaterOrEqual, { text: ">=", precedence: comparisonPrecedence }],
  [Kind.Plus, { text: "+", precedence: 4 }],
  [Kind.Minus, { text: "-", precedence: 4 }],
  [Kind.Star, { text: "*", precedence: 5 }],
  [Kind.Slash, { text: "/", precedence: 5 }],
  [Kind.Percent, { text: "%", precedence: 5 }],
])

const foreignOperators: Readonly<Record<string, number>> = {
  "=": Kind.Equal,
  "===": Kind.Equal,
  "!==": Kind.NotEqual,
  "&": Kind.And,
  "|": Kind.Or,
  and: Kind.And,
  or: Kind.Or,
}

/** Parses the tokens up to the index `limit` as one expression, and reports what is left over. */
export function parseExpression(cursor: Cursor, limit: number): ExprNode {
  const outerLimit = cursor.limit
  cursor.limit = limit
  cursor.partsLeft = maximumParts
  const expr = parseBinary(cursor, 1)
  if (peek(cursor) !== Kind.EndOfFile) reportRest(cursor)
  cursor.partsLeft = maximumParts
  cursor.index = limit
  cursor.limit = outerLimit
  return expr
}

/** Parses `{{expression}}`. Stops where the scanner stopped, also when the closing braces are missing. */
export function parseTemplate(cursor: Cursor): TemplateNode {
  const from = start(cursor)
  const opening = { start: from, end: end(cursor) }
  const limit = templateEnd(cursor)
  cursor.index++
  const isClosed = tokenKind(cursor.tokens, limit) === Kind.TemplateClose
  const before = cursor.diagnostics.length
  const expr = parseExpression(cursor, limit)
  const last = previous(cursor)
  if (!isClosed) {
    if (cursor.diagnostics.length === before) reportUnclosed(cursor, opening, last.end)
    return { kind: "Template", start: from, end: last.end, expr }
  }
  const closing = { start: start(cursor), end: end(cursor) }
  if (closing.end - closing.start === 1) reportUnclosed(cursor, closing, closing.end)
  cursor.index++
  return { kind: "Template", start: from, end: closing.end, expr }
}

function parseBinary(cursor: Cursor, minimum: number): ExprNode {
  let left = parseUnary(cursor)
  for (;;) {
    const kind = peek(cursor)
    const operator = operators.get(kind) ?? foreignOperator(cursor, kind)
    if (operator === undefined || operator.precedence < minimum) return left
    if (!operators.has(kind)) reportForeign(cursor, operator.text)
    if (operator.precedence === comparisonPrecedence && isComparison(left)) {
      report(cursor, "L406", here(cursor), "Comparisons do not chain; join two of them with && or add parentheses")
    }
    cursor.index++
    const right = parseBinary(cursor, operator.precedence + 1)
    left = { kind: "Binary", start: left.start, end: right.end, operator: operator.text, left, right }
    if (!spend(cursor)) return left
  }
}

function parseUnary(cursor: Cursor): ExprNode {
  const kind = peek(cursor)
  if (kind !== Kind.Not && kind !== Kind.Minus) return parsePostfix(cursor)
  const from = start(cursor)
  if (!spend(cursor)) return errorHere(cursor)
  cursor.index++
  const operand = parseUnary(cursor)
  return { kind: "Unary", start: from, end: operand.end, operator: kind === Kind.Not ? "!" : "-", operand }
}

function parsePostfix(cursor: Cursor): ExprNode {
  let object = parsePrimary(cursor)
  for (;;) {
    const kind = peek(cursor)
    if (kind === Kind.Dot) object = parseMember(cursor, object)
    else if (kind === Kind.OpenBracket) object = parseIndex(cursor, object)
    else if (kind === Kind.OpenParen) object = parseWrongCall(cursor, object)
    else return object
    if (!spend(cursor)) return object
  }
}

function parseMember(cursor: Cursor, object: ExprNode): ExprNode {
  const dot = here(cursor)
  cursor.index++
  if (peek(cursor) !== Kind.Name) {
    report(cursor, "L410", dot, 'Expected the name of a property after the dot; for other keys write ["key"] or [0]')
    return {
      kind: "Member",
      start: object.start,
      end: dot.end,
      object,
      property: { start: dot.end, end: dot.end, text: "" },
    }
  }
  const property = word(cursor)
  return { kind: "Member", start: object.start, end: property.end, object, property }
}

function parseIndex(cursor: Cursor, object: ExprNode): ExprNode {
  const opening = here(cursor)
  cursor.index++
  const index = parseBinary(cursor, 1)
  const last = closeWith(cursor, Kind.CloseBracket, opening, "]")
  return { kind: "Index", start: object.start, end: last, object, index }
}

function parseWrongCall(cursor: Cursor, callee: ExprNode): ExprNode {
  const message = "Only a function can be called, by its name alone: hex(100)"
  if (callee.kind !== "ErrorExpr") report(cursor, "L408", callee, message)
  const { end: last } = parseArguments(cursor)
  return { kind: "ErrorExpr", start: callee.start, end: last }
}

function parsePrimary(cursor: Cursor): ExprNode {
  const kind = peek(cursor)
  if (kind === Kind.EndOfFile || !spend(cursor)) return missingExpression(cursor)
  const span = here(cursor)
  switch (kind) {
    case Kind.Name:
      return parseName(cursor)
    case Kind.Number:
    case Kind.Hex: {
      const { text } = word(cursor)
      return { kind: "Literal", ...span, type: kind === Kind.Hex ? "hex" : "number", text }
    }
    case Kind.String:
    case Kind.EscapedString:
      cursor.index++
      return { kind: "Literal", ...span, type: "string", value: decode(cursor, span.start + 1, span.end - 1) }
    case Kind.OpenParen:
      return parseGroup(cursor)
    case Kind.UnterminatedString:
      report(cursor, "L305", span, 'This string is not closed; end it with " on the same line')
      return errorToken(cursor)
    case Kind.SingleQuoted:
      reportSingleQuoted(cursor)
      return errorToken(cursor)
    case Kind.MalformedNumber:
      reportMalformedNumber(cursor)
      return errorToken(cursor)
    case Kind.StringOpen:
      return parseTemplateString(cursor)
    default:
      return missingExpression(cursor)
  }
}

function parseName(cursor: Cursor): ExprNode {
  const name = word(cursor)
  const span = { start: name.start, end: name.end }
  if (name.text.startsWith("$")) return parseDollarName(cursor, name)
  if (name.text === "true" || name.text === "false") {
    return { kind: "Literal", ...span, type: "boolean", value: name.text === "true" }
  }
  if (name.text === "null") return { kind: "Literal", ...span, type: "null" }
  if (peek(cursor) !== Kind.OpenParen) return { kind: "Name", ...span, name: name.text }
  const { args, end: last } = parseArguments(cursor)
  return { kind: "Function", start: name.start, end: last, name, args }
}

function parseDollarName(cursor: Cursor, root: Word): ExprNode {
  if (root.text !== "$env" && root.text !== "$secret") {
    report(cursor, "L407", root, `Unknown name ${root.text}; write $env.NAME or $secret.NAME`)
    return { kind: "ErrorExpr", start: root.start, end: root.end }
  }
  let last = root.end
  if (peek(cursor) === Kind.Dot) {
    last = end(cursor)
    cursor.index++
    if (peek(cursor) === Kind.Name) {
      const name = word(cursor)
      return { kind: root.text === "$env" ? "Env" : "Secret", start: root.start, end: name.end, name }
    }
  }
  const span = { start: root.start, end: last }
  report(cursor, "L407", span, `Expected a name after ${root.text}; write ${root.text}.NAME`)
  return { kind: root.text === "$env" ? "Env" : "Secret", ...span, name: { start: last, end: last, text: "" } }
}

function parseGroup(cursor: Cursor): ExprNode {
  const opening = here(cursor)
  cursor.index++
  const expr = parseBinary(cursor, 1)
  const last = closeWith(cursor, Kind.CloseParen, opening, ")")
  return { kind: "Group", start: opening.start, end: last, expr }
}

function parseArguments(cursor: Cursor): { args: Array<ExprNode>; end: number } {
  const opening = here(cursor)
  const args: Array<ExprNode> = []
  cursor.index++
  while (peek(cursor) !== Kind.CloseParen && peek(cursor) !== Kind.EndOfFile) {
    args.push(parseBinary(cursor, 1))
    if (peek(cursor) !== Kind.Comma) break
    cursor.index++
  }
  return { args, end: closeWith(cursor, Kind.CloseParen, opening, ")") }
}

function closeWith(cursor: Cursor, kind: number, opening: Span, bracket: string): number {
  if (peek(cursor) === kind) {
    const last = end(cursor)
    cursor.index++
    return last
  }
  if (!isReported(cursor)) {
    if (cursor.index < cursor.limit) report(cursor, "L404", here(cursor), `Expected ${bracket} or an operator here`)
    else report(cursor, "L403", opening, `This bracket is never closed; add the missing ${bracket}`)
  }
  cursor.index = cursor.limit
  return previous(cursor).end
}

function parseTemplateString(cursor: Cursor): ExprNode {
  const from = cursor.index
  let index = from + 1
  while (index < cursor.limit && tokenKind(cursor.tokens, index) !== Kind.StringClose) index++
  const span = skipTo(cursor, Math.min(index + 1, cursor.limit))
  report(cursor, "L411", span, "A string inside an expression cannot hold {{…}}; use the string as a value of its own")
  return { kind: "ErrorExpr", ...span }
}

function missingExpression(cursor: Cursor): ExprNode {
  const atEnd = peek(cursor) === Kind.EndOfFile
  const span = atEnd ? previous(cursor) : here(cursor)
  if (!isReported(cursor)) {
    report(cursor, "L401", span, "Expected an expression: a name, a literal, a function call or a group in parentheses")
  }
  return { kind: "ErrorExpr", start: atEnd ? span.end : span.start, end: span.end }
}

/** Takes one node from the budget. When none is left, says so and gives up the rest of the expression. */
function spend(cursor: Cursor): boolean {
  cursor.partsLeft--
  if (cursor.partsLeft === 0) {
    report(cursor, "L409", here(cursor), `An expression has at most ${maximumParts} parts; split it over variables`)
  }
  if (cursor.partsLeft <= 0) cursor.index = cursor.limit
  return cursor.partsLeft > 0
}

function foreignOperator(cursor: Cursor, kind: number): Operator | undefined {
  if (kind !== Kind.Assign && kind !== Kind.ForeignOperator && kind !== Kind.Name) return undefined
  const meant = foreignOperators[tokenTextAt(cursor)]
  return meant === undefined ? undefined : operators.get(meant)
}

function reportForeign(cursor: Cursor, meant: string): void {
  const message = `Unknown operator ${tokenTextAt(cursor)}; write ${meant}`
  report(cursor, "L405", here(cursor), message, replacing(`Write ${meant}`, here(cursor), meant))
}

function reportRest(cursor: Cursor): void {
  const reported = isReported(cursor)
  const span = skipTo(cursor, cursor.limit)
  if (!reported)
    report(cursor, "L404", span, "Unexpected text after the expression; remove it or join it with an operator")
}

function reportUnclosed(cursor: Cursor, span: Span, closeAt: number): void {
  const text = span.end - span.start === 1 ? "}" : "}}"
  const fix = fixing("Close the template", { start: closeAt, end: closeAt, text })
  report(cursor, "L402", span, "This template is not closed; end it with }} on the same line", fix)
}

/** Reports a number that JSON does not know, with a repair when one is sure. */
export function reportMalformedNumber(cursor: Cursor): void {
  const span = here(cursor)
  const text = tokenTextAt(cursor)
  const plain = text.replaceAll("_", "").replace(/^0+(?=\d)/, "")
  const repaired = /^0X[\da-f]+$/i.test(text) ? `0x${text.slice(2)}` : plain
  const fix = /^(0x[\da-f]+|\d+)$/i.test(repaired) ? replacing(`Write ${repaired}`, span, repaired) : undefined
  report(cursor, "L308", span, "This number is malformed; write it as JSON does, such as 100, -1.5 or 2e8", fix)
}

/** Reports a string in single quotes, with the same string in double quotes as repair. */
export function reportSingleQuoted(cursor: Cursor): void {
  const span = here(cursor)
  const inner = tokenTextAt(cursor)
    .slice(1, -1)
    .replaceAll('"', String.raw`\"`)
  report(cursor, "L316", span, "Strings are in double quotes", replacing("Use double quotes", span, `"${inner}"`))
}

function templateEnd(cursor: Cursor): number {
  let nesting = 0
  for (let index = cursor.index + 1; ; index++) {
    const kind = tokenKind(cursor.tokens, index)
    if (isBoundary(kind) || kind === Kind.TemplateClose || kind === Kind.Newline) return index
    if (kind === Kind.StringText || kind === Kind.StringClose || kind === Kind.TemplateOpen) return index
    if (nesting === 0 && (kind === Kind.Comma || kind === Kind.CloseBracket)) return index
    if (kind === Kind.OpenParen || kind === Kind.OpenBracket) nesting++
    else if (nesting > 0 && (kind === Kind.CloseParen || kind === Kind.CloseBracket)) nesting--
  }
}

function isComparison(expr: ExprNode): boolean {
  return expr.kind === "Binary" && /[=<>]/.test(expr.operator)
}

function here(cursor: Cursor): Span {
  return cursor.index < cursor.limit ? { start: start(cursor), end: end(cursor) } : previous(cursor)
}

function word(cursor: Cursor): Word {
  const taken = { start: start(cursor), end: tokenEnd(cursor.tokens, cursor.index), text: tokenTextAt(cursor) }
  cursor.index++
  return taken
}

function errorToken(cursor: Cursor): ExprNode {
  const span = here(cursor)
  cursor.index++
  return { kind: "ErrorExpr", ...span }
}

function errorHere(cursor: Cursor): ExprNode {
  const { end: last } = previous(cursor)
  return { kind: "ErrorExpr", start: last, end: last }
}
