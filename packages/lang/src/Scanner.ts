/**
 * Cuts a text into tokens in one pass.
 *
 * A line decides what it is by its first characters; brackets carry a value over lines. Three things never reach across a line:
 * strings, templates and checks. A `###` at column 0 ends everything, and inside open brackets so does a line that begins with
 * `??`, with `@name =` or with a known directive, so that a broken value does not swallow what follows it.
 *
 * Invariant: the tokens are gap-free, never empty, and cover every code unit of any text.
 */
import { directiveInfo } from "./Directive.ts"
import { nameEnd, scanAtom } from "./internal/atoms.ts"
import * as char from "./internal/characters.ts"
import { codeAt, isBlank, isLineBreak, isOf, runEnd } from "./internal/characters.ts"
import { Openers } from "./internal/openers.ts"
import { blanksEnd, emit, emitBlanks, emitLineBreak, sinkFor, tokensOf, trimmedLineEnd } from "./internal/sink.ts"
import type { Sink } from "./internal/sink.ts"
import { scanPlainString, scanStringUpToTemplate, startsTemplate, stringTextEnd } from "./internal/stringTokens.ts"
import type { TokenList } from "./Token.ts"
import * as Kind from "./TokenKind.ts"

/** Cuts a text into tokens. */
export function scan(text: string): TokenList {
  return scanRange(text, 0, text.length)
}

/**
 * Cuts a part of a text into tokens. `from` is 0 or the start of a section, `to` the start of another one or the end of the
 * text. The list begins with the token at `from`; the ends of its tokens are offsets of the whole text.
 */
export function scanRange(text: string, from: number, to: number): TokenList {
  const sink = sinkFor(text, from, to)
  const openers = new Openers()
  if (from === 0 && codeAt(text, 0) === char.byteOrderMark) emit(sink, Kind.ByteOrderMark, 1)
  while (sink.position < to) scanLine(sink, openers)
  return tokensOf(sink)
}

function scanLine(sink: Sink, openers: Openers): void {
  const { text, position } = sink
  const isHeader = isSectionMark(text, position)
  if (openers.count > 0 && (isHeader || interruptsValue(text, blanksEnd(text, position)))) openers.clear()
  if (isHeader) scanHeader(sink)
  else if (openers.count === 0) scanStatement(sink, openers)
  else scanValue(sink, openers)
}

function scanStatement(sink: Sink, openers: Openers): void {
  emitBlanks(sink)
  const { text, position } = sink
  const code = codeAt(text, position)
  if (isOf(char.nameStart, code)) {
    emit(sink, Kind.Method, methodEnd(text, position))
    scanValue(sink, openers)
  } else if (startsComment(text, position)) {
    const at = directiveAt(text, position)
    if (at < 0) scanValue(sink, openers)
    else scanDirective(sink, at)
  } else if (code === char.at) {
    emit(sink, Kind.VariableMark, position + 1)
    scanValue(sink, openers)
  } else if (code === char.question && codeAt(text, position + 1) === char.question) {
    emit(sink, Kind.CheckMark, position + 2)
    scanCheck(sink)
  } else scanValue(sink, openers)
}

function scanHeader(sink: Sink): void {
  let end = sink.position
  while (codeAt(sink.text, end) === char.hash) end++
  emit(sink, Kind.SectionMark, end)
  scanRestOfLine(sink, Kind.Title)
}

function scanDirective(sink: Sink, at: number): void {
  const { text, position } = sink
  emit(sink, Kind.DirectiveMark, position + (text.charCodeAt(position) === char.hash ? 1 : 2))
  emitBlanks(sink)
  emit(sink, Kind.DirectiveAt, at + 1)
  emit(sink, Kind.DirectiveName, directiveNameEnd(text, at + 1))
  scanRestOfLine(sink, Kind.DirectiveValue)
}

function scanRestOfLine(sink: Sink, kind: number): void {
  emitBlanks(sink)
  const end = trimmedLineEnd(sink.text, sink.position)
  if (end > sink.position) emit(sink, kind, end)
  emitBlanks(sink)
  emitLineBreak(sink, Kind.LineEnd)
}

function scanValue(sink: Sink, openers: Openers): void {
  const { text, limit } = sink
  while (sink.position < limit) {
    const { position } = sink
    const code = text.charCodeAt(position)
    switch (code) {
      case char.space:
      case char.tab:
        emitBlanks(sink)
        break
      case char.lineFeed:
      case char.carriageReturn:
        return emitLineBreak(sink, openers.count > 0 ? Kind.Newline : Kind.LineEnd)
      case char.quote:
        scanString(sink)
        break
      case char.hash:
        emit(sink, Kind.Comment, trimmedLineEnd(text, position))
        break
      case char.slash: {
        const next = codeAt(text, position + 1)
        if (next === char.slash) emit(sink, Kind.Comment, trimmedLineEnd(text, position))
        else if (next !== char.star || openers.count === 0) scanAtom(sink, code)
        else if (!scanBlockComment(sink)) return
        break
      }
      case char.openBrace:
        if (codeAt(text, position + 1) === char.openBrace) scanTemplate(sink, false)
        else openers.track(scanAtom(sink, code))
        break
      default:
        openers.track(scanAtom(sink, code))
    }
  }
}

function scanCheck(sink: Sink): void {
  const { text, limit } = sink
  while (sink.position < limit) {
    const { position } = sink
    const code = text.charCodeAt(position)
    if (isBlank(code)) emitBlanks(sink)
    else if (isLineBreak(code)) return emitLineBreak(sink, Kind.LineEnd)
    else if (code === char.quote) scanPlainString(sink)
    else if (startsComment(text, position)) emit(sink, Kind.Comment, trimmedLineEnd(text, position))
    else scanAtom(sink, code)
  }
}

/** A template ends at `}}`, or without it at the first thing that no expression can hold: `,`, `]`, the outer quote, the line. */
function scanTemplate(sink: Sink, insideString: boolean): void {
  const { text, limit } = sink
  emit(sink, Kind.TemplateOpen, sink.position + 2)
  let last: number = Kind.TemplateOpen
  let nesting = 0
  while (sink.position < limit) {
    const { position } = sink
    const code = text.charCodeAt(position)
    if (isLineBreak(code)) return
    if (isBlank(code)) emitBlanks(sink)
    else if (code === char.closeBrace) {
      return emit(sink, Kind.TemplateClose, position + (codeAt(text, position + 1) === char.closeBrace ? 2 : 1))
    } else if (code === char.quote) {
      const opensInner = nesting > 0 || (last >= Kind.FirstOperator && last <= Kind.LastOperator)
      if (insideString && !opensInner) return
      scanPlainString(sink)
      last = Kind.String
    } else {
      if (nesting === 0 && (code === char.comma || code === char.closeBracket)) return
      last = scanAtom(sink, code)
      if (last === Kind.OpenParen || last === Kind.OpenBracket) nesting++
      else if (nesting > 0 && (last === Kind.CloseParen || last === Kind.CloseBracket)) nesting--
    }
  }
}

function scanString(sink: Sink): void {
  if (!scanStringUpToTemplate(sink)) return
  const { text, limit } = sink
  while (sink.position < limit) {
    const { position } = sink
    const code = text.charCodeAt(position)
    if (isLineBreak(code)) return
    if (code === char.quote) return emit(sink, Kind.StringClose, position + 1)
    if (startsTemplate(text, position)) scanTemplate(sink, true)
    else emit(sink, Kind.StringText, stringTextEnd(sink, position))
  }
}

/** Reports whether the comment is closed; if it is not, it reaches up to the next section. */
function scanBlockComment(sink: Sink): boolean {
  blockCommentEnd.lastIndex = sink.position + 2
  const match = blockCommentEnd.exec(sink.text)
  const isClosed = match?.[0] === "*/"
  emit(sink, isClosed ? Kind.BlockComment : Kind.UnclosedComment, match ? blockCommentEnd.lastIndex : sink.limit)
  return isClosed
}

const blockCommentEnd = /\*\/|(?<=[\r\n])(?=###)/g

function interruptsValue(text: string, start: number): boolean {
  const code = codeAt(text, start)
  if (code === char.question) return codeAt(text, start + 1) === char.question
  if (code === char.at) {
    return (
      isOf(char.nameStart, codeAt(text, start + 1)) &&
      codeAt(text, blanksEnd(text, nameEnd(text, start + 1))) === char.equals
    )
  }
  const at = startsComment(text, start) ? directiveAt(text, start) : -1
  return at >= 0 && directiveInfo(text.slice(at + 1, directiveNameEnd(text, at + 1))) !== undefined
}

/** The offset of the `@` when the comment at `start` is a directive, otherwise -1. */
function directiveAt(text: string, start: number): number {
  const at = blanksEnd(text, start + (text.charCodeAt(start) === char.hash ? 1 : 2))
  return codeAt(text, at) === char.at && isOf(char.nameStart, codeAt(text, at + 1)) ? at : -1
}

function directiveNameEnd(text: string, start: number): number {
  return runEnd(char.directivePart, text, start)
}

function methodEnd(text: string, start: number): number {
  let end = start
  while (isOf(char.methodPart, codeAt(text, end)) && !startsComment(text, end)) end++
  return end
}

function startsComment(text: string, start: number): boolean {
  const code = codeAt(text, start)
  return code === char.hash || (code === char.slash && codeAt(text, start + 1) === char.slash)
}

function isSectionMark(text: string, start: number): boolean {
  return codeAt(text, start) === char.hash && text.startsWith("###", start)
}
