/** What is being written at an offset, whether or not it is finished. */
import { type FileNode, type Span, tokenAt, tokenEnd, tokenKind } from "@dotrpc/lang"
import { sectionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"
import { type TokenList, tokenStart, tokenText } from "@dotrpc/lang"
import type { ParamPath } from "@dotrpc/spec"
import { type Base, type Frame, holdsExpression, keysAfter, type Open, openAt } from "./frames.ts"

export type CursorPlace =
  /** Behind `# @`. */
  | { readonly kind: "directive"; readonly replace: Span }
  | { readonly kind: "directive-value"; readonly directive: string; readonly replace: Span }
  /** The first word of a line. */
  | { readonly kind: "statement"; readonly replace: Span }
  /** Behind a method, where its params begin. */
  | { readonly kind: "params"; readonly replace: Span }
  | {
      readonly kind: "key"
      readonly path: ParamPath
      readonly replace: Span
      /** Every other key of the object. */
      readonly present: ReadonlyArray<string>
      readonly hasColon: boolean
    }
  /** `path` is absent in the value of a variable, which no schema describes. */
  | { readonly kind: "value"; readonly path?: ParamPath | undefined; readonly replace: Span; readonly quoted: boolean }
  | {
      readonly kind: "expression"
      readonly replace: Span
      readonly inCheck: boolean
      readonly argument?: Argument | undefined
    }
  /** A string that is an argument of a function. */
  | { readonly kind: "argument"; readonly replace: Span; readonly argument: Argument }
  /** Behind a dot. */
  | { readonly kind: "member"; readonly replace: Span }
  | { readonly kind: "secret" | "env"; readonly replace: Span }
  | { readonly kind: "nothing" }

export interface Argument {
  readonly function: string
  /** Counted from 0. */
  readonly index: number
}

/** The statement around an offset, as far as it reaches there. */
export interface Statement {
  readonly kind: "call" | "variable" | "check"
  /** Index of its first token. */
  readonly first: number
  readonly open: Open
}

const nothing: CursorPlace = { kind: "nothing" }

export const placeAt = (tree: FileNode, offset: number): CursorPlace => {
  const { tokens } = tree
  const { text } = tokens
  const lineStart = startOfLine(text, offset)
  const before = text.slice(lineStart, offset)
  const left = offset === 0 ? -1 : tokenAt(tokens, offset - 1)
  const leftKind = left < 0 ? 0 : tokenKind(tokens, left)

  const directive = directivePlace(before, offset, leftKind)
  if (directive !== undefined) return directive
  if (before.startsWith("###") || isInComment(tokens, left, offset)) return nothing

  const statement = statementAt(tree, offset)
  if (statement === undefined || statement.open.ended || isNewLine(statement, tokens, lineStart)) {
    return statementPlace(before, offset)
  }
  const { frames } = statement.open
  const base = baseOf(statement.kind)
  if (holdsExpression(frames, base)) return expressionPlace(tokens, left, offset, statement)
  if (frames.length === 0) return paramsPlace(tokens, statement, left, offset)
  return valuePlace(tokens, left, offset, statement)
}

/** The call, variable or check that an offset is in or behind. */
export const statementAt = (tree: FileNode, offset: number): Statement | undefined => {
  const { tokens } = tree
  const from = tokenAt(tokens, sectionAt(tree, offset)?.start ?? 0)
  for (let index = Math.min(tokenAt(tokens, Math.max(0, offset - 1)), tokens.length - 1); index >= from; index--) {
    const kind = tokenKind(tokens, index)
    if (tokenStart(tokens, index) >= offset) continue
    if (kind === Kind.DirectiveMark || kind === Kind.SectionMark) return undefined
    if (kind === Kind.Method) return { kind: "call", first: index, open: openAt(tokens, index + 1, offset, "json") }
    if (kind === Kind.CheckMark) {
      return { kind: "check", first: index, open: openAt(tokens, index + 1, offset, "expression") }
    }
    if (kind === Kind.VariableMark) {
      const assign = nextOf(tokens, index, Kind.Assign)
      if (assign === undefined || tokenEnd(tokens, assign) > offset) return undefined
      return { kind: "variable", first: index, open: openAt(tokens, assign + 1, offset, "expression") }
    }
  }
  return undefined
}

/** Leads from a call's params to the value that is open: `[0, "fromBlock"]`. */
export const pathOf = (frames: ReadonlyArray<Frame>): ParamPath =>
  frames.flatMap((frame): ParamPath => {
    if (frame.kind === "array") return [frame.index]
    return frame.kind === "object" && frame.key !== undefined ? [frame.key] : []
  })

const baseOf = (kind: Statement["kind"]): Base => (kind === "call" ? "json" : "expression")

/** The params of a call may begin on a line below it; until they do, a new line is a new statement. */
const isNewLine = (statement: Statement, tokens: TokenList, lineStart: number): boolean =>
  statement.open.frames.length === 0 && tokenStart(tokens, statement.first) < lineStart

const directivePlace = (before: string, offset: number, leftKind: number): CursorPlace | undefined => {
  const isDirective = leftKind >= Kind.DirectiveAt && leftKind <= Kind.DirectiveValue
  if (!isDirective && leftKind !== Kind.Comment && leftKind !== Kind.Whitespace) return undefined
  const [, name, value] = /^[ \t]*(?:#|\/\/)[ \t]*@([\w-]*)(?:[ \t]+(.*))?$/.exec(before) ?? []
  if (name === undefined) return undefined
  if (value !== undefined && name !== "") {
    return {
      kind: "directive-value",
      directive: name,
      replace: { start: offset - (/(?<![^\s,])[^\s,]*$/.exec(value)?.[0].length ?? 0), end: offset },
    }
  }
  return value === undefined ? { kind: "directive", replace: { start: offset - name.length, end: offset } } : nothing
}

const isInComment = (tokens: TokenList, left: number, offset: number): boolean => {
  const kind = left < 0 ? 0 : tokenKind(tokens, left)
  if (kind === Kind.Comment || kind === Kind.UnclosedComment) return true
  // The blanks at the end of a comment are not part of its token.
  if (kind === Kind.Whitespace && left > 0 && tokenKind(tokens, left - 1) === Kind.Comment) return true
  return kind === Kind.BlockComment && tokenEnd(tokens, left) > offset
}

const statementPlace = (before: string, offset: number): CursorPlace => {
  const word = /^[ \t]*([\w\-./:]*)$/.exec(before)?.[1]
  return word === undefined ? nothing : { kind: "statement", replace: { start: offset - word.length, end: offset } }
}

const paramsPlace = (tokens: TokenList, statement: Statement, left: number, offset: number): CursorPlace => {
  if (left === statement.first) return statementPlace(tokenText(tokens, left), offset)
  return statement.open.begun ? nothing : { kind: "params", replace: { start: offset, end: offset } }
}

const expressionPlace = (tokens: TokenList, left: number, offset: number, statement: Statement): CursorPlace => {
  const kind = tokenKind(tokens, left)
  const argument = argumentOf(statement)
  if (isString(kind) && (tokenEnd(tokens, left) > offset || kind === Kind.UnterminatedString)) {
    const word = wordAt(tokens, left, offset)
    return argument === undefined || word === undefined
      ? nothing
      : { kind: "argument", replace: word.replace, argument }
  }
  if (kind === Kind.Number || kind === Kind.Hex || kind === Kind.MalformedNumber) return nothing
  const isWord = kind === Kind.Name
  const replace = { start: isWord ? tokenStart(tokens, left) : offset, end: offset }
  const before = isWord ? left - 1 : left
  if (tokenKind(tokens, before) === Kind.Dot) {
    const root = tokenText(tokens, before - 1)
    return { kind: root === "$secret" ? "secret" : root === "$env" ? "env" : "member", replace }
  }
  if (!isWord && endsOperand(tokenKind(tokens, significantBefore(tokens, left)))) return nothing
  const previous = tokenKind(tokens, significantBefore(tokens, before))
  const isFirst = previous === Kind.OpenParen || previous === Kind.Comma
  return {
    kind: "expression",
    replace,
    inCheck: statement.kind === "check",
    ...(argument === undefined || !isFirst ? {} : { argument }),
  }
}

const argumentOf = ({ open }: Statement): Argument | undefined => {
  const top = open.frames.at(-1)
  return top?.kind === "call" ? { function: top.name, index: top.index } : undefined
}

const valuePlace = (tokens: TokenList, left: number, offset: number, statement: Statement): CursorPlace => {
  const { frames } = statement.open
  const top = frames.at(-1)
  const word = wordAt(tokens, left, offset)
  if (top?.kind === "object" && (top.state === "key" || (top.state === "colon" && word !== undefined))) {
    const replace = word?.replace ?? { start: offset, end: offset }
    const typed = word === undefined ? undefined : top.key
    const others = top.keys.filter((key, index) => index < top.keys.length - 1 || key !== typed)
    const path = pathOf(frames.slice(0, -1))
    return {
      kind: "key",
      path,
      replace,
      present: [...others, ...keysAfter(tokens, Math.max(replace.end, word?.end ?? 0))],
      hasColon: tokenKind(tokens, significantAfter(tokens, word?.end ?? offset)) === Kind.Colon,
    }
  }
  if (top?.kind === "string" || (top?.kind === "object" && top.state === "colon")) return nothing
  if (top !== undefined && "filled" in top && top.filled && word === undefined) return nothing
  return {
    kind: "value",
    ...(statement.kind === "call" ? { path: pathOf(frames) } : {}),
    replace: word?.replace ?? { start: offset, end: offset },
    quoted: word?.quoted ?? false,
  }
}

interface TypedWord {
  readonly replace: Span
  readonly quoted: boolean
  /** Where the token ends that the word is in. */
  readonly end: number
}

/** The string or bare word under the cursor. Of a string without its end only what looks like a word is replaced. */
const wordAt = (tokens: TokenList, left: number, offset: number): TypedWord | undefined => {
  const kind = tokenKind(tokens, left)
  const start = tokenStart(tokens, left)
  const end = tokenEnd(tokens, left)
  if (kind === Kind.UnterminatedString) {
    const rest = /^[\w-]*/.exec(tokens.text.slice(offset, end))?.[0].length ?? 0
    return { replace: { start, end: offset + rest }, quoted: true, end }
  }
  if (isString(kind)) return offset < end ? { replace: { start, end }, quoted: true, end } : undefined
  const isWord = kind === Kind.Name || kind === Kind.Number || kind === Kind.Hex || kind === Kind.Unknown
  return isWord || kind === Kind.MalformedNumber ? { replace: { start, end }, quoted: false, end } : undefined
}

const isString = (kind: number): boolean => kind >= Kind.SingleQuoted && kind <= Kind.UnterminatedString

/** Behind a complete operand an operator is due, and there is nothing to offer for that. */
const endsOperand = (kind: number): boolean =>
  (kind >= Kind.Name && kind <= Kind.EscapedString) || kind === Kind.CloseBracket || kind === Kind.CloseParen

const significantBefore = (tokens: TokenList, index: number): number => {
  let found = index
  while (found >= 0 && tokenKind(tokens, found) <= Kind.LastTrivia) found--
  return found
}

const significantAfter = (tokens: TokenList, offset: number): number => {
  let found = tokenAt(tokens, offset)
  while (tokenKind(tokens, found) <= Kind.LastTrivia) found++
  return found
}

const nextOf = (tokens: TokenList, from: number, kind: number): number | undefined => {
  for (let index = from + 1; index < tokens.length; index++) {
    const found = tokenKind(tokens, index)
    if (found === kind) return index
    if (found >= Kind.FirstBoundary) return undefined
  }
  return undefined
}

const startOfLine = (text: string, offset: number): number =>
  offset === 0 ? 0 : Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1
