/** Parses directive lines and checks what their text alone shows. */
import { directiveInfo, directives, shapes } from "../Directive.ts"
import type { DirectiveInfo } from "../Directive.ts"
import type { DirectiveNode } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import { peek, replacing, report, span, start, takeWord, takeWordIf } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"

/** Parses the directive whose mark is at the cursor: the mark, the `@`, the name and, if there is one, the value. */
export function parseDirective(cursor: Cursor): DirectiveNode {
  const from = start(cursor)
  cursor.index++
  while (peek(cursor) !== Kind.DirectiveName) cursor.index++
  const name = takeWord(cursor)
  const value = takeWordIf(cursor, Kind.DirectiveValue)
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
    if (info === undefined) {
      reportUnknown(cursor, node)
      continue
    }
    checkValue(cursor, node, info)
    const word = `@${info.name}`
    if (info.place !== "both" && info.place !== place) {
      const advice =
        info.place === "section" ? "a section; move it below a ###" : "the whole file; move it above the first ###"
      report(cursor, "L206", node, `${word} belongs to ${advice}`)
    }
    if (seen.has(word) && !info.repeats) report(cursor, "L205", node, `${word} is given twice here; keep one of them`)
    seen.add(word)
  }
}

function checkValue(cursor: Cursor, node: DirectiveNode, { name: word, shape, example }: DirectiveInfo): void {
  const { name, value } = node
  const [expected, pattern] = shapes[shape]
  if (pattern.test(value.text)) return
  if (shape === "nothing") {
    const fix = replacing("Remove it", span(name.end, value.end), "")
    report(cursor, "L204", value, `@${word} takes ${expected}; remove it`, fix)
  } else {
    const isMissing = value.text === ""
    const message = `@${word} needs ${expected}, for example @${word} ${example}`
    report(cursor, isMissing ? "L202" : "L203", isMissing ? node : value, message)
  }
}

function reportUnknown(cursor: Cursor, { name }: DirectiveNode): void {
  const names = directives.map((info) => info.name)
  const meant = closest(name.text, names)
  const fix = meant === undefined ? undefined : replacing(`Write @${meant}`, name, meant)
  const hint = meant === undefined ? `expected one of @${names.join(", @")}` : `did you mean @${meant}?`
  // A misspelt one was meant to hold: without its budget or its @skip the request would be sent.
  report(cursor, meant === undefined ? "L201" : "L207", name, `unknown directive @${name.text}; ${hint}`, fix)
}

/** The candidate with the fewest edits of one letter, if they are no more than two and at most half the letters of the word. */
function closest(word: string, candidates: ReadonlyArray<string>): string | undefined {
  for (let edits = 0; edits <= 2 && edits * 2 <= word.length; edits++) {
    const found = candidates.find((candidate) => isWithin(edits, word.toLowerCase(), candidate))
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether so many edits are enough to make one word the other. */
function isWithin(edits: number, left: string, right: string): boolean {
  if (edits === 0 || left === right) return left === right
  const [leftRest, rightRest] = [left.slice(1), right.slice(1)]
  if (left[0] === right[0]) return isWithin(edits, leftRest, rightRest)
  return [
    [leftRest, rightRest],
    [leftRest, right],
    [left, rightRest],
  ].some(([one = "", other = ""]) => isWithin(edits - 1, one, other))
}
