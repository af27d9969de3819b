/**
 * Parses expressions by precedence climbing.
 *
 * Invariant: an expression has at most `maximumParts` nodes, so neither this parser nor a reader of the tree runs out of stack.
 */
import type { ExprNode, Span, TemplateNode, Word } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import {
  accept,
  emptyWord,
  end,
  here,
  inserting,
  isReported,
  kindAt,
  maximumParts,
  peek,
  previousEnd,
  replacing,
  report,
  skipTo,
  span,
  start,
  takeWord,
  takeWordIf,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { isBoundary, nestingAfter } from "./kinds.ts"
import { isLiteralWord, rejectLiteral } from "./literals.ts"
import { comparisonPrecedence, operatorOf } from "./operators.ts"
import { rejectRest } from "./recovery.ts"
import { decode } from "./strings.ts"

/** Parses the tokens up to the index `limit` as one expression, and reports what is left over. */
export function parseExpression(cursor: Cursor, limit: number): ExprNode {
  const outerLimit = cursor.limit
  cursor.limit = limit
  const expr = parseBinary(cursor, 1)
  rejectRest(cursor, "L404", "unexpected text after the expression; remove it or join it with an operator")
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
  const before = cursor.diagnostics.length
  const expr = parseExpression(cursor, limit)
  const isClosed = kindAt(cursor, limit) === Kind.TemplateClose
  const closing = start(cursor)
  if (isClosed) cursor.index++
  const last = previousEnd(cursor)
  const isHalfClosed = isClosed && last === closing + 1
  if (isHalfClosed || (!isClosed && cursor.diagnostics.length === before)) {
    const fix = inserting("Close the template", last, isClosed ? "}" : "}}")
    const message = "this template is never closed; end it with }} on the same line"
    report(cursor, "L402", isClosed ? span(closing, last) : span(from, from + 2), message, fix)
  }
  return { kind: "Template", start: from, end: last, expr }
}

function parseBinary(cursor: Cursor, minimum: number): ExprNode {
  let left = parseUnary(cursor)
  for (;;) {
    if (peek(cursor) === Kind.EndOfFile) return left
    const token = tokenTextAt(cursor)
    const operator = operatorOf(token)
    if (operator === undefined || operator.precedence < minimum) return left
    if (operator.text !== token) {
      const fix = replacing(`Write ${operator.text}`, here(cursor), operator.text)
      report(cursor, "L405", here(cursor), `unknown operator ${token}; write ${operator.text}`, fix)
    }
    if (operator.precedence === comparisonPrecedence && isComparison(left)) {
      report(cursor, "L406", here(cursor), "comparisons do not chain; join two of them with && or add parentheses")
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
  if (!spend(cursor)) return errorExpr(span(previousEnd(cursor), previousEnd(cursor)))
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
  const property = takeWordIf(cursor, Kind.Name)
  if (property.text === "") {
    report(cursor, "L410", dot, 'expected the name of a property after the dot; for other keys write ["key"] or [0]')
  }
  return { kind: "Member", start: object.start, end: property.end, object, property }
}

function parseIndex(cursor: Cursor, object: ExprNode): ExprNode {
  const opening = start(cursor)
  cursor.index++
  const index = peek(cursor) === Kind.Star ? parseAllItems(cursor) : parseBinary(cursor, 1)
  return { kind: "Index", start: object.start, end: closeWith(cursor, Kind.CloseBracket, opening, "]"), object, index }
}

function parseAllItems(cursor: Cursor): ExprNode {
  const place = here(cursor)
  cursor.index++
  return { kind: "AllItems", ...place }
}

function parseWrongCall(cursor: Cursor, callee: ExprNode): ExprNode {
  const message = "only a function can be called, by its name alone: hex(100)"
  if (callee.kind !== "ErrorExpr") report(cursor, "L408", callee, message)
  return errorExpr(span(callee.start, parseArguments(cursor).end))
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
    case Kind.Hex:
      cursor.index++
      return {
        kind: "Literal",
        start: from,
        end: to,
        type: kind === Kind.Hex ? "hex" : "number",
        text: cursor.text.slice(from, to),
      }
    case Kind.String:
      cursor.index++
      return { kind: "Literal", start: from, end: to, type: "string", value: cursor.text.slice(from + 1, to - 1) }
    case Kind.EscapedString:
      cursor.index++
      return { kind: "Literal", start: from, end: to, type: "string", value: decode(cursor, span(from + 1, to - 1)) }
    case Kind.OpenParen:
      return parseGroup(cursor)
    case Kind.UnterminatedString:
    case Kind.SingleQuoted:
    case Kind.MalformedNumber:
      return errorExpr(rejectLiteral(cursor, kind))
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
  if (text === "null") return { kind: "Literal", start: from, end: to, type: "null" }
  if (isLiteralWord(text)) return { kind: "Literal", start: from, end: to, type: "boolean", value: text === "true" }
  if (peek(cursor) !== Kind.OpenParen) return { kind: "Name", start: from, end: to, name: text }
  const { args, end: last } = parseArguments(cursor)
  return { kind: "Function", start: from, end: last, name, args }
}

function parseDollarName(cursor: Cursor, root: Word): ExprNode {
  const isEnv = root.text === "$env"
  const isKnown = isEnv || root.text === "$secret"
  const name = isKnown && accept(cursor, Kind.Dot) ? takeWordIf(cursor, Kind.Name) : emptyWord(root.end)
  const place = span(root.start, name.end)
  if (name.text === "") report(cursor, "L407", place, `${root.text} is not a value; write $env.NAME or $secret.NAME`)
  return isKnown ? { kind: isEnv ? "Env" : "Secret", ...place, name } : errorExpr(place)
}

function parseGroup(cursor: Cursor): ExprNode {
  const opening = start(cursor)
  cursor.index++
  const expr = parseBinary(cursor, 1)
  return { kind: "Group", start: opening, end: closeWith(cursor, Kind.CloseParen, opening, ")"), expr }
}

function parseArguments(cursor: Cursor): { args: Array<ExprNode>; end: number } {
  const opening = start(cursor)
  const args: Array<ExprNode> = []
  cursor.index++
  while (peek(cursor) !== Kind.CloseParen && peek(cursor) !== Kind.EndOfFile) {
    args.push(parseBinary(cursor, 1))
    if (!accept(cursor, Kind.Comma)) break
  }
  return { args, end: closeWith(cursor, Kind.CloseParen, opening, ")") }
}

function closeWith(cursor: Cursor, kind: number, opening: number, bracket: string): number {
  if (!accept(cursor, kind)) {
    if (!isReported(cursor)) {
      if (cursor.index < cursor.limit) report(cursor, "L404", here(cursor), `expected ${bracket} or an operator here`)
      else {
        const message = `this bracket is never closed; add the missing ${bracket}`
        report(cursor, "L403", span(opening, opening + 1), message)
      }
    }
    cursor.index = cursor.limit
  }
  return previousEnd(cursor)
}

function parseTemplateString(cursor: Cursor): ExprNode {
  let index = cursor.index + 1
  while (index < cursor.limit && kindAt(cursor, index) !== Kind.StringClose) index++
  const place = skipTo(cursor, Math.min(index + 1, cursor.limit))
  report(
    cursor,
    "L411",
    place,
    "a string inside an expression cannot contain {{…}}; use the string on its own as a value",
  )
  return errorExpr(place)
}

function missingExpression(cursor: Cursor): ExprNode {
  const atEnd = peek(cursor) === Kind.EndOfFile
  const place = here(cursor)
  if (!isReported(cursor)) {
    report(
      cursor,
      "L401",
      place,
      "expected an expression: a name, a literal, a function call or a group in parentheses",
    )
  }
  return errorExpr(span(atEnd ? place.end : place.start, place.end))
}

/** Takes one node from the budget. When none is left, says so and gives up the rest of the expression. */
function spend(cursor: Cursor): boolean {
  cursor.partsLeft--
  if (cursor.partsLeft === 0) {
    report(cursor, "L409", here(cursor), `an expression has at most ${maximumParts} parts; split it into variables`)
  }
  if (cursor.partsLeft <= 0) cursor.index = cursor.limit
  return cursor.partsLeft > 0
}

/** The index of the token that ends the template at the cursor, or that no expression can hold. */
function templateEnd(cursor: Cursor): number {
  let nesting = 0
  for (let index = cursor.index + 1; ; index++) {
    const kind = kindAt(cursor, index)
    if (isBoundary(kind) || kind === Kind.TemplateClose || kind === Kind.Newline) return index
    if (kind === Kind.StringText || kind === Kind.StringClose || kind === Kind.TemplateOpen) return index
    if (nesting === 0 && (kind === Kind.Comma || kind === Kind.CloseBracket)) return index
    nesting = nestingAfter(kind, nesting)
  }
}

function isComparison(expr: ExprNode): boolean {
  return expr.kind === "Binary" && /[=<>]/.test(expr.operator)
}

function errorExpr({ start, end }: Span): ExprNode {
  return { kind: "ErrorExpr", start, end }
}
