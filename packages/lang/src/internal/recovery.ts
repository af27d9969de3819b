/** Moves over text that the grammar of values does not cover. */
import type { Span } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import type { Fix } from "../Diagnostic.ts"
import { end, here, isBoundary, kindAt, peek, previousEnd, replacing, start, tokenTextAt } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"

/** Moves over a name with its properties, indexes and arguments, and tells where they end. */
export function skipPath(cursor: Cursor): number {
  let last = end(cursor)
  let nesting = 0
  cursor.index++
  for (;;) {
    const kind = kindAt(cursor, cursor.index)
    const isOpening = kind === Kind.OpenParen || kind === Kind.OpenBracket
    const isClosing = kind === Kind.CloseParen || kind === Kind.CloseBracket
    if (isBoundary(kind) || kind === Kind.Newline || kind === Kind.Comment) return last
    if (nesting === 0 && !isOpening && kind !== Kind.Dot && kind !== Kind.Name) return last
    if (isOpening) nesting++
    else if (isClosing) nesting--
    if (kind > Kind.LastTrivia) last = end(cursor)
    cursor.index++
  }
}

/** Moves over a bracket with all that is in it, without recursion, and tells its span. */
export function skipBrackets(cursor: Cursor): Span {
  const from = start(cursor)
  let open = 0
  let index = cursor.index
  for (; index < cursor.limit; index++) {
    const kind = kindAt(cursor, index)
    if (isBoundary(kind)) break
    if (kind === Kind.OpenBracket || kind === Kind.OpenBrace) open++
    if (kind !== Kind.CloseBracket && kind !== Kind.CloseBrace) continue
    open--
    if (open === 0) {
      index++
      break
    }
  }
  cursor.index = index
  return { start: from, end: previousEnd(cursor) }
}

/** Moves over what no value can hold, to the next separator or the next start of a value, and tells its span. */
export function skipToSeparator(cursor: Cursor): Span {
  const from = start(cursor)
  const first = end(cursor)
  if (!endsValue(peek(cursor))) cursor.index++
  while (!endsValue(peek(cursor)) && !startsValue(peek(cursor))) cursor.index++
  return { start: from, end: Math.max(first, previousEnd(cursor)) }
}

/** Whether a value can begin with a token of this kind. */
export function startsValue(kind: number): boolean {
  return (
    (kind >= Kind.Name && kind <= Kind.StringOpen) ||
    kind === Kind.TemplateOpen ||
    kind === Kind.OpenBracket ||
    kind === Kind.OpenBrace
  )
}

/** Whether a value has to be over at a token of this kind. */
export function endsValue(kind: number): boolean {
  return kind === Kind.Comma || kind === Kind.CloseBracket || kind === Kind.CloseBrace || isBoundary(kind)
}

/** What to say when the current token is an invisible character, such as a space that was copied from a web page. */
export function invisibleCharacter(cursor: Cursor): { readonly message: string; readonly fix: Fix } | undefined {
  if (peek(cursor) !== Kind.Unknown) return undefined
  const text = tokenTextAt(cursor)
  if (!/^[\p{C}\p{Z}]+$/u.test(text)) return undefined
  const code = text.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
  const span = here(cursor)
  const message = `U+${code} is invisible and means nothing here; replace it with a space`
  return { message, fix: replacing("Replace it with a space", span, " ") }
}
