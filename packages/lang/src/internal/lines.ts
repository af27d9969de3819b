/** Parses the statements of a section: calls, variables, checks, and lines that are none of these. */
import type { CallNode, CheckNode, ValueNode, VariableNode, Word } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import {
  emptyWord,
  endAt,
  here,
  inserting,
  isReported,
  kindAt,
  peek,
  replacing,
  report,
  skipStatement,
  span,
  start,
  statementEnd,
  takeWord,
  textOf,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { parseExpression } from "./expressions.ts"
import { isBoundary, opensBrackets } from "./kinds.ts"
import { isLiteralWord } from "./literals.ts"
import { rejectRest, startsValue } from "./recovery.ts"
import { parseValue } from "./values.ts"

/** Parses `method params`; the params may begin on a line of their own. */
export function parseCall(cursor: Cursor): CallNode {
  const method = takeWord(cursor)
  skipToParams(cursor)
  const kind = peek(cursor)
  if (!startsValue(kind) || kind === Kind.Name) {
    const isInParentheses = kind === Kind.OpenParen
    const message = isInParentheses ? "write params in [ ] or { }, without parentheses" : restOfCall(method)
    rejectRest(cursor, "L002", message)
    return { kind: "Call", start: method.start, end: method.end, method }
  }
  const params = parseValue(cursor)
  if (params.kind !== "Array" && params.kind !== "Object") reportParams(cursor, params)
  rejectRest(cursor, "L002", "unexpected text after the params; remove it or move it to its own line")
  return { kind: "Call", start: method.start, end: params.end, method, params }
}

/** Parses `@name = value`. */
export function parseVariable(cursor: Cursor): VariableNode {
  const mark = here(cursor)
  const from = mark.start
  cursor.index++
  if (kindAt(cursor, cursor.index) !== Kind.Name || tokenTextAt(cursor).startsWith("$")) {
    report(cursor, "L301", mark, "expected the name of a variable after @, for example @block = 100")
    return { kind: "Variable", start: from, end: skipStatement(cursor).end, name: emptyWord(mark.end) }
  }
  const name = takeWord(cursor)
  if (peek(cursor) !== Kind.Assign) {
    const fix = isBoundary(peek(cursor)) ? undefined : inserting("Add =", name.end, " =")
    report(cursor, "L302", name, `expected = and a value after @${name.text}`, fix)
    return { kind: "Variable", start: from, end: skipStatement(cursor).end, name }
  }
  const assign = here(cursor)
  cursor.index++
  if (isBoundary(peek(cursor))) {
    report(cursor, "L303", assign, "expected a value after =: JSON or an expression, on the same line")
    return { kind: "Variable", start: from, end: assign.end, name }
  }
  const value = parseVariableValue(cursor)
  rejectRest(cursor, "L002", "unexpected text after the value; remove it or write # before a comment")
  return { kind: "Variable", start: from, end: value.end, name, value }
}

/** Parses `?? expression`. */
export function parseCheck(cursor: Cursor): CheckNode {
  const from = start(cursor)
  cursor.index++
  const expr = parseExpression(cursor, statementEnd(cursor))
  return { kind: "Check", start: from, end: expr.end, expr, text: textOf(cursor, expr) }
}

/** Reports a line that begins like no statement, and moves to its end. */
export function rejectLine(cursor: Cursor): void {
  const message = opensBrackets(peek(cursor))
    ? "params need a method name before them, for example eth_getLogs [...]"
    : "expected a call, a check (??), a variable (@name = value), a directive (# @name) or a comment (#)"
  rejectRest(cursor, "L001", message)
}

/** Warns about a comment, first on its line, that is meant as a section but does not stand at column 0. */
export function checkIndentedHeader(cursor: Cursor): void {
  const from = start(cursor)
  if (!cursor.text.startsWith("###", from)) return
  const fix = replacing("Remove the indentation", span(endAt(cursor, cursor.index - 2), from), "")
  const message = "a section begins with ### at column 0; this is only a comment"
  report(cursor, "L106", span(from, from + 3), message, fix)
}

/** A JSON value, unless the line goes on after a literal or begins with a name: then it is an expression. */
function parseVariableValue(cursor: Cursor): ValueNode {
  const kind = peek(cursor)
  if (!beginsExpression.has(kind) || isLoneLiteral(cursor, kind)) return parseValue(cursor)
  const expr = parseExpression(cursor, statementEnd(cursor))
  return { kind: "Template", start: expr.start, end: expr.end, expr }
}

const beginsExpression: ReadonlySet<number> = new Set([
  Kind.Name,
  Kind.Number,
  Kind.Hex,
  Kind.String,
  Kind.EscapedString,
  Kind.OpenParen,
  Kind.Minus,
  Kind.Not,
])

/** Whether the literal at the cursor, which JSON knows, is the whole value. */
function isLoneLiteral(cursor: Cursor, kind: number): boolean {
  if (kind === Kind.Name && !isLiteralWord(tokenTextAt(cursor))) return false
  if (kind === Kind.Hex || kind === Kind.OpenParen || kind === Kind.Not) return false
  let index = cursor.index + 1
  if (kind === Kind.Minus && kindAt(cursor, index++) !== Kind.Number) return false
  while (kindAt(cursor, index) <= Kind.LastTrivia) index++
  return isBoundary(kindAt(cursor, index))
}

/** Moves to params that begin on a line below, over blank lines and comments; stays where it is when none do. */
function skipToParams(cursor: Cursor): void {
  const home = cursor.index
  while (peek(cursor) === Kind.LineEnd) cursor.index++
  if (!opensBrackets(peek(cursor))) cursor.index = home
}

function reportParams(cursor: Cursor, params: ValueNode): void {
  if (isReported(cursor) || params.kind === "Error") return
  const fix = replacing("Wrap it in an array", params, `[${textOf(cursor, params)}]`)
  report(cursor, "L318", params, "params are an array or an object; write a single value in [ ]", fix)
}

function restOfCall(method: Word): string {
  return /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method.text)
    ? "this looks like HTTP; a call here is a method name and JSON params, for example eth_getLogs [...]"
    : "expected params after the method: an array or an object"
}
