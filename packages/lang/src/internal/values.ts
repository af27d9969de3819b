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
import { tokenEnd, tokenKind, tokenStart } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { end, fixing, isBoundary, isReported, peek, previous, replacing, report, start, tokenTextAt } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { parseTemplate, reportMalformedNumber, reportSingleQuoted } from "./expressions.ts"
import { endsValue, invisibleCharacter, skipBrackets, skipPath, skipToSeparator, startsValue } from "./recovery.ts"
import { decode } from "./strings.ts"

/** How deep arrays and objects may nest. */
export const maximumDepth = 500

/** Parses the value at the cursor, which must not stand at the end of the statement. */
export function parseValue(cursor: Cursor): ValueNode {
  return parse(cursor, { depth: 0, arrays: 0, objects: 0, unclosedReported: false })
}

/** The brackets that are open around the cursor. */
interface Nesting {
  depth: number
  arrays: number
  objects: number
  unclosedReported: boolean
}

function parse(cursor: Cursor, nesting: Nesting): ValueNode {
  const kind = peek(cursor)
  switch (kind) {
    case Kind.String:
    case Kind.EscapedString:
    case Kind.UnterminatedString:
    case Kind.StringOpen:
      return parseString(cursor)
    case Kind.TemplateOpen:
      return parseTemplate(cursor)
    case Kind.OpenBracket:
    case Kind.OpenBrace:
      return parseBrackets(cursor, nesting, kind)
    case Kind.Number:
    case Kind.Minus:
      return parseNumber(cursor)
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
  const opening = here(cursor)
  const items: Array<ValueNode> = []
  nesting.arrays++
  cursor.index++
  while (!endsBracket(cursor, nesting, Kind.CloseBracket)) {
    if (peek(cursor) === Kind.Comma) {
      reportExtraComma(cursor)
      cursor.index++
      continue
    }
    items.push(parse(cursor, nesting))
    separate(cursor, nesting, Kind.CloseBracket)
  }
  nesting.arrays--
  return { kind: "Array", start: opening.start, end: closeBracket(cursor, nesting, Kind.CloseBracket, opening), items }
}

function parseObject(cursor: Cursor, nesting: Nesting): ObjectNode {
  const opening = here(cursor)
  const properties: Array<PropertyNode> = []
  nesting.objects++
  cursor.index++
  while (!endsBracket(cursor, nesting, Kind.CloseBrace)) {
    if (peek(cursor) === Kind.Comma) {
      reportExtraComma(cursor)
      cursor.index++
      continue
    }
    const property = parseProperty(cursor, nesting)
    if (property !== undefined) properties.push(property)
    separate(cursor, nesting, Kind.CloseBrace)
  }
  nesting.objects--
  reportRepeatedKeys(cursor, properties)
  return {
    kind: "Object",
    start: opening.start,
    end: closeBracket(cursor, nesting, Kind.CloseBrace, opening),
    properties,
  }
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
      const { end: last } = previous(cursor)
      report(
        cursor,
        "L303",
        { start: key.start, end: last },
        "Expected a value after the colon: JSON or {{expression}}",
      )
      return { kind: "Property", start: key.start, end: last, key }
    }
  }
  const value = parse(cursor, nesting)
  return { kind: "Property", start: key.start, end: value.end, key, value }
}

function parseKey(cursor: Cursor): StringNode | undefined {
  const kind = peek(cursor)
  if (
    kind === Kind.String ||
    kind === Kind.EscapedString ||
    kind === Kind.UnterminatedString ||
    kind === Kind.StringOpen
  ) {
    return parseString(cursor)
  }
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

function parseString(cursor: Cursor): StringNode {
  const kind = peek(cursor)
  if (kind === Kind.StringOpen) return parseTemplateString(cursor)
  const span = here(cursor)
  const textStart = span.start + 1
  const textEnd = kind === Kind.UnterminatedString ? span.end : span.end - 1
  if (kind === Kind.UnterminatedString) reportUnterminated(cursor, span)
  cursor.index++
  const value = kind === Kind.String ? cursor.text.slice(textStart, textEnd) : decode(cursor, textStart, textEnd)
  const parts: Array<TextPart> = textEnd > textStart ? [{ kind: "Text", start: textStart, end: textEnd, value }] : []
  return { kind: "String", ...span, parts, value }
}

function parseTemplateString(cursor: Cursor): StringNode {
  const from = start(cursor)
  const parts: Array<TextPart | TemplateNode> = []
  cursor.index++
  for (;;) {
    const kind = tokenKind(cursor.tokens, cursor.index)
    if (kind === Kind.TemplateOpen) parts.push(parseTemplate(cursor))
    else if (kind === Kind.StringText) {
      const span = here(cursor)
      parts.push({ kind: "Text", ...span, value: decode(cursor, span.start, span.end) })
      cursor.index++
    } else if (kind === Kind.StringClose) {
      cursor.index++
      return { kind: "String", start: from, end: tokenStart(cursor.tokens, cursor.index), parts }
    } else {
      const last = tokenStart(cursor.tokens, cursor.index)
      if (!isReported(cursor)) reportUnterminated(cursor, { start: from, end: last })
      return { kind: "String", start: from, end: last, parts }
    }
  }
}

function parseNumber(cursor: Cursor): ValueNode {
  const { start: from } = here(cursor)
  if (peek(cursor) === Kind.Minus) {
    if (tokenKind(cursor.tokens, cursor.index + 1) !== Kind.Number) return parseNonsense(cursor)
    cursor.index++
  }
  const { end: last } = here(cursor)
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
  const span = here(cursor)
  const text = tokenTextAt(cursor)
  if (isLiteralWord(text) && text !== "null") {
    cursor.index++
    return { kind: "Boolean", ...span, value: text === "true" }
  }
  if (text === "null") {
    cursor.index++
    return { kind: "Null", ...span }
  }
  const last = skipPath(cursor)
  const whole = { start: span.start, end: last }
  const isExpression = last > span.end || text.startsWith("$")
  const source = cursor.text.slice(span.start, last)
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

function closeBracket(cursor: Cursor, nesting: Nesting, closing: number, opening: Span): number {
  if (peek(cursor) === closing) {
    const last = end(cursor)
    cursor.index++
    return last
  }
  if (!nesting.unclosedReported) {
    const bracket = closing === Kind.CloseBrace ? "}" : "]"
    report(cursor, "L304", opening, `This bracket is never closed; add the missing ${bracket}`)
    nesting.unclosedReported = true
  }
  return previous(cursor).end
}

function skipTooDeep(cursor: Cursor): ErrorNode {
  const opening = here(cursor)
  report(cursor, "L003", opening, `Params nest at most ${maximumDepth} deep; make them flatter`)
  return { kind: "Error", ...skipBrackets(cursor) }
}

function passedNewline(cursor: Cursor, from: number): boolean {
  for (let index = from; index < cursor.index; index++) {
    if (tokenKind(cursor.tokens, index) === Kind.Newline) return true
  }
  return false
}

function emptyAt(offset: number): Span {
  return { start: offset, end: offset }
}

function reportExtraComma(cursor: Cursor): void {
  const span = here(cursor)
  report(cursor, "L315", span, "Expected a value before this comma", replacing("Remove it", span, ""))
}

function reportUnterminated(cursor: Cursor, span: Span): void {
  report(cursor, "L305", span, 'This string is not closed; end it with " on the same line')
}

function reportRepeatedKeys(cursor: Cursor, properties: ReadonlyArray<PropertyNode>): void {
  if (properties.length < 2) return
  const seen = new Set<string>()
  for (const { key } of properties) {
    if (key.value === undefined) continue
    if (seen.has(key.value)) report(cursor, "L317", key, `The key "${key.value}" is given twice; keep one of them`)
    seen.add(key.value)
  }
}

function isLiteralWord(text: string): boolean {
  return text === "true" || text === "false" || text === "null"
}

function errorToken(cursor: Cursor): ErrorNode {
  const span = here(cursor)
  cursor.index++
  return { kind: "Error", ...span }
}

function here(cursor: Cursor): Span {
  return { start: start(cursor), end: tokenEnd(cursor.tokens, cursor.index) }
}
