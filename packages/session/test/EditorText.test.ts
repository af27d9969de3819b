/** A text that takes the place of another, or that is left by changes, is read as if it were new. */
import { parse } from "@dotrpc/lang"
import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { applyChanges, type EditorText, editorText, replaceText } from "../src/EditorText.ts"
import type { TextChange } from "../src/TextChange.ts"

const checkText = ({ lines, parsed }: EditorText, text: string) => {
  expect(lines.text).toBe(text)
  expect(parsed.tree.tokens.text).toBe(text)
  expect(parsed.diagnostics).toEqual(parse(text).diagnostics)
  expect(parsed.tree.sections.map(({ end, start }) => [start, end])).toEqual(
    parse(text).tree.sections.map(({ end, start }) => [start, end]),
  )
}

describe("a text that takes the place of another", () => {
  const check = (before: string, after: string) => {
    const read = replaceText(editorText(before), after)
    checkText(read, after)
    expect(read.edits).toBe(before === after ? 0 : 1)
  }
  it("wherever it differs", () => {
    const text = "@a = 1\n\n### A\r\nm [{{a}}]\r\n\n### B\nn [1, 1, 1]\n"
    const others = ["", text, `\uFEFF${text}`, `${text}### C\n`, text.replace("1, 1, 1", "1, 1"), text.replace("]", "")]
    for (const before of others) for (const after of others) check(before, after)
    check("### A\r\n", "### A\n")
    check("m [1]\r", "m [1]\n")
    check("### 😀\n", "### 😁\n")
    check("##\n", "###\n")
  })
})

describe("changes", () => {
  const at = (line: number, from: number, to: number, text: string): TextChange => ({
    range: { start: { line, character: from }, end: { line, character: to } },
    text,
  })
  const check = (before: string, changes: ReadonlyArray<TextChange>, after: string) =>
    checkText(applyChanges(editorText(before), changes), after)

  it("count their places in the text that the one before has left", () => {
    check("a\nb\nc\n", [at(0, 0, 1, "x\ny"), at(2, 0, 1, "z")], "x\ny\nz\nc\n")
    check("a\nb\nc\n", [at(2, 0, 1, "z"), at(0, 0, 1, "x\ny")], "x\ny\nb\nz\n")
    check("a\rb", [at(1, 0, 1, "\n"), at(1, 0, 0, "c")], "a\r\nc")
    check("a\n", [at(0, 0, 1, "b"), { text: "m []\n" }, at(0, 0, 1, "n")], "n []\n")
    check("a\n", [at(9, 9, 9, "b"), at(-1, 0, 0, "c"), at(0, 99, 99, "d")], "cad\nb")
  })

  const texts = fc.string({
    unit: fc.constantFrom("\n", "\r", "\r\n", "a", "#", "### ", "[", "]", " ", "😀"),
    maxLength: 20,
  })
  const place = fc.record({ line: fc.integer({ min: -1, max: 12 }), character: fc.integer({ min: -1, max: 9 }) })
  const change: fc.Arbitrary<TextChange> = fc.oneof(
    { weight: 9, arbitrary: fc.record({ range: fc.record({ start: place, end: place }), text: texts }) },
    { weight: 1, arbitrary: fc.record({ text: texts }) },
  )
  it("that come together lead to the same text as one after the other", () => {
    fc.assert(
      fc.property(texts, fc.array(change, { maxLength: 8 }), (before, changes) => {
        const text = editorText(before)
        const inTurn = changes.reduce((current, next) => applyChanges(current, [next]), text)
        checkText(applyChanges(text, changes), inTurn.lines.text)
      }),
      { numRuns: runs(2_000) },
    )
  })
})
