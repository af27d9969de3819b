import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { format, isSyntaxError, parse, print, reparse } from "../src/index.ts"
import { nodesAt } from "../src/Locate.ts"
import type { Diagnostic, TextEdit } from "../src/index.ts"
import { corpus } from "./corpusFiles.ts"
import { anyText, cleanText, damagedText, edits, languageText, sectionText, within } from "./fragments.ts"
import { laws, sectionsOf } from "./laws.ts"
import { plainResult } from "./plain.ts"

const texts = {
  "any code units": anyText,
  "language fragments": languageText,
  "damaged files": damagedText,
  "clean sections": cleanText,
}
const parameters = { numRuns: runs(1_000) }

describe.each(Object.entries(texts))("for %s", (_, arbitrary) => {
  test.each(Object.entries(laws))("%s", (_, keeps) => {
    fc.assert(
      fc.property(arbitrary, edits, (text, edit) => {
        expect(keeps(text, within(edit, text))).toBe(true)
      }),
      parameters,
    )
  })
})

test("any edits one after the other keep up with parsing", () => {
  fc.assert(
    fc.property(damagedText, fc.array(fc.tuple(edits, fc.boolean()), { maxLength: 6 }), (start, steps) => {
      let text = start
      let result = parse(text)
      for (const [step, isRead] of steps) {
        if (isRead) expect(result.diagnostics).toEqual(parse(text).diagnostics)
        const edit = within(step, text)
        result = reparse(result, edit)
        text = applied(text, edit)
      }
      expect(plainResult(result)).toEqual(plainResult(parse(text)))
    }),
    parameters,
  )
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
    parameters,
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
    parameters,
  )
}

function countOf(code: string, findings: ReadonlyArray<Diagnostic>): number {
  return findings.filter((finding) => finding.code === code).length
}

function applied(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end)
}
