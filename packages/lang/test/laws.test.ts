import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  childrenOf,
  format,
  isSyntaxError,
  nodesAt,
  parse,
  print,
  tokenEnd,
  tokenKind,
  tokenStart,
  tokenText,
} from "../src/index.ts"
import { TokenKind } from "../src/index.ts"
import type { Diagnostic, FileNode, SectionNode, SyntaxNode, TextEdit } from "../src/index.ts"
import { corpus } from "./corpusFiles.ts"
import { anyText, cleanText, damagedText, languageText, sectionText } from "./fragments.ts"

const texts = {
  "any code units": anyText,
  "language fragments": languageText,
  "damaged files": damagedText,
  "clean sections": cleanText,
}
const runs = { numRuns: 1000 }

describe.each(Object.entries(texts))("for %s", (_, arbitrary) => {
  test("printing the tree gives the text back", () => {
    holds(arbitrary, (text) => expect(print(parse(text).tree)).toBe(text))
  })

  test("tokens are not empty and leave no gaps", () => {
    holds(arbitrary, (text) => expect(gaps(parse(text).tree)).toEqual([]))
  })

  test("children lie inside their parents, in order", () => {
    holds(arbitrary, (text) => expect(misplaced(parse(text).tree)).toEqual([]))
  })

  test("diagnostics and their fixes lie inside the text, in order", () => {
    holds(arbitrary, (text) => expect(misplacedFindings(text)).toEqual([]))
  })

  test("formatting twice is formatting once", () => {
    holds(arbitrary, (text) => expect(format(format(text))).toBe(format(text)))
  })

  test("formatting changes only white space", () => {
    holds(arbitrary, (text) => expect(wordsOf(format(text))).toEqual(wordsOf(text)))
  })

  test("formatting leaves sections with syntax errors alone", () => {
    holds(arbitrary, (text) => expect(brokenSections(format(text))).toEqual(brokenSections(text)))
  })
})

test("clean sections have no errors of syntax", () => {
  holds(cleanText, (text) => expect(parse(text).diagnostics.filter(isSyntaxError)).toEqual([]))
})

test("what is inside one section changes no other section", () => {
  const sections = fc.array(sectionText, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(sections, sectionText, fc.nat(), (before, replacement, choice) => {
      const changed = choice % before.length
      const after = before.with(changed, replacement)
      const [left, right] = [sectionsOf(before.join("")), sectionsOf(after.join(""))]
      expect(right.toSpliced(changed, 1)).toEqual(left.toSpliced(changed, 1))
      expect(right[changed]).toEqual(sectionsOf(replacement)[0])
    }),
    runs,
  )
})

test.each(corpus.filter(([name]) => name !== "too-deep"))("every prefix of %s parses and prints back", (_, text) => {
  for (let end = 0; end <= text.length; end++) {
    const prefix = text.slice(0, end)
    expect(print(parse(prefix).tree)).toBe(prefix)
  }
})

test.each(corpus)("every fix in %s removes what it repairs", (_, text) => {
  const { diagnostics } = parse(text)
  const useless = diagnostics.filter(({ code, fix }) => {
    const repaired = (fix?.edits ?? []).reduceRight(applied, text)
    return fix && countOf(code, parse(repaired).diagnostics) >= countOf(code, diagnostics)
  })
  expect(useless).toEqual([])
})

test.each([
  ["brackets", "["],
  ["objects", '{"a":'],
  ["groups", "{{("],
  ["negations", "{{!"],
  ["closing brackets", "]"],
  ["calls", "{{f("],
])("a hundred thousand nested %s do not overflow the stack", (_, unit) => {
  const nested = unit.startsWith("{{") ? unit + unit.slice(2).repeat(100_000) : unit.repeat(100_000)
  for (const text of [`### a\nm [${nested}\n### b\nm []`, `@x = ${nested}`, `### a\nm []\n?? ${nested.slice(2)}`]) {
    const { tree, diagnostics } = parse(text)
    expect(print(tree)).toBe(text)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics.length).toBeLessThan(100_010)
    expect(format(text).length).toBeGreaterThan(0)
    expect(nodesAt(tree, text.length >> 1).length).toBeLessThan(2000)
  }
})

function holds(arbitrary: fc.Arbitrary<string>, law: (text: string) => void): void {
  fc.assert(
    fc.property(arbitrary, (text) => {
      law(text)
    }),
    runs,
  )
}

/** The tokens that do not start where the one before ended, or that are empty; -1 when the last does not reach the end. */
function gaps(tree: FileNode): ReadonlyArray<number> {
  const { tokens } = tree
  const wrong: Array<number> = []
  let offset = 0
  for (let index = 0; index < tokens.length; index++) {
    if (tokenStart(tokens, index) !== offset || tokenEnd(tokens, index) <= offset) wrong.push(index)
    offset = tokenEnd(tokens, index)
  }
  return offset === tree.end ? wrong : [...wrong, -1]
}

function misplaced(node: SyntaxNode): ReadonlyArray<SyntaxNode> {
  let offset = node.start
  return childrenOf(node).flatMap((child) => {
    const isWrong = child.start < offset || child.end < child.start || child.end > node.end
    offset = child.end
    return isWrong ? [child] : misplaced(child)
  })
}

function misplacedFindings(text: string): ReadonlyArray<Diagnostic> {
  let offset = 0
  return parse(text).diagnostics.filter(({ start, end, fix }) => {
    const isInOrder = start >= offset && end > start && end <= text.length
    offset = start
    return !isInOrder || !areInOrder(fix?.edits ?? [], text.length)
  })
}

function countOf(code: string, findings: ReadonlyArray<Diagnostic>): number {
  return findings.filter((finding) => finding.code === code).length
}

function applied(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end)
}

function areInOrder(edits: ReadonlyArray<TextEdit>, length: number): boolean {
  return edits.every(
    (edit, index) => edit.start >= (edits[index - 1]?.end ?? 0) && edit.end >= edit.start && edit.end <= length,
  )
}

/** The kinds and texts of all tokens that are not white space. */
function wordsOf(text: string): ReadonlyArray<string> {
  const { tokens } = parse(text).tree
  const words: Array<string> = []
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokenKind(tokens, index)
    if (kind === TokenKind.Whitespace || kind === TokenKind.Newline || kind === TokenKind.LineEnd) continue
    words.push(`${kind} ${tokenText(tokens, index)}`)
  }
  return words
}

/** The text of each section with a syntax error, and nothing for the others. */
function brokenSections(text: string): ReadonlyArray<string | undefined> {
  const { tree, diagnostics } = parse(text)
  const errors = diagnostics.filter(isSyntaxError)
  return tree.sections.map(({ start, end }) =>
    errors.some((error) => error.start >= start && error.start < end) ? text.slice(start, end) : undefined,
  )
}

/** Each section with its diagnostics, all offsets counted from its start. */
function sectionsOf(text: string): ReadonlyArray<unknown> {
  const { tree, diagnostics } = parse(text)
  return tree.sections.map((section) => ({
    tree: relative(section, section),
    diagnostics: diagnostics
      .filter(({ code, start }) => code !== "L105" && start >= section.start && start < section.end)
      .map((finding) => relative(finding, section)),
  }))
}

function relative(value: unknown, section: SectionNode): unknown {
  if (Array.isArray(value)) return value.map((item) => relative(item, section))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const isOffset = (key === "start" || key === "end") && typeof entry === "number"
      return [key, isOffset ? entry - section.start : relative(entry, section)]
    }),
  )
}
