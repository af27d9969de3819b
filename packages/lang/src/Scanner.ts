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
import { isBlank, isDirectivePart, isLineBreak, isMethodPart, isNameStart } from "./internal/characters.ts"
import type { TokenList } from "./Token.ts"
import * as Kind from "./TokenKind.ts"

/** Cuts a text into tokens. */
export function scan(text: string): TokenList {
  const length = text.length
  let data = new Int32Array(Math.max(64, length >> 1))
  let size = 0
  let position = 0
  let lastKind: number = Kind.LineEnd
  const openers: Array<number> = []
  let openBrackets = 0
  let openBraces = 0

  if (text.charCodeAt(0) === char.byteOrderMark) emit(Kind.ByteOrderMark, 1)
  for (let line = position; line < length; line = position) scanLine()
  return { text, data, length: size / 2 }

  function emit(kind: number, end: number): void {
    if (size + 2 > data.length) {
      const grown = new Int32Array(data.length * 2)
      grown.set(data)
      data = grown
    }
    data[size] = kind
    data[size + 1] = end
    size += 2
    position = end
    if (kind !== Kind.Whitespace) lastKind = kind
  }

  function scanLine(): void {
    const isHeader = isSectionMark(position)
    if (isHeader || (openers.length > 0 && interruptsValue(skipBlanks(position)))) closeBrackets()
    if (isHeader) scanHeader()
    else if (openers.length === 0) scanStatement()
    else scanValue()
  }

  function scanStatement(): void {
    scanBlanks()
    const code = text.charCodeAt(position)
    if (startsComment(position)) {
      const at = directiveAt(position)
      if (at < 0) scanValue()
      else scanDirective(at)
    } else if (code === char.at) {
      emit(Kind.VariableMark, position + 1)
      scanValue()
    } else if (code === char.question && text.charCodeAt(position + 1) === char.question) {
      emit(Kind.CheckMark, position + 2)
      scanCheck()
    } else {
      if (isNameStart(code)) emit(Kind.Method, methodEnd(position))
      scanValue()
    }
  }

  function scanHeader(): void {
    let end = position
    while (text.charCodeAt(end) === char.hash) end++
    emit(Kind.SectionMark, end)
    scanRestOfLine(Kind.Title)
  }

  function scanDirective(at: number): void {
    emit(Kind.DirectiveMark, position + (text.charCodeAt(position) === char.hash ? 1 : 2))
    scanBlanks()
    emit(Kind.DirectiveAt, at + 1)
    let end = position
    while (isDirectivePart(text.charCodeAt(end))) end++
    emit(Kind.DirectiveName, end)
    scanRestOfLine(Kind.DirectiveValue)
  }

  function scanRestOfLine(kind: number): void {
    scanBlanks()
    const end = trimmedLineEnd(position)
    if (end > position) emit(kind, end)
    scanBlanks()
    scanLineBreak(Kind.LineEnd)
  }

  function scanValue(): void {
    while (position < length) {
      const code = text.charCodeAt(position)
      if (isLineBreak(code)) return scanLineBreak(openers.length > 0 ? Kind.Newline : Kind.LineEnd)
      if (isBlank(code)) scanBlanks()
      else if (code === char.quote) scanString()
      else if (startsComment(position)) emit(Kind.Comment, trimmedLineEnd(position))
      else if (code === char.slash && text.charCodeAt(position + 1) === char.star && openers.length > 0) {
        scanBlockComment()
        if (isSectionMark(position) && lastKind === Kind.UnclosedComment) return
      } else if (code === char.openBrace && text.charCodeAt(position + 1) === char.openBrace) scanTemplate(false)
      else {
        scanAtom(text, position, emit)
        trackBracket(code)
      }
    }
  }

  function scanCheck(): void {
    while (position < length) {
      const code = text.charCodeAt(position)
      if (isLineBreak(code)) return scanLineBreak(Kind.LineEnd)
      if (isBlank(code)) scanBlanks()
      else if (code === char.quote) scanPlainString()
      else if (startsComment(position)) emit(Kind.Comment, trimmedLineEnd(position))
      else scanAtom(text, position, emit)
    }
  }

  /** A template ends at `}}`, or without it at the first thing that no expression can hold: `,`, `]`, the outer quote, the line. */
  function scanTemplate(insideString: boolean): void {
    emit(Kind.TemplateOpen, position + 2)
    let nesting = 0
    while (position < length) {
      const code = text.charCodeAt(position)
      if (isLineBreak(code)) return
      if (isBlank(code)) scanBlanks()
      else if (code === char.closeBrace) {
        return emit(Kind.TemplateClose, position + (text.charCodeAt(position + 1) === char.closeBrace ? 2 : 1))
      } else if (code === char.quote) {
        const opensInner = nesting > 0 || (lastKind >= Kind.FirstOperator && lastKind <= Kind.LastOperator)
        if (insideString && !opensInner) return
        scanPlainString()
      } else {
        if (nesting === 0 && endsBareTemplate(code)) return
        scanAtom(text, position, emit)
        if (lastKind === Kind.OpenParen || lastKind === Kind.OpenBracket) nesting++
        else if (nesting > 0 && (lastKind === Kind.CloseParen || lastKind === Kind.CloseBracket)) nesting--
      }
    }
  }

  function scanString(): void {
    let end = position + 1
    let kind: number = Kind.String
    while (end < length) {
      const code = text.charCodeAt(end)
      if (code === char.quote) return emit(kind, end + 1)
      if (isLineBreak(code)) break
      if (code === char.openBrace && text.charCodeAt(end + 1) === char.openBrace) return scanTemplateString(end)
      if (code < char.space || code === char.backslash) kind = Kind.EscapedString
      end += code === char.backslash ? escapeLength(end) : 1
    }
    emit(Kind.UnterminatedString, end)
  }

  function scanTemplateString(firstTemplate: number): void {
    emit(Kind.StringOpen, position + 1)
    if (firstTemplate > position) emit(Kind.StringText, firstTemplate)
    while (position < length) {
      const code = text.charCodeAt(position)
      if (isLineBreak(code)) return
      if (code === char.quote) return emit(Kind.StringClose, position + 1)
      if (code === char.openBrace && text.charCodeAt(position + 1) === char.openBrace) scanTemplate(true)
      else emit(Kind.StringText, stringTextEnd(position))
    }
  }

  function scanPlainString(): void {
    let end = position + 1
    let kind: number = Kind.String
    while (end < length) {
      const code = text.charCodeAt(end)
      if (code === char.quote) return emit(kind, end + 1)
      if (isLineBreak(code)) break
      if (code < char.space || code === char.backslash) kind = Kind.EscapedString
      end += code === char.backslash ? escapeLength(end) : 1
    }
    emit(Kind.UnterminatedString, end)
  }

  function scanBlockComment(): void {
    for (let end = position + 2; end < length; end++) {
      const code = text.charCodeAt(end)
      if (code === char.star && text.charCodeAt(end + 1) === char.slash) return emit(Kind.BlockComment, end + 2)
      if (code === char.hash && isLineBreak(text.charCodeAt(end - 1)) && isSectionMark(end)) {
        return emit(Kind.UnclosedComment, end)
      }
    }
    emit(Kind.UnclosedComment, length)
  }

  /** A closing bracket closes the nearest bracket of its own sort; one that has no partner closes nothing. */
  function trackBracket(code: number): void {
    if (code === char.openBracket) openBrackets++
    else if (code === char.openBrace) openBraces++
    if (code === char.openBracket || code === char.openBrace) openers.push(code)
    else if ((code === char.closeBracket && openBrackets > 0) || (code === char.closeBrace && openBraces > 0)) {
      while (openers.length > 0) {
        const opener = openers.pop()
        if (opener === char.openBracket) openBrackets--
        else openBraces--
        if (opener === code - 2) return
      }
    }
  }

  function closeBrackets(): void {
    openers.length = 0
    openBrackets = 0
    openBraces = 0
  }

  function scanBlanks(): void {
    const end = skipBlanks(position)
    if (end > position) emit(Kind.Whitespace, end)
  }

  function scanLineBreak(kind: number): void {
    if (position >= length) return
    const pair = text.charCodeAt(position) === char.carriageReturn && text.charCodeAt(position + 1) === char.lineFeed
    emit(kind, position + (pair ? 2 : 1))
  }

  function interruptsValue(start: number): boolean {
    const code = text.charCodeAt(start)
    if (code === char.question) return text.charCodeAt(start + 1) === char.question
    if (code === char.at) {
      return (
        isNameStart(text.charCodeAt(start + 1)) && text.charCodeAt(skipBlanks(nameEnd(text, start + 1))) === char.equals
      )
    }
    if (!startsComment(start)) return false
    const at = directiveAt(start)
    if (at < 0) return false
    let end = at + 1
    while (isDirectivePart(text.charCodeAt(end))) end++
    return directiveInfo(text.slice(at + 1, end)) !== undefined
  }

  /** The offset of the `@` when the comment at `start` is a directive, otherwise -1. */
  function directiveAt(start: number): number {
    const at = skipBlanks(start + (text.charCodeAt(start) === char.hash ? 1 : 2))
    return text.charCodeAt(at) === char.at && isNameStart(text.charCodeAt(at + 1)) ? at : -1
  }

  function startsComment(start: number): boolean {
    const code = text.charCodeAt(start)
    return code === char.hash || (code === char.slash && text.charCodeAt(start + 1) === char.slash)
  }

  function isSectionMark(start: number): boolean {
    return text.charCodeAt(start) === char.hash && text.startsWith("###", start)
  }

  function skipBlanks(start: number): number {
    let end = start
    while (isBlank(text.charCodeAt(end))) end++
    return end
  }

  function trimmedLineEnd(start: number): number {
    let end = start
    while (end < length && !isLineBreak(text.charCodeAt(end))) end++
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
    return end
  }

  function methodEnd(start: number): number {
    let end = start
    while (isMethodPart(text.charCodeAt(end)) && !startsComment(end)) end++
    return end
  }

  function stringTextEnd(start: number): number {
    let end = start
    while (end < length) {
      const code = text.charCodeAt(end)
      if (code === char.quote || isLineBreak(code)) break
      if (code === char.openBrace && text.charCodeAt(end + 1) === char.openBrace) break
      end += code === char.backslash ? escapeLength(end) : 1
    }
    return end
  }

  /** A backslash takes the next character with it, but never a line break. */
  function escapeLength(start: number): number {
    return start + 1 < length && !isLineBreak(text.charCodeAt(start + 1)) ? 2 : 1
  }
}

function endsBareTemplate(code: number): boolean {
  return code === char.comma || code === char.closeBracket
}
