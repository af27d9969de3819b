/** What each word of a document is, for colours: the tokens of the language under the names that editors know. */
import { atOnce, type Steps } from "@dotrpc/analysis"
import { tokenAt, tokenEnd, tokenKind, tokenStart, tokenText } from "@dotrpc/lang"
import { type LineIndex, positionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"
import type { TokenList } from "@dotrpc/lang"
import { offsetAt } from "@dotrpc/lang/locate"
import type { AnalysedText } from "./AnalysedText.ts"
import type { TextRange } from "./TextRange.ts"

/** The names that the numbers of {@link semanticTokens} stand for, in order. */
export const semanticTokenLegend = {
  types: [
    "namespace",
    "comment",
    "decorator",
    "variable",
    "property",
    "function",
    "method",
    "string",
    "number",
    "operator",
    "keyword",
  ],
  modifiers: ["declaration", "readonly"],
} as const

type TokenType = (typeof semanticTokenLegend.types)[number]

/**
 * Five numbers for each token: lines below the token before it, characters from its start or the line's, length, index
 * of its type, set of its modifiers. No token goes over the end of a line.
 */
export const semanticTokens = (document: AnalysedText, range?: TextRange): ReadonlyArray<number> =>
  atOnce(semanticTokensSteps(document, range))

/** As {@link semanticTokens}, in steps of some tokens each. */
export function* semanticTokensSteps(
  { analysis, lines }: AnalysedText,
  range?: TextRange,
): Steps<ReadonlyArray<number>> {
  const { tokens } = analysis.tree
  const from = range === undefined ? 0 : tokenAt(tokens, offsetAt(lines, range.start))
  const end = range === undefined ? tokens.text.length : offsetAt(lines, range.end)
  const write = encoder(lines)
  for (let index = from; index < tokens.length && tokenStart(tokens, index) < end; index++) {
    if (index % tokensInStep === 0) yield
    const type = typeOf(tokens, index)
    if (type !== undefined)
      write.token(tokenStart(tokens, index), tokenEnd(tokens, index), type, modifiersOf(tokens, index))
  }
  return write.data
}

const tokensInStep = 100

const declaration = 1
const readonly = 2

const typeOf = (tokens: TokenList, index: number): TokenType | undefined => {
  const kind = tokenKind(tokens, index)
  if (kind >= Kind.FirstOperator && kind <= Kind.LastOperator) return "operator"
  switch (kind) {
    case Kind.Comment:
    case Kind.BlockComment:
    case Kind.UnclosedComment:
      return "comment"
    case Kind.SectionMark:
    case Kind.Title:
      return "namespace"
    case Kind.DirectiveMark:
    case Kind.DirectiveAt:
    case Kind.DirectiveName:
      return "decorator"
    case Kind.DirectiveValue:
      return "string"
    case Kind.VariableMark:
      return "variable"
    case Kind.CheckMark:
      return "keyword"
    case Kind.Method:
      return "method"
    case Kind.Number:
    case Kind.Hex:
    case Kind.MalformedNumber:
      return "number"
    case Kind.String:
    case Kind.EscapedString:
    case Kind.UnterminatedString:
    case Kind.SingleQuoted:
      return followedBy(tokens, index) === Kind.Colon ? "property" : "string"
    case Kind.StringOpen:
    case Kind.StringText:
    case Kind.StringClose:
      return "string"
    case Kind.TemplateOpen:
    case Kind.TemplateClose:
      return "operator"
    case Kind.Name:
      return nameType(tokens, index)
    default:
      return undefined
  }
}

const nameType = (tokens: TokenList, index: number): TokenType => {
  const text = tokenText(tokens, index)
  if (text.startsWith("$") || text === "true" || text === "false" || text === "null") return "keyword"
  if (tokenKind(tokens, index - 1) === Kind.Dot) return "property"
  return tokenKind(tokens, index + 1) === Kind.OpenParen ? "function" : "variable"
}

const modifiersOf = (tokens: TokenList, index: number): number => {
  const kind = tokenKind(tokens, index)
  const isDefined =
    kind === Kind.VariableMark || (kind === Kind.Name && tokenKind(tokens, index - 1) === Kind.VariableMark)
  if (isDefined) return declaration
  return kind === Kind.Name && tokenText(tokens, index - 2) === "$secret" ? readonly : 0
}

const followedBy = (tokens: TokenList, index: number): number => {
  let next = index + 1
  while (tokenKind(tokens, next) <= Kind.LastTrivia) next++
  return tokenKind(tokens, next)
}

const encoder = (lines: LineIndex) => {
  const data: Array<number> = []
  let line = 0
  let lineStart = 0
  let lastLine = 0
  let lastCharacter = 0
  const moveTo = (offset: number): void => {
    while ((lines.starts[line + 1] ?? Infinity) <= offset) line++
    lineStart = lines.starts[line] ?? 0
  }
  const write = (start: number, length: number, type: TokenType, modifiers: number): void => {
    const character = start - lineStart
    const delta = line - lastLine
    data.push(delta, delta === 0 ? character - lastCharacter : character, length, typeIndex[type], modifiers)
    lastLine = line
    lastCharacter = character
  }
  return {
    data,
    token: (start: number, end: number, type: TokenType, modifiers: number): void => {
      if (data.length === 0) line = positionAt(lines, start).line
      for (let from = start; from < end;) {
        moveTo(from)
        const next = lines.starts[line + 1] ?? Infinity
        const to = Math.min(end, next)
        const length = lines.text.slice(from, to).trimEnd().length
        if (length > 0) write(from, length, type, modifiers)
        from = to
      }
    },
  }
}

const typeIndex = Object.fromEntries(semanticTokenLegend.types.map((type, index) => [type, index])) as Readonly<
  Record<TokenType, number>
>
