/**
 * The brackets that are open at an offset, from the statement's first token to there. Read from tokens, because what is
 * being typed has few whole nodes.
 */
import { type TokenList, tokenEnd, tokenKind, tokenStart, tokenText } from "@dotrpc/lang"
import * as Kind from "@dotrpc/lang/token-kinds"

/** One open bracket. `filled` says that the current item, value or argument has begun. */
export type Frame =
  | { readonly kind: "array"; index: number; filled: boolean }
  | {
      readonly kind: "object"
      /** Of the member the cursor is in, decoded. */
      key: string | undefined
      state: "key" | "colon" | "value"
      filled: boolean
      readonly keys: Array<string>
    }
  | { readonly kind: "string" }
  | { readonly kind: "template" }
  | { readonly kind: "group" }
  | { readonly kind: "call"; readonly name: string; readonly nameAt: number; index: number; filled: boolean }

/** Whether the statement itself holds JSON (a call, up to its params) or an expression (a check, a variable). */
export type Base = "json" | "expression"

export interface Open {
  readonly frames: ReadonlyArray<Frame>
  /** True when the statement's value was closed again, or its line has ended. */
  readonly ended: boolean
  /** True when a value of the statement has begun. */
  readonly begun: boolean
}

/** Reads tokens from `first` up to the offset. A token that only touches the offset has been read. */
export const openAt = (tokens: TokenList, first: number, offset: number, base: Base): Open => {
  const frames: Array<Frame> = []
  let begun = false
  let ended = false
  let previous: number = Kind.Assign
  for (let index = first; index < tokens.length && tokenStart(tokens, index) < offset; index++) {
    const kind = tokenKind(tokens, index)
    if (tokenEnd(tokens, index) > offset && !isWhole(kind)) break
    if (kind <= Kind.LastTrivia) continue
    if (kind >= Kind.FirstBoundary) {
      if (kind !== Kind.LineEnd || begun || base === "expression") ended = true
      continue
    }
    if (frames.length === 0 && begun && base === "json") ended = true
    read(frames, tokens, index, inExpression(frames, base, kind, previous))
    begun = true
    previous = kind
  }
  return { frames, ended, begun }
}

/** Whether the innermost bracket holds an expression rather than JSON. */
export const holdsExpression = (frames: ReadonlyArray<Frame>, base: Base): boolean => {
  const top = frames.at(-1)
  if (top === undefined) return base === "expression"
  return top.kind === "template" || top.kind === "group" || top.kind === "call"
}

/** The keys behind the offset in the object that is open there, up to its end. */
export const keysAfter = (tokens: TokenList, offset: number): ReadonlyArray<string> => {
  const keys: Array<string> = []
  let depth = 0
  let last: string | undefined
  for (let index = tokenAtOrAfter(tokens, offset); index < tokens.length; index++) {
    const kind = tokenKind(tokens, index)
    if (kind <= Kind.LastTrivia) continue
    if (kind >= Kind.FirstBoundary) break
    if (kind === Kind.OpenBrace || kind === Kind.OpenBracket) depth++
    if (kind === Kind.CloseBrace || kind === Kind.CloseBracket) depth--
    if (depth < 0) break
    if (kind === Kind.Colon && depth === 0 && last !== undefined) keys.push(last)
    last = kind === Kind.String || kind === Kind.EscapedString ? contentOf(tokenText(tokens, index)) : undefined
  }
  return keys
}

/** A string that is cut by the cursor still counts as begun; brackets and words in front of it do not. */
const isWhole = (kind: number): boolean => kind >= Kind.SingleQuoted && kind <= Kind.UnterminatedString

const inExpression = (frames: ReadonlyArray<Frame>, base: Base, kind: number, previous: number): boolean => {
  // A variable's value is JSON when it begins with a bracket; after a name the same bracket is an index.
  if (frames.length === 0 && (kind === Kind.OpenBracket || kind === Kind.OpenBrace)) return previous !== Kind.Assign
  return holdsExpression(frames, base)
}

const read = (frames: Array<Frame>, tokens: TokenList, index: number, expression: boolean): void => {
  const top = frames.at(-1)
  const kind = tokenKind(tokens, index)
  switch (kind) {
    case Kind.OpenBracket:
      fill(top)
      frames.push(expression ? { kind: "group" } : { kind: "array", index: 0, filled: false })
      return
    case Kind.OpenBrace:
      fill(top)
      frames.push({ kind: "object", key: undefined, state: "key", filled: false, keys: [] })
      return
    case Kind.OpenParen: {
      fill(top)
      const named = index > 0 && tokenKind(tokens, index - 1) === Kind.Name
      const nameAt = tokenStart(tokens, index - 1)
      frames.push(
        named
          ? { kind: "call", name: tokenText(tokens, index - 1), nameAt, index: 0, filled: false }
          : { kind: "group" },
      )
      return
    }
    case Kind.TemplateOpen:
      fill(top)
      frames.push({ kind: "template" })
      return
    case Kind.StringOpen:
      if (top?.kind === "object") readKey(top, "")
      else fill(top)
      frames.push({ kind: "string" })
      return
    case Kind.TemplateClose:
      closeTo(frames, (frame) => frame.kind === "template")
      return
    case Kind.StringClose:
      closeTo(frames, (frame) => frame.kind === "string")
      return
    case Kind.CloseBracket:
      closeTo(frames, (frame) => frame.kind === (expression ? "group" : "array"))
      return
    case Kind.CloseBrace:
      closeTo(frames, (frame) => frame.kind === "object")
      return
    case Kind.CloseParen:
      closeTo(frames, (frame) => frame.kind === "call" || frame.kind === "group")
      return
    case Kind.Comma:
      nextItem(top)
      return
    case Kind.Colon:
      if (top?.kind === "object" && top.state === "colon") top.state = "value"
      return
    default:
      if (top?.kind === "object" && isWhole(kind)) readKey(top, contentOf(tokenText(tokens, index)))
      else fill(top)
  }
}

const readKey = (frame: Extract<Frame, { kind: "object" }>, text: string): void => {
  if (frame.state !== "key") {
    frame.filled = true
    return
  }
  frame.key = text
  frame.keys.push(text)
  frame.state = "colon"
}

const fill = (frame: Frame | undefined): void => {
  if (frame !== undefined && "filled" in frame) frame.filled = true
}

const nextItem = (frame: Frame | undefined): void => {
  if (frame === undefined || !("filled" in frame)) return
  frame.filled = false
  if (frame.kind !== "object") {
    frame.index++
    return
  }
  frame.state = "key"
  frame.key = undefined
}

const closeTo = (frames: Array<Frame>, matches: (frame: Frame) => boolean): void => {
  const index = frames.findLastIndex(matches)
  if (index >= 0) frames.length = index
}

const tokenAtOrAfter = (tokens: TokenList, offset: number): number => {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (tokenStart(tokens, middle) < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The text between the quotes. Keys with escapes are rare, and a wrong one is only not recognised. */
const contentOf = (text: string): string => text.replace(/^["']|["']$/g, "")
