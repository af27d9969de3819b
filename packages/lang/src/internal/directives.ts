/** Parses directive lines and checks what can be told from their text alone. */
import { directiveInfo, directives, hasShape, shapeName } from "../Directive.ts"
import type { DirectiveInfo } from "../Directive.ts"
import type { DirectiveNode } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import { closest } from "./closest.ts"
import { peek, replacing, report, start, takeWord } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"

/** Parses the directive whose mark is at the cursor: the mark, the `@`, the name and, if there is one, the value. */
export function parseDirective(cursor: Cursor): DirectiveNode {
  const from = start(cursor)
  cursor.index++
  while (peek(cursor) !== Kind.DirectiveName) cursor.index++
  const name = takeWord(cursor)
  const value = peek(cursor) === Kind.DirectiveValue ? takeWord(cursor) : { start: name.end, end: name.end, text: "" }
  return { kind: "Directive", start: from, end: value.end, name, value }
}

/** Checks the directives of the prelude or of one section. */
export function checkDirectives(
  cursor: Cursor,
  nodes: ReadonlyArray<DirectiveNode>,
  place: "prelude" | "section",
): void {
  const seen = new Set<string>()
  for (const node of nodes) {
    const info = directiveInfo(node.name.text)
    if (info === undefined) reportUnknown(cursor, node)
    else {
      checkValue(cursor, node, info)
      if (info.place !== "both" && info.place !== place) {
        const message =
          info.place === "section"
            ? `@${info.name} belongs to a section; move it below a ###`
            : `@${info.name} belongs to the whole file; move it above the first ###`
        report(cursor, "L206", node, message)
      }
      if (seen.has(info.name) && !info.repeats) {
        report(cursor, "L205", node, `@${info.name} is given twice here; keep one of them`)
      }
      seen.add(info.name)
    }
  }
}

function checkValue(cursor: Cursor, node: DirectiveNode, info: DirectiveInfo): void {
  const { name, value } = node
  if (hasShape(info.shape, value.text)) return
  const expected = shapeName(info.shape)
  const example = info.example === "" ? "" : `, for example @${info.name} ${info.example}`
  if (info.shape === "nothing") {
    const fix = replacing("Remove the value", { start: name.end, end: value.end }, "")
    report(cursor, "L204", value, `@${info.name} takes no value; remove it`, fix)
  } else if (value.text === "") {
    report(cursor, "L202", node, `@${info.name} needs ${expected}${example}`)
  } else {
    report(cursor, "L203", value, `@${info.name} needs ${expected}${example}`)
  }
}

function reportUnknown(cursor: Cursor, node: DirectiveNode): void {
  const names = directives.map((info) => info.name)
  const meant = closest(node.name.text, names)
  const fix = meant === undefined ? undefined : replacing(`Write @${meant}`, node.name, meant)
  const hint =
    meant === undefined ? `known are ${names.map((name) => `@${name}`).join(", ")}` : `did you mean @${meant}?`
  report(cursor, "L201", node.name, `Unknown directive @${node.name.text}; ${hint}`, fix)
}
