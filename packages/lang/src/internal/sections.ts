/** Parses the prelude and the sections, each by its own tokens. */
import type { Diagnostic } from "../Diagnostic.ts"
import type {
  CallNode,
  CheckNode,
  DirectiveNode,
  PreludeNode,
  SectionBody,
  SectionNode,
  VariableNode,
} from "../Syntax.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { cursorAt, kindAt, report, span, start, takeWordIf } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { checkDirectives, parseDirective } from "./directives.ts"
import { checkIndentedHeader, parseCall, parseCheck, parseVariable, rejectLine } from "./lines.ts"

/** A node, and what is wrong in it in the order in which it was found. */
export interface Parsed<Node> {
  readonly node: Node
  readonly findings: ReadonlyArray<Diagnostic>
}

/** Parses what stands before the first section. */
export function parsePrelude(tokens: TokenList): Parsed<PreludeNode> {
  const cursor = cursorAt(tokens, 0)
  const { directives, variables, call, checks } = parseBody(cursor, "prelude")
  const node: PreludeNode = { kind: "Prelude", start: 0, end: start(cursor), directives, variables, call, checks }
  return { node, findings: cursor.diagnostics }
}

/** Parses the section whose mark is the token at `index`. */
export function parseSection(tokens: TokenList, index: number): Parsed<SectionNode> {
  const cursor = cursorAt(tokens, index)
  const from = start(cursor)
  cursor.index++
  const title = takeWordIf(cursor, Kind.Title)
  const header = span(from, title.end)
  const { directives, variables, call, checks } = parseBody(cursor, "section")
  const [check] = checks
  if (check !== undefined && call === undefined) {
    report(cursor, "L102", check, "this section has checks but no call; add a method name and its params")
  }
  const end = start(cursor)
  const node: SectionNode = { kind: "Section", start: from, end, header, title, directives, variables, call, checks }
  return { node, findings: cursor.diagnostics }
}

/** Parses everything up to the next section. */
function parseBody(cursor: Cursor, place: "prelude" | "section"): SectionBody {
  const directives: Array<DirectiveNode> = []
  const variables: Array<VariableNode> = []
  const checks: Array<CheckNode> = []
  let call: CallNode | undefined
  for (;;) {
    const kind = kindAt(cursor, cursor.index)
    switch (kind) {
      case Kind.SectionMark:
      case Kind.EndOfFile:
        checkDirectives(cursor, directives, place)
        return { directives, variables, call, checks }
      case Kind.DirectiveMark:
        directives.push(parseDirective(cursor))
        break
      case Kind.VariableMark:
        variables.push(parseVariable(cursor))
        break
      case Kind.CheckMark: {
        const check = parseCheck(cursor)
        checks.push(check)
        if (place === "prelude")
          report(cursor, "L104", check, "a check belongs to a section; move it below the call that it checks")
        break
      }
      case Kind.Method: {
        const next = parseCall(cursor)
        if (place === "prelude") {
          report(cursor, "L103", next.method, "a call belongs to a section; put a line with ### above it")
        } else if (call !== undefined) {
          const message = "a section has one call; put a line with ### above this one to start a new section"
          report(cursor, "L101", next.method, message)
        }
        call ??= next
        break
      }
      default:
        if (kind === Kind.Comment) checkIndentedHeader(cursor)
        if (kind <= Kind.LastTrivia || kind === Kind.LineEnd) cursor.index++
        else rejectLine(cursor)
    }
  }
}
