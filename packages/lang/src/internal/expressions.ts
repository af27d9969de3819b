/**
 * Parses expressions by precedence climbing.
 *
 * Invariant: an expression has at most `maximumParts` nodes, so neither this parser nor a reader of the tree runs out of stack.
 */
import type { ExprNode, Span, TemplateNode, Word } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import {
  end,
  fixing,
  here as currentToken,
  isBoundary,
  isReported,
  kindAt,
  maximumParts,
  peek,
  previous,
  previousEnd,
  replacing,
  report,
  skipTo,
  start,
  takeWord,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { comparisonPrecedence, foreignOperator, operatorOf } from "./operators.ts"
import { decode } from "./strings.ts"

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
  const limit = templateEnd(cursor)
  cursor.index++
  const isClosed = kindAt(cursor, limit) === Kind.TemplateClose
  const before = cursor.diagnostics.length
  const expr = parseExpression(cursor, limit)
  if (!isClosed) {
    const last = previousEnd(cursor)
    if (cursor.diagnostics.length === before) reportUnclosed(cursor, { start: from, end: from + 2 }, last)
    return { kind: "Template", start: from, end: last, expr }
  }
  const closing = start(cursor)
  const last = end(cursor)
  if (last - closing === 1) reportUnclosed(cursor, { start: closing, end: last }, last)
  cursor.index++
  return { kind: "Template", start: from, end: last, expr }
}

function parseBinary(cursor: Cursor, minimum: number): ExprNode {
  let left = parseUnary(cursor)
  for (;;) {
    const kind = peek(cursor)
    if (kind === Kind.EndOfFile) return left
    const known = operatorOf(kind)
    const operator = known ?? foreignOperator(cursor)
    if (operator === undefined || operator.precedence < minimum) return left
    if (known === undefined) reportForeign(cursor, operator.text)
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
  const dotEnd = end(cursor)
  cursor.index++
  if (peek(cursor) !== Kind.Name) {
    const dot = { start: dotEnd - 1, end: dotEnd }
    report(cursor, "L410", dot, 'Expected the name of a property after the dot; for other keys write ["key"] or [0]')
    const property = { start: dotEnd, end: dotEnd, text: "" }
    return { kind: "Member", start: object.start, end: dotEnd, object, property }
  }
  const property = takeWord(cursor)
  return { kind: "Member", start: object.start, end: property.end, object, property }
}

function parseIndex(cursor: Cursor, object: ExprNode): ExprNode {
  const opening = start(cursor)
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
  const from = start(cursor)
  const to = end(cursor)
  switch (kind) {
    case Kind.Name:
      return parseName(cursor)
    case Kind.Number:
    case Kind.Hex: {
      cursor.index++
      const type = kind === Kind.Hex ? "hex" : "number"
      return { kind: "Literal", start: from, end: to, type, text: cursor.text.slice(from, to) }
    }
    case Kind.String:
      cursor.index++
      return { kind: "Literal", start: from, end: to, type: "string", value: cursor.text.slice(from + 1, to - 1) }
    case Kind.EscapedString:
      cursor.index++
      return { kind: "Literal", start: from, end: to, type: "string", value: decode(cursor, from + 1, to - 1) }
    case Kind.OpenParen:
      return parseGroup(cursor)
    case Kind.UnterminatedString:
      reportUnterminated(cursor, here(cursor))
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
  const name = takeWord(cursor)
  const { start: from, end: to, text } = name
  if (text.startsWith("$")) return parseDollarName(cursor, name)
  if (text === "true" || text === "false") {
    return { kind: "Literal", start: from, end: to, type: "boolean", value: text === "true" }
  }
  if (text === "null") return { kind: "Literal", start: from, end: to, type: "null" }
  if (peek(cursor) !== Kind.OpenParen) return { kind: "Name", start: from, end: to, name: text }
  const { args, end: last } = parseArguments(cursor)
  return { kind: "Function", start: from, end: last, name, args }
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
      const name = takeWord(cursor)
      return { kind: root.text === "$env" ? "Env" : "Secret", start: root.start, end: name.end, name }
    }
  }
  const span = { start: root.start, end: last }
  report(cursor, "L407", span, `Expected a name after ${root.text}; write ${root.text}.NAME`)
  return { kind: root.text === "$env" ? "Env" : "Secret", ...span, name: { start: last, end: last, text: "" } }
}

function parseGroup(cursor: Cursor): ExprNode {
  const opening = start(cursor)
  cursor.index++
  const expr = parseBinary(cursor, 1)
  const last = closeWith(cursor, Kind.CloseParen, opening, ")")
  return { kind: "Group", start: opening, end: last, expr }
}

function parseArguments(cursor: Cursor): { args: Array<ExprNode>; end: number } {
  const opening = start(cursor)
  const args: Array<ExprNode> = []
  cursor.index++
  while (peek(cursor) !== Kind.CloseParen && peek(cursor) !== Kind.EndOfFile) {
    args.push(parseBinary(cursor, 1))
    if (peek(cursor) !== Kind.Comma) break
    cursor.index++
  }
  return { args, end: closeWith(cursor, Kind.CloseParen, opening, ")") }
}

function closeWith(cursor: Cursor, kind: number, opening: number, bracket: string): number {
  if (peek(cursor) === kind) {
    const last = end(cursor)
    cursor.index++
    return last
  }
  if (!isReported(cursor)) {
    if (cursor.index < cursor.limit) report(cursor, "L404", here(cursor), `Expected ${bracket} or an operator here`)
    else {
      const span = { start: opening, end: opening + 1 }
      report(cursor, "L403", span, `This bracket is never closed; add the missing ${bracket}`)
    }
  }
  cursor.index = cursor.limit
  return previousEnd(cursor)
}

function parseTemplateString(cursor: Cursor): ExprNode {
  const from = cursor.index
  let index = from + 1
  while (index < cursor.limit && kindAt(cursor, index) !== Kind.StringClose) index++
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

/** Reports a string that its line ends. */
export function reportUnterminated(cursor: Cursor, span: Span): void {
  report(cursor, "L305", span, 'This string is not closed; end it with " on the same line')
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
    const kind = kindAt(cursor, index)
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
  return cursor.index < cursor.limit ? currentToken(cursor) : previous(cursor)
}

function errorToken(cursor: Cursor): ExprNode {
  const span = here(cursor)
  cursor.index++
  return { kind: "ErrorExpr", ...span }
}

function errorHere(cursor: Cursor): ExprNode {
  const last = previousEnd(cursor)
  return { kind: "ErrorExpr", start: last, end: last }
}
