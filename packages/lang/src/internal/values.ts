/**
 * Parses JSON with comments, trailing commas and templates.
 *
 * A mistake is repaired where it stands: a value in the wrong notation becomes an error node, a missing comma is assumed, and
 * anything else is skipped up to the next `,`, `]` or `}`.
 *
 * Invariant: every step consumes a token or stands at a closing bracket, a comma or the end of the statement.
 */
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
  end,
  fixing,
  here,
  isBoundary,
  isReported,
  kindAt,
  peek,
  previous,
  previousEnd,
  replacing,
  report,
  start,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { parseTemplate, reportMalformedNumber, reportSingleQuoted, reportUnterminated } from "./expressions.ts"
import { endsValue, invisibleCharacter, skipBrackets, skipPath, skipToSeparator, startsValue } from "./recovery.ts"
import { reportRepeatedKeys } from "./keys.ts"
import { Pile } from "./pile.ts"
import { PlainString } from "./plainString.ts"
import { decode } from "./strings.ts"

/** How deep arrays and objects may nest. */
export const maximumDepth = 500

/** Parses the value at the cursor, which must not stand at the end of the statement. */
export function parseValue(cursor: Cursor): ValueNode {
  return parse(cursor, {
    depth: 0,
    arrays: 0,
    objects: 0,
    unclosedReported: false,
    items: new Pile(),
    properties: new Pile(),
  })
}

/** The brackets that are open around the cursor. */
interface Nesting {
  depth: number
  arrays: number
  objects: number
  unclosedReported: boolean
  /** What has been found in them so far. */
  readonly items: Pile<ValueNode>
  readonly properties: Pile<PropertyNode>
}

function parse(cursor: Cursor, nesting: Nesting): ValueNode {
  const kind = peek(cursor)
  if (isString(kind)) return parseString(cursor, kind)
  switch (kind) {
    case Kind.TemplateOpen:
      return parseTemplate(cursor)
    case Kind.OpenBracket:
    case Kind.OpenBrace:
      return parseBrackets(cursor, nesting, kind)
    case Kind.Number:
      return parseNumber(cursor)
    case Kind.Minus:
      return kindAt(cursor, cursor.index + 1) === Kind.Number ? parseNumber(cursor) : parseNonsense(cursor)
    case Kind.Hex:
      return parseHex(cursor)
    case Kind.Name:
      return parseWord(cursor)
    case Kind.MalformedNumber:
      reportMalformedNumber(cursor)
      return errorToken(cursor)
    case Kind.SingleQuoted:
      reportSingleQuoted(cursor)
      return errorToken(cursor)
    default:
      return parseNonsense(cursor)
  }
}

function parseBrackets(cursor: Cursor, nesting: Nesting, kind: number): ValueNode {
  if (nesting.depth >= maximumDepth) return skipTooDeep(cursor)
  nesting.depth++
  const node = kind === Kind.OpenBracket ? parseArray(cursor, nesting) : parseObject(cursor, nesting)
  nesting.depth--
  return node
}

function parseArray(cursor: Cursor, nesting: Nesting): ArrayNode {
  const from = start(cursor)
  const { height } = nesting.items
  nesting.arrays++
  cursor.index++
  while (!endsBracket(cursor, nesting, Kind.CloseBracket)) {
    if (skipsExtraComma(cursor)) continue
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
  while (!endsBracket(cursor, nesting, Kind.CloseBrace)) {
    if (skipsExtraComma(cursor)) continue
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
  const afterKey = cursor.index
  const kind = peek(cursor)
  if (kind !== Kind.Colon) {
    if (!isReported(cursor)) report(cursor, "L313", key, "Expected : and a value after this key")
    const isOnKeyLine = !passedNewline(cursor, afterKey)
    if (!isOnKeyLine || !startsValue(kind)) return { kind: "Property", start: key.start, end: key.end, key }
  } else {
    cursor.index++
    if (endsValue(peek(cursor))) {
      const last = previousEnd(cursor)
      const span = { start: key.start, end: last }
      report(cursor, "L303", span, "Expected a value after the colon: JSON or {{expression}}")
      return { kind: "Property", start: key.start, end: last, key }
    }
  }
  const value = parse(cursor, nesting)
  return { kind: "Property", start: key.start, end: value.end, key, value }
}

function parseKey(cursor: Cursor): StringNode | undefined {
  const kind = peek(cursor)
  return isString(kind) ? parseString(cursor, kind) : parseWrongKey(cursor, kind)
}

function parseWrongKey(cursor: Cursor, kind: number): StringNode | undefined {
  const span = here(cursor)
  const text = tokenTextAt(cursor)
  if (kind === Kind.Name || kind === Kind.Number || kind === Kind.Hex) {
    report(cursor, "L311", span, "Keys are in double quotes", replacing("Add quotes", span, `"${text}"`))
    cursor.index++
    return { kind: "String", ...span, parts: [{ kind: "Text", ...span, value: text }], value: text }
  }
  if (kind === Kind.SingleQuoted) {
    reportSingleQuoted(cursor)
    cursor.index++
    const value = text.slice(1, -1)
    const inner = { start: span.start + 1, end: span.end - 1 }
    return { kind: "String", ...span, parts: value === "" ? [] : [{ kind: "Text", ...inner, value }], value }
  }
  if (kind === Kind.TemplateOpen) {
    const template = parseTemplate(cursor)
    const fix = fixing("Add quotes", { ...emptyAt(template.start), text: '"' }, { ...emptyAt(template.end), text: '"' })
    report(cursor, "L311", template, "Keys are in double quotes", fix)
    return { kind: "String", start: template.start, end: template.end, parts: [template] }
  }
  const skipped = kind === Kind.OpenBrace || kind === Kind.OpenBracket ? skipBrackets(cursor) : skipToSeparator(cursor)
  report(cursor, "L312", skipped, "Expected a key in double quotes")
  return undefined
}

function isString(kind: number): boolean {
  return kind >= Kind.String && kind <= Kind.StringOpen && kind !== Kind.SingleQuoted
}

function parseString(cursor: Cursor, kind: number): StringNode {
  if (kind === Kind.StringOpen) return parseTemplateString(cursor)
  const from = start(cursor)
  const to = end(cursor)
  if (kind === Kind.String) {
    cursor.index++
    return new PlainString(cursor.text, from, to)
  }
  const textEnd = kind === Kind.UnterminatedString ? to : to - 1
  if (kind === Kind.UnterminatedString) reportUnterminated(cursor, { start: from, end: to })
  cursor.index++
  const value = decode(cursor, from + 1, textEnd)
  const parts: Array<TextPart> = textEnd > from + 1 ? [{ kind: "Text", start: from + 1, end: textEnd, value }] : []
  return { kind: "String", start: from, end: to, parts, value }
}

function parseTemplateString(cursor: Cursor): StringNode {
  const from = start(cursor)
  const parts: Array<TextPart | TemplateNode> = []
  cursor.index++
  for (;;) {
    const kind = kindAt(cursor, cursor.index)
    if (kind === Kind.TemplateOpen) parts.push(parseTemplate(cursor))
    else if (kind === Kind.StringText) {
      const span = here(cursor)
      parts.push({ kind: "Text", ...span, value: decode(cursor, span.start, span.end) })
      cursor.index++
    } else if (kind === Kind.StringClose) {
      cursor.index++
      return { kind: "String", start: from, end: start(cursor), parts }
    } else {
      const last = previousEnd(cursor)
      if (!isReported(cursor)) reportUnterminated(cursor, { start: from, end: last })
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
  const span = here(cursor)
  const text = tokenTextAt(cursor)
  const message = "JSON has no hex numbers; write it in quotes, or in {{ }} as an expression"
  report(cursor, "L309", span, message, replacing("Add quotes", span, `"${text}"`))
  cursor.index++
  return { kind: "Number", ...span, text }
}

function parseWord(cursor: Cursor): ValueNode {
  const from = start(cursor)
  const to = end(cursor)
  const text = cursor.text.slice(from, to)
  if (!isLiteralWord(text)) return parseReference(cursor)
  cursor.index++
  return text === "null"
    ? { kind: "Null", start: from, end: to }
    : { kind: "Boolean", start: from, end: to, value: text === "true" }
}

/** A name is no value; with its properties and arguments it was meant as an expression, by itself as a text. */
function parseReference(cursor: Cursor): ErrorNode {
  const span = here(cursor)
  const last = skipPath(cursor)
  const whole = { start: span.start, end: last }
  const source = cursor.text.slice(span.start, last)
  const isExpression = last > span.end || source.startsWith("$")
  const fix = isExpression
    ? replacing("Write {{…}}", whole, `{{${source}}}`)
    : replacing("Add quotes", whole, `"${source}"`)
  report(cursor, "L310", whole, "Expected a value: put a text in double quotes and a reference in {{ }}", fix)
  return { kind: "Error", ...whole }
}

function parseNonsense(cursor: Cursor): ErrorNode {
  const reported = isReported(cursor)
  const invisible = invisibleCharacter(cursor)
  const span = skipToSeparator(cursor)
  if (invisible) report(cursor, "L321", span, invisible.message, invisible.fix)
  else if (!reported) report(cursor, "L321", span, "Expected a value: JSON or {{expression}}")
  return { kind: "Error", ...span }
}

/** After a value: steps over the comma, or reports that it is missing and makes sure that parsing can go on. */
function separate(cursor: Cursor, nesting: Nesting, closing: number): void {
  const kind = peek(cursor)
  if (kind === Kind.Comma) cursor.index++
  else if (!endsBracket(cursor, nesting, closing)) {
    const last = previous(cursor)
    const reported = isReported(cursor)
    if (startsValue(kind)) {
      const fix = fixing("Add a comma", { start: last.end, end: last.end, text: "," })
      const isWrongWord = kind === Kind.Name && !isLiteralWord(tokenTextAt(cursor))
      if (!reported && !isWrongWord) report(cursor, "L314", here(cursor), "Expected a comma before this", fix)
      return
    }
    const invisible = invisibleCharacter(cursor)
    const span = skipToSeparator(cursor)
    if (invisible) report(cursor, "L321", span, invisible.message, invisible.fix)
    else if (!reported)
      report(cursor, "L314", span, `Expected a comma or ${closing === Kind.CloseBrace ? "}" : "]"} here`)
    if (peek(cursor) === Kind.Comma) cursor.index++
  }
}

/** Whether the bracket ends here. A closing bracket without partner is reported and stepped over. */
function endsBracket(cursor: Cursor, nesting: Nesting, closing: number): boolean {
  for (;;) {
    const kind = peek(cursor)
    if (kind === closing || isBoundary(kind)) return true
    if (kind !== Kind.CloseBracket && kind !== Kind.CloseBrace && kind !== Kind.CloseParen) return false
    if (kind === Kind.CloseBracket && nesting.arrays > 0) return true
    if (kind === Kind.CloseBrace && nesting.objects > 0) return true
    const span = here(cursor)
    report(cursor, "L320", span, "This bracket closes nothing; remove it", replacing("Remove it", span, ""))
    cursor.index++
  }
}

function closeBracket(cursor: Cursor, nesting: Nesting, closing: number, opening: number): number {
  if (peek(cursor) === closing) {
    const last = end(cursor)
    cursor.index++
    return last
  }
  if (!nesting.unclosedReported) {
    const bracket = closing === Kind.CloseBrace ? "}" : "]"
    const span = { start: opening, end: opening + 1 }
    report(cursor, "L304", span, `This bracket is never closed; add the missing ${bracket}`)
    nesting.unclosedReported = true
  }
  return previousEnd(cursor)
}

function skipTooDeep(cursor: Cursor): ErrorNode {
  const opening = here(cursor)
  report(cursor, "L003", opening, `Params nest at most ${maximumDepth} deep; make them flatter`)
  return { kind: "Error", ...skipBrackets(cursor) }
}

function passedNewline(cursor: Cursor, from: number): boolean {
  for (let index = from; index < cursor.index; index++) {
    if (kindAt(cursor, index) === Kind.Newline) return true
  }
  return false
}

function emptyAt(offset: number): Span {
  return { start: offset, end: offset }
}

/** Reports a comma without a value before it and steps over it. */
function skipsExtraComma(cursor: Cursor): boolean {
  if (kindAt(cursor, cursor.index) !== Kind.Comma) return false
  const span = here(cursor)
  report(cursor, "L315", span, "Expected a value before this comma", replacing("Remove it", span, ""))
  cursor.index++
  return true
}

/** Whether a word is a value in JSON. */
export function isLiteralWord(text: string): boolean {
  return text === "true" || text === "false" || text === "null"
}

function errorToken(cursor: Cursor): ErrorNode {
  const span = here(cursor)
  cursor.index++
  return { kind: "Error", ...span }
}
