/**
 * Parses a text into a tree and diagnostics.
 *
 * Invariant: parsing never throws, and what is inside one section changes neither the tree nor the diagnostics of another
 * (two sections of the same name are the one finding that takes two sections).
 */
import type { Diagnostic } from "./Diagnostic.ts"
import { cursorAt, end, peek, report, start } from "./internal/cursor.ts"
import type { Cursor } from "./internal/cursor.ts"
import { checkDirectives, parseDirective } from "./internal/directives.ts"
import { checkIndentedHeader, parseCall, parseCheck, parseVariable, rejectLine } from "./internal/lines.ts"
import { scan } from "./Scanner.ts"
import type {
  CallNode,
  CheckNode,
  DirectiveNode,
  FileNode,
  PreludeNode,
  SectionNode,
  VariableNode,
  Word,
} from "./Syntax.ts"
import { tokenEnd, tokenKind, tokenStart, tokenText } from "./Token.ts"
import type { TokenList } from "./Token.ts"
import * as Kind from "./TokenKind.ts"

export interface ParseResult {
  readonly tree: FileNode
  /** In the order of their start. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/**
 * Parses a file. Takes any string, never throws, and puts every code unit into the tree.
 *
 * @example
 * const { tree, diagnostics } = parse("### Logs\neth_getLogs [{}]\n")
 */
export function parse(text: string): ParseResult {
  const tokens = scan(text)
  const diagnostics: Array<Diagnostic> = []
  const prelude = parsePrelude(tokens, diagnostics)
  const sections: Array<SectionNode> = []
  let index = prelude.next
  while (index < tokens.length) {
    const section = parseSection(tokens, index, diagnostics)
    sections.push(section.node)
    index = section.next
  }
  reportRepeatedNames(cursorAt(tokens, 0, diagnostics), sections)
  diagnostics.sort((left, right) => left.start - right.start || left.end - right.end)
  const tree: FileNode = { kind: "File", start: 0, end: text.length, prelude: prelude.node, sections, tokens }
  return { tree, diagnostics }
}

/** Writes a tree back: the text that it was parsed from, put together from its tokens. */
export function print(tree: FileNode): string {
  const parts: Array<string> = []
  for (let index = 0; index < tree.tokens.length; index++) parts.push(tokenText(tree.tokens, index))
  return parts.join("")
}

interface Parsed<Node> {
  readonly node: Node
  /** The index of the token behind the node. */
  readonly next: number
}

interface Body {
  readonly directives: Array<DirectiveNode>
  readonly variables: Array<VariableNode>
  readonly calls: Array<CallNode>
  readonly checks: Array<CheckNode>
}

function parsePrelude(tokens: TokenList, diagnostics: Array<Diagnostic>): Parsed<PreludeNode> {
  const cursor = cursorAt(tokens, 0, diagnostics)
  const { calls, ...rest } = parseBody(cursor)
  checkDirectives(cursor, rest.directives, "prelude")
  const [call] = calls
  for (const { method } of calls) {
    report(cursor, "L103", method, "A call belongs to a section; put a line with ### and a title above it")
  }
  for (const check of rest.checks) {
    report(cursor, "L104", check, "A check belongs to a section; move it below the call that it checks")
  }
  const span = { start: 0, end: tokenStart(tokens, cursor.index) }
  return { node: { kind: "Prelude", ...span, ...rest, ...(call && { call }) }, next: cursor.index }
}

function parseSection(tokens: TokenList, index: number, diagnostics: Array<Diagnostic>): Parsed<SectionNode> {
  const cursor = cursorAt(tokens, index, diagnostics)
  const from = start(cursor)
  const title = parseTitle(cursor)
  const header = { start: from, end: Math.max(title.end, tokenEnd(tokens, index)) }
  const { calls, ...rest } = parseBody(cursor)
  checkDirectives(cursor, rest.directives, "section")
  const [call, ...others] = calls
  for (const { method } of others) {
    report(
      cursor,
      "L101",
      method,
      "A section holds one call; put a line with ### above this one to start a new section",
    )
  }
  const [check] = rest.checks
  if (check && !call)
    report(cursor, "L102", check, "This section has checks but no call; add a method name and its params")
  const span = { start: from, end: tokenStart(tokens, cursor.index) }
  return { node: { kind: "Section", ...span, header, title, ...rest, ...(call && { call }) }, next: cursor.index }
}

function parseTitle(cursor: Cursor): Word {
  const mark = end(cursor)
  cursor.index++
  if (peek(cursor) !== Kind.Title) return { start: mark, end: mark, text: "" }
  const title = { start: start(cursor), end: end(cursor), text: tokenText(cursor.tokens, cursor.index) }
  cursor.index++
  return title
}

function parseBody(cursor: Cursor): Body {
  const body: Body = { directives: [], variables: [], calls: [], checks: [] }
  for (;;) {
    const kind = tokenKind(cursor.tokens, cursor.index)
    switch (kind) {
      case Kind.SectionMark:
      case Kind.EndOfFile:
        return body
      case Kind.DirectiveMark:
        body.directives.push(parseDirective(cursor))
        break
      case Kind.VariableMark:
        body.variables.push(parseVariable(cursor))
        break
      case Kind.CheckMark:
        body.checks.push(parseCheck(cursor))
        break
      case Kind.Method:
        body.calls.push(parseCall(cursor))
        break
      case Kind.Comment:
        checkIndentedHeader(cursor)
        cursor.index++
        break
      case Kind.LineEnd:
        cursor.index++
        break
      default:
        if (kind <= Kind.LastTrivia) cursor.index++
        else rejectLine(cursor)
    }
  }
}

function reportRepeatedNames(cursor: Cursor, sections: ReadonlyArray<SectionNode>): void {
  const seen = new Set<string>()
  for (const { directives } of sections) {
    const name = directives.find((directive) => directive.name.text === "name")?.value
    if (name === undefined || name.text === "") continue
    if (seen.has(name.text))
      report(cursor, "L105", name, `Another section is named ${name.text}; choose a different name`)
    seen.add(name.text)
  }
}
