/** Joins parts to the result of parsing, and finds them again. */
import { byPlace } from "../Diagnostic.ts"
import type { Diagnostic } from "../Diagnostic.ts"
import type { ParseResult } from "../ParseResult.ts"
import type { FileNode } from "../Syntax.ts"
import { tokenStart, tokenText } from "../Token.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { cursorAt, peek, report, span, takeWord } from "./cursor.ts"
import { LazySection } from "./parts.ts"
import type { Parts } from "./parts.ts"

/** The sections that begin between two tokens, of which the second ends the last section. */
export function sectionsBetween(tokens: TokenList, from: number, to: number): ReadonlyArray<LazySection> {
  const sections: Array<LazySection> = []
  let mark = nextMark(tokens, from, to)
  while (mark < to) {
    const next = nextMark(tokens, mark + 1, to)
    sections.push(new LazySection(tokens, mark, span(tokenStart(tokens, mark), tokenStart(tokens, next))))
    mark = next
  }
  return sections
}

/** The result whose content is read from the parts when it is asked for. */
export function resultOf(tokens: TokenList, parts: Parts): ParseResult {
  const { prelude, sections } = parts
  const end = tokens.text.length
  const tree: FileNode = { kind: "File", start: 0, end, prelude: prelude.node, sections, tokens }
  partsOfTrees.set(tree, parts)
  let diagnostics: ReadonlyArray<Diagnostic> | undefined
  return {
    tree,
    get diagnostics() {
      diagnostics ??= [prelude, ...sections]
        .flatMap(({ findings }) => findings)
        .concat(repeatedNames(tokens))
        .toSorted(byPlace)
      return diagnostics
    },
  }
}

/** Reports every section whose first `# @name` says what that of an earlier section says. No section is parsed for it. */
function repeatedNames(tokens: TokenList): ReadonlyArray<Diagnostic> {
  const cursor = cursorAt(tokens, 0)
  const seen = new Set<string>()
  let isNameless = false
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokens.data[index * 2]
    if (kind === Kind.SectionMark) isNameless = true
    if (kind !== Kind.DirectiveName || !isNameless || tokenText(tokens, index) !== "name") continue
    isNameless = false
    cursor.index = index + 1
    if (peek(cursor) !== Kind.DirectiveValue) continue
    const name = takeWord(cursor)
    if (seen.has(name.text)) {
      report(cursor, "L105", name, `another section is named ${name.text}; choose a different name`)
    }
    seen.add(name.text)
  }
  return cursor.diagnostics
}

/** The parts of a tree that came from `resultOf`. */
export function knownParts(tree: FileNode): Parts | undefined {
  return partsOfTrees.get(tree)
}

const partsOfTrees = new WeakMap<FileNode, Parts>()

function nextMark({ data }: TokenList, from: number, to: number): number {
  let index = from
  while (index < to && data[index * 2] !== Kind.SectionMark) index++
  return index
}
