/**
 * Parses JSON with comments, trailing commas and templates.
 *
 * A mistake is repaired where it stands: a value in the wrong notation becomes an error node, a missing comma is assumed, and
 * anything else is skipped up to the next `,`, `]` or `}`.
 *
 * Invariant: every step consumes a token or stands at a closing bracket, a comma or the end of the statement.
 */
import type { Fix } from "../Diagnostic.ts"
import type {
  ArrayNode,
  ErrorNode,
  ObjectNode,
  PropertyNode,
  Span,
  StringNode,
  TemplateNode,
  TextPart,
  ValueNode,
} from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import {
  accept,
  end,
  here,
  inserting,
  isReported,
  kindAt,
  peek,
  previousEnd,
  replacing,
  report,
  span,
  start,
  takeWord,
  textOf,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { parseTemplate } from "./expressions.ts"
import { reportRepeatedKeys } from "./keys.ts"
import { closesBrackets, isBoundary, opensBrackets } from "./kinds.ts"
import { isLiteralWord, rejectLiteral, reportUnterminated } from "./literals.ts"
import { NodeStack } from "./nodeStack.ts"
import { PlainString, textParts } from "./plainString.ts"
import { endsValue, reject, rejectToken, skipBrackets, skipPath, skipToSeparator, startsValue } from "./recovery.ts"
import { decode } from "./strings.ts"

/** How deep arrays and objects may nest. */
export const maximumDepth = 500

/** Parses the value at the cursor, which must not stand at the end of the statement. */
export function parseValue(cursor: Cursor): ValueNode {
  return parse(cursor, {
    arrays: 0,
    objects: 0,
    unclosedReported: false,
    items: new NodeStack(),
    properties: new NodeStack(),
  })
}

/** The brackets that are open around the cursor. */
interface Nesting {
  arrays: number
  objects: number
  unclosedReported: boolean
  /** What has been found in them so far. */
  readonly items: NodeStack<ValueNode>
  readonly properties: NodeStack<PropertyNode>
}

function parse(cursor: Cursor, nesting: Nesting): ValueNode {
  const kind = peek(cursor)
  if (isString(kind)) return parseString(cursor, kind)
  switch (kind) {
    case Kind.TemplateOpen:
      return parseTemplate(cursor)
    case Kind.OpenBracket:
    case Kind.OpenBrace:
      if (nesting.arrays + nesting.objects >= maximumDepth) return skipTooDeep(cursor)
      return kind === Kind.OpenBracket ? parseArray(cursor, nesting) : parseObject(cursor, nesting)
    case Kind.Number:
      return parseNumber(cursor)
    case Kind.Minus:
      return kindAt(cursor, cursor.index + 1) === Kind.Number ? parseNumber(cursor) : parseNonsense(cursor)
    case Kind.Hex:
      return parseHex(cursor)
    case Kind.Name:
      return parseWord(cursor)
    case Kind.MalformedNumber:
    case Kind.SingleQuoted:
      return { kind: "Error", ...rejectLiteral(cursor, kind) }
    default:
      return parseNonsense(cursor)
  }
}

function parseArray(cursor: Cursor, nesting: Nesting): ArrayNode {
  const from = start(cursor)
  const { height } = nesting.items
  nesting.arrays++
  cursor.index++
  while (!endsItems(cursor, nesting, Kind.CloseBracket)) {
    nesting.items.push(parse(cursor, nesting))
    separate(cursor, nesting, Kind.CloseBracket)
  }
  nesting.arrays--
  const last = closeBracket(cursor, nesting, Kind.CloseBracket, from)
  return { kind: "Array", start: from, end: last, items: nesting.items.takeAbove(height) }
}

function parseObject(cursor: Cursor, nesting: Nesting): ObjectNode {
  const from = start(cursor)
  const { height } = nesting.properties
  nesting.objects++
  cursor.index++
  while (!endsItems(cursor, nesting, Kind.CloseBrace)) {
    const property = parseProperty(cursor, nesting)
    if (property !== undefined) nesting.properties.push(property)
    separate(cursor, nesting, Kind.CloseBrace)
  }
  nesting.objects--
  const properties = nesting.properties.takeAbove(height)
  reportRepeatedKeys(cursor, properties)
  return { kind: "Object", start: from, end: closeBracket(cursor, nesting, Kind.CloseBrace, from), properties }
}

function parseProperty(cursor: Cursor, nesting: Nesting): PropertyNode | undefined {
  const key = parseKey(cursor)
  if (key === undefined) return undefined
  if (!accept(cursor, Kind.Colon)) {
    if (!isReported(cursor)) report(cursor, "L313", key, "expected : and a value after this key")
    const isOnLaterLine = /[\r\n]/.test(textOf(cursor, span(key.end, start(cursor))))
    if (isOnLaterLine || !startsValue(peek(cursor))) return keyAlone(key, key.end)
  } else if (endsValue(peek(cursor))) {
    const alone = keyAlone(key, previousEnd(cursor))
    report(cursor, "L303", alone, "expected a value after the colon: JSON or {{expression}}")
    return alone
  }
  const value = parse(cursor, nesting)
  return { kind: "Property", start: key.start, end: value.end, key, value }
}

function keyAlone(key: StringNode, end: number): PropertyNode {
  return { kind: "Property", start: key.start, end, key }
}

function parseKey(cursor: Cursor): StringNode | undefined {
  const kind = peek(cursor)
  return isString(kind) ? parseString(cursor, kind) : parseWrongKey(cursor, kind)
}

function parseWrongKey(cursor: Cursor, kind: number): StringNode | undefined {
  if (kind === Kind.SingleQuoted) {
    const { start: from, end: to } = rejectLiteral(cursor, kind)
    const inner = span(from + 1, to - 1)
    return stringOf(from, to, inner, textOf(cursor, inner))
  }
  if (kind === Kind.TemplateOpen) {
    const template = parseTemplate(cursor)
    reportUnquotedKey(cursor, template)
    return { kind: "String", start: template.start, end: template.end, parts: [template] }
  }
  if (kind === Kind.Name || kind === Kind.Number || kind === Kind.Hex) {
    const word = takeWord(cursor)
    reportUnquotedKey(cursor, word)
    return stringOf(word.start, word.end, word, word.text)
  }
  reject(cursor, "L312", "expected a key in double quotes", opensBrackets(kind) ? skipBrackets : skipToSeparator)
  return undefined
}

function reportUnquotedKey(cursor: Cursor, key: Span): void {
  report(cursor, "L311", key, "keys need double quotes", quoting(cursor, key))
}

function isString(kind: number): boolean {
  return kind >= Kind.String && kind <= Kind.StringOpen
}

function parseString(cursor: Cursor, kind: number): StringNode {
  if (kind === Kind.StringOpen) return parseTemplateString(cursor)
  const from = start(cursor)
  const to = end(cursor)
  cursor.index++
  if (kind === Kind.String) return new PlainString(cursor.text, from, to)
  const isClosed = kind !== Kind.UnterminatedString
  if (!isClosed) reportUnterminated(cursor, span(from, to))
  const inner = span(from + 1, isClosed ? to - 1 : to)
  return stringOf(from, to, inner, decode(cursor, inner))
}

/** A string without templates, whose text stands at `inner`. */
function stringOf(from: number, to: number, inner: Span, value: string): StringNode {
  return { kind: "String", start: from, end: to, parts: textParts(inner.start, inner.end, value), value }
}

function parseTemplateString(cursor: Cursor): StringNode {
  const from = start(cursor)
  const parts: Array<TextPart | TemplateNode> = []
  cursor.index++
  for (;;) {
    const kind = kindAt(cursor, cursor.index)
    if (kind === Kind.TemplateOpen) parts.push(parseTemplate(cursor))
    else if (kind === Kind.StringText) {
      const inner = here(cursor)
      parts.push(...textParts(inner.start, inner.end, decode(cursor, inner)))
      cursor.index++
    } else {
      if (kind === Kind.StringClose) cursor.index++
      const last = previousEnd(cursor)
      if (kind !== Kind.StringClose && !isReported(cursor)) reportUnterminated(cursor, span(from, last))
      return { kind: "String", start: from, end: last, parts }
    }
  }
}

/** Parses the number at the cursor, or the minus right before one. */
function parseNumber(cursor: Cursor): ValueNode {
  const from = start(cursor)
  if (kindAt(cursor, cursor.index) === Kind.Minus) cursor.index++
  const last = end(cursor)
  cursor.index++
  return { kind: "Number", start: from, end: last, text: cursor.text.slice(from, last) }
}

function parseHex(cursor: Cursor): ValueNode {
  const word = takeWord(cursor)
  const message = "JSON has no hex numbers; write it in double quotes, or in {{ }} as an expression"
  report(cursor, "L309", word, message, quoting(cursor, word))
  return { kind: "Number", ...word }
}

function parseWord(cursor: Cursor): ValueNode {
  const text = tokenTextAt(cursor)
  if (!isLiteralWord(text)) return parseReference(cursor)
  const from = start(cursor)
  const to = end(cursor)
  cursor.index++
  return text === "null"
    ? { kind: "Null", start: from, end: to }
    : { kind: "Boolean", start: from, end: to, value: text === "true" }
}

/** A name is not a value; with its properties and arguments it was meant as an expression, by itself as a text. */
function parseReference(cursor: Cursor): ErrorNode {
  const name = tokenTextAt(cursor)
  const path = skipPath(cursor)
  const source = textOf(cursor, path)
  const isExpression = source !== name || name.startsWith("$")
  const fix = isExpression ? replacing("Write {{…}}", path, `{{${source}}}`) : quoting(cursor, path)
  report(cursor, "L310", path, "expected a value: write a string in double quotes and a reference in {{ }}", fix)
  return { kind: "Error", ...path }
}

function parseNonsense(cursor: Cursor): ErrorNode {
  return { kind: "Error", ...reject(cursor, "L321", "expected a value: JSON or {{expression}}", skipToSeparator) }
}

/** After a value: steps over the comma, or reports that it is missing and makes sure that parsing can go on. */
function separate(cursor: Cursor, nesting: Nesting, closing: number): void {
  if (accept(cursor, Kind.Comma) || endsBracket(cursor, nesting, closing)) return
  if (!startsValue(peek(cursor))) {
    reject(cursor, "L321", `expected a comma or ${bracketOf(closing)} here`, skipToSeparator)
    accept(cursor, Kind.Comma)
  } else if (!isReported(cursor) && !isWrongWord(cursor)) {
    const fix = inserting("Add a comma", previousEnd(cursor), ",")
    report(cursor, "L314", here(cursor), "expected a comma before this", fix)
  }
}

/** Whether the current token is a name that is reported as no value anyway. */
function isWrongWord(cursor: Cursor): boolean {
  return kindAt(cursor, cursor.index) === Kind.Name && !isLiteralWord(tokenTextAt(cursor))
}

/** Whether the bracket ends where an item could begin. A comma too many is reported and stepped over. */
function endsItems(cursor: Cursor, nesting: Nesting, closing: number): boolean {
  while (!endsBracket(cursor, nesting, closing)) {
    if (peek(cursor) !== Kind.Comma) return false
    rejectToken(cursor, "L315", "expected a value before this comma")
  }
  return true
}

/** Whether the bracket ends here. A closing bracket without partner is reported and stepped over. */
function endsBracket(cursor: Cursor, nesting: Nesting, closing: number): boolean {
  for (;;) {
    const kind = peek(cursor)
    if (kind === closing || isBoundary(kind)) return true
    if (kind === Kind.CloseBracket && nesting.arrays > 0) return true
    if (kind === Kind.CloseBrace && nesting.objects > 0) return true
    if (!closesBrackets(kind) && kind !== Kind.CloseParen) return false
    rejectToken(cursor, "L320", "this bracket closes nothing; remove it")
  }
}

function closeBracket(cursor: Cursor, nesting: Nesting, closing: number, opening: number): number {
  if (!accept(cursor, closing) && !nesting.unclosedReported) {
    nesting.unclosedReported = true
    if (isInOpenString(cursor, bracketOf(closing))) return previousEnd(cursor)
    const message = `this bracket is never closed; add the missing ${bracketOf(closing)}`
    report(cursor, "L304", span(opening, opening + 1), message)
  }
  return previousEnd(cursor)
}

/** Whether the string that was reported last has the missing bracket in it, as its line ends without its quote. */
function isInOpenString(cursor: Cursor, bracket: string): boolean {
  const last = cursor.diagnostics.at(-1)
  if (last === undefined || (last.code !== "L305" && last.code !== "L316")) return false
  const [line = ""] = textOf(cursor, span(last.start, previousEnd(cursor))).split(/[\r\n]/, 1)
  return line.includes(bracket)
}

function bracketOf(closing: number): string {
  return closing === Kind.CloseBrace ? "}" : "]"
}

function skipTooDeep(cursor: Cursor): ErrorNode {
  report(cursor, "L003", here(cursor), `params nest at most ${maximumDepth} levels deep; flatten them`)
  return { kind: "Error", ...skipBrackets(cursor) }
}

function quoting(cursor: Cursor, place: Span): Fix {
  return replacing("Use double quotes", place, `"${textOf(cursor, place)}"`)
}
