/** Parses the statements of a section: calls, variables, checks, and lines that are none of these. */
import type { CallNode, CheckNode, Span, ValueNode, VariableNode, Word } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import {
  fixing,
  here,
  isBoundary,
  isReported,
  kindAt,
  peek,
  report,
  replacing,
  skipTo,
  start,
  startAt,
  statementEnd,
  takeWord,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { parseExpression } from "./expressions.ts"
import { invisibleCharacter } from "./recovery.ts"
import { isLiteralWord, parseValue } from "./values.ts"

/** Parses `method params`; the params may begin on a line of their own. */
export function parseCall(cursor: Cursor): CallNode {
  const method = takeWord(cursor)
  const sameLine = peek(cursor)
  if (isBoundary(sameLine)) skipToParams(cursor)
  const kind = peek(cursor)
  if (isBoundary(kind)) return { kind: "Call", start: method.start, end: method.end, method }
  if (kind !== Kind.OpenBracket && kind !== Kind.OpenBrace && !isScalar(kind)) {
    rejectRest(cursor, kind === Kind.OpenParen ? "Params stand in [ ] or { } without parentheses" : restOfCall(method))
    return { kind: "Call", start: method.start, end: method.end, method }
  }
  const params = parseValue(cursor)
  if (params.kind !== "Array" && params.kind !== "Object") reportParams(cursor, params)
  rejectRest(cursor, "Unexpected text after the params; put it on a line of its own or remove it")
  return { kind: "Call", start: method.start, end: params.end, method, params }
}

/** Parses `@name = value`. */
export function parseVariable(cursor: Cursor): VariableNode {
  const mark = here(cursor)
  cursor.index++
  if (kindAt(cursor, cursor.index) !== Kind.Name || tokenTextAt(cursor).startsWith("$")) {
    report(cursor, "L301", mark, "Expected the name of a variable after @, for example @block = 100")
    const name = { start: mark.end, end: mark.end, text: "" }
    return { kind: "Variable", start: mark.start, end: skipTo(cursor, statementEnd(cursor)).end, name }
  }
  const name = takeWord(cursor)
  if (peek(cursor) !== Kind.Assign) {
    const fix = isBoundary(peek(cursor)) ? undefined : fixing("Add =", { start: name.end, end: name.end, text: " =" })
    report(cursor, "L302", name, `Expected = and a value after @${name.text}`, fix)
    const { end: last } = skipTo(cursor, statementEnd(cursor))
    return { kind: "Variable", start: mark.start, end: last, name }
  }
  const assign = here(cursor)
  cursor.index++
  if (isBoundary(peek(cursor))) {
    report(cursor, "L303", assign, "Expected a value after =: JSON or an expression, on the same line")
    return { kind: "Variable", start: mark.start, end: assign.end, name }
  }
  const value = parseVariableValue(cursor)
  rejectRest(cursor, "Unexpected text after the value; remove it, or write # before a comment")
  return { kind: "Variable", start: mark.start, end: value.end, name, value }
}

/** Parses `?? expression`. */
export function parseCheck(cursor: Cursor): CheckNode {
  const from = start(cursor)
  cursor.index++
  const expr = parseExpression(cursor, statementEnd(cursor))
  return { kind: "Check", start: from, end: expr.end, expr, text: cursor.text.slice(expr.start, expr.end) }
}

/** Reports a line that begins like no statement, and moves to its end. */
export function rejectLine(cursor: Cursor): void {
  const kind = peek(cursor)
  const invisible = invisibleCharacter(cursor)
  const span = skipTo(cursor, statementEnd(cursor))
  if (invisible) return report(cursor, "L001", invisible.fix.edits[0] ?? span, invisible.message, invisible.fix)
  const message =
    kind === Kind.OpenBracket || kind === Kind.OpenBrace
      ? "Params need a method name before them, for example eth_getLogs [...]"
      : "Expected a call, a check (??), a variable (@name = value), a directive (# @name) or a comment (#)"
  report(cursor, "L001", firstLine(cursor, span), message)
}

/** Warns about `###` that is only a comment because it does not stand at column 0. */
export function checkIndentedHeader(cursor: Cursor): void {
  const from = start(cursor)
  if (!cursor.text.startsWith("###", from)) return
  const before = kindAt(cursor, cursor.index - 1)
  const linesUp = kindAt(cursor, cursor.index - 2)
  if (before !== Kind.Whitespace || (linesUp !== Kind.LineEnd && cursor.index > 1)) return
  const indent = { start: startAt(cursor, cursor.index - 1), end: from }
  const fix = replacing("Remove the indentation", indent, "")
  report(
    cursor,
    "L106",
    { start: from, end: from + 3 },
    "A section begins with ### at column 0; this is only a comment",
    fix,
  )
}

/** A JSON value, unless the line goes on after a literal or begins with a name: then it is an expression. */
function parseVariableValue(cursor: Cursor): ValueNode {
  const kind = peek(cursor)
  const limit = statementEnd(cursor)
  const isExpression =
    kind === Kind.Hex ||
    kind === Kind.OpenParen ||
    kind === Kind.Not ||
    (isOperand(kind) && !isLoneLiteral(cursor, kind))
  if (!isExpression) return parseValue(cursor)
  const expr = parseExpression(cursor, limit)
  return { kind: "Template", start: expr.start, end: expr.end, expr }
}

function isOperand(kind: number): boolean {
  return (
    kind === Kind.Name ||
    kind === Kind.Number ||
    kind === Kind.Minus ||
    kind === Kind.String ||
    kind === Kind.EscapedString
  )
}

function isLoneLiteral(cursor: Cursor, kind: number): boolean {
  if (kind === Kind.Name && !isLiteralWord(tokenTextAt(cursor))) return false
  let index = cursor.index + 1
  if (kind === Kind.Minus) {
    if (kindAt(cursor, index) !== Kind.Number) return false
    index++
  }
  while (kindAt(cursor, index) <= Kind.LastTrivia) index++
  return isBoundary(kindAt(cursor, index))
}

/** Moves to params on a following line, over blank lines and comments; stays at the end of the line when there are none. */
function skipToParams(cursor: Cursor): void {
  const home = cursor.index
  while (peek(cursor) === Kind.LineEnd) cursor.index++
  const kind = peek(cursor)
  if (kind !== Kind.OpenBracket && kind !== Kind.OpenBrace) cursor.index = home
}

function isScalar(kind: number): boolean {
  return (kind >= Kind.Number && kind <= Kind.StringOpen) || kind === Kind.TemplateOpen
}

function reportParams(cursor: Cursor, params: ValueNode): void {
  if (isReported(cursor) || params.kind === "Error") return
  const fix = fixing(
    "Put it in an array",
    { start: params.start, end: params.start, text: "[" },
    { start: params.end, end: params.end, text: "]" },
  )
  report(cursor, "L318", params, "Params are an array or an object; put a single value in [ ]", fix)
}

function rejectRest(cursor: Cursor, message: string): void {
  if (isBoundary(peek(cursor))) return
  const reported = isReported(cursor)
  const span = skipTo(cursor, statementEnd(cursor))
  if (!reported) report(cursor, "L002", firstLine(cursor, span), message)
}

function restOfCall(method: Word): string {
  return /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method.text)
    ? "This looks like HTTP; a call here is a method name and JSON params, for example eth_getLogs [...]"
    : "Expected params after the method: an array or an object"
}

/** Cuts a span that runs over several lines down to its first one. */
function firstLine(cursor: Cursor, span: Span): Span {
  const { length } = /^[^\r\n]*/.exec(cursor.text.slice(span.start, span.end))?.[0] ?? ""
  return { start: span.start, end: span.start + length }
}
