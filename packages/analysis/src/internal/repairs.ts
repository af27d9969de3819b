/**
 * Which fixes of the parser are offered: those after which their section, or the prelude, has fewer problems of syntax. A
 * problem in one section never changes another, so that is enough to know. A fix of meaning replaces the word that is wrong.
 */
import { type Diagnostic, type FileNode, parse, type Span, type TextEdit } from "@dotrpc/lang"
import { sectionAt } from "@dotrpc/lang/locate"

/** The characters that are parsed for that, at most: anyone who has so many problems looks at the first of them. */
const mostParsed = 500_000

/** The longest section whose fixes are tried. */
const longestPart = 50_000

/** The diagnostics, without the fixes that make nothing better; in steps of one fix each. */
export function* withSoundFixes(
  diagnostics: ReadonlyArray<Diagnostic>,
  tree: FileNode,
): Generator<void, ReadonlyArray<Diagnostic>> {
  const before = new Map<Span, number>()
  const found: Array<Diagnostic> = []
  let parsed = 0
  for (const diagnostic of diagnostics) {
    const { fix, ...rest } = diagnostic
    if (fix === undefined || !diagnostic.code.startsWith("L")) {
      found.push(diagnostic)
      continue
    }
    const part: Span = sectionAt(tree, diagnostic.start) ?? tree.prelude
    const length = part.end - part.start
    parsed += length
    if (length > longestPart || parsed > mostParsed || !fix.edits.every((edit) => isInside(edit, part))) {
      found.push(rest)
      continue
    }
    yield
    const text = tree.tokens.text.slice(part.start, part.end)
    const problems = before.get(part) ?? problemsIn(text)
    before.set(part, problems)
    found.push(problemsIn(edited(text, fix.edits, part.start)) < problems ? diagnostic : rest)
  }
  return found
}

const problemsIn = (text: string): number => parse(text).diagnostics.length

const edited = (text: string, edits: ReadonlyArray<TextEdit>, from: number): string =>
  edits
    .toReversed()
    .reduce((now, edit) => now.slice(0, edit.start - from) + edit.text + now.slice(edit.end - from), text)

const isInside = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end
