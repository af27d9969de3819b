/** A text that takes the place of another is read as if it were new. */
import { parse } from "@dotrpc/lang"
import { expect, it } from "vitest"
import { editorText, replaceText } from "../src/EditorText.ts"

const check = (before: string, after: string) => {
  const { edits, lines, parsed } = replaceText(editorText(before), after)
  expect(lines.text).toBe(after)
  expect(parsed.tree.tokens.text).toBe(after)
  expect(parsed.diagnostics).toEqual(parse(after).diagnostics)
  expect(parsed.tree.sections.map(({ end, start }) => [start, end])).toEqual(
    parse(after).tree.sections.map(({ end, start }) => [start, end]),
  )
  expect(edits).toBe(before === after ? 0 : 1)
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
