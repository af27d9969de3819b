import { describe, expect, test } from "vitest"
import { parse, reparse } from "../src/index.ts"
import type { TextEdit } from "../src/index.ts"
import { editCases } from "./editFiles.ts"
import { laws } from "./laws.ts"
import { plainResult } from "./plain.ts"

const file = "@x = 1\n### a\n# @name a\nm [1]\n### b\n# @name b\nm [2]\n### c\nm [3]\n"

/** Replaces `find` in the file and tells the titles of the sections whose nodes are the same objects as before. */
function check(find: string, text: string): string {
  const before = parse(file)
  const start = file.indexOf(find)
  const after = reparse(before, { start, end: start + find.length, text })
  expect(plainResult(after)).toEqual(plainResult(parse(file.replace(find, text))))
  return after.tree.sections
    .filter((section) => before.tree.sections.includes(section))
    .map((section) => section.title.text)
    .join(" ")
}

describe("an edit keeps the nodes that it does not touch", () => {
  test.each([
    ["[2]", "[20]", "a"],
    ["[2]", "[9]", "a c"],
    ["[1]", "[]", ""],
    ["[3]", "{}", "a b"],
    ["1", "10", ""],
    ["### b", "## b", ""],
    ["### c\nm [3]\n", "", "a"],
    ["### c", "### d\n### c", "a"],
    ["# @name b", "# @name a", "a c"],
    ["m [2]\n", "m [2]", "a"],
  ])("%j to %j keeps %j", (find, text, expected) => {
    expect(check(find, text)).toBe(expected)
  })
})

test("what is behind an edit is known again without another look at it", () => {
  const text = `### a\nm [\n${"### b\nm [007]\n".repeat(3)}`
  const before = parse(text)
  const known = before.diagnostics
  const { diagnostics } = reparse(before, { start: 6, end: 6, text: "\n\n" })
  expect(diagnostics.map(({ code, start }) => `${code} ${start}`)).toEqual(
    known.map(({ code, start }) => `${code} ${start + 2}`),
  )
  expect(diagnostics[1]?.fix?.edits[0]?.start).toBe((known[1]?.fix?.edits[0]?.start ?? 0) + 2)
})

test.each([
  [{ start: -5, end: -1, text: "# " }, `# ${file}`],
  [{ start: 900, end: 999, text: "#" }, `${file}#`],
  [{ start: 3, end: 1, text: " " }, `${file.slice(0, 3)} ${file.slice(3)}`],
  [{ start: 0, end: 999, text: "" }, ""],
])("an edit outside the text is moved to its nearest end: %o", (edit: TextEdit, expected) => {
  expect(plainResult(reparse(parse(file), edit))).toEqual(plainResult(parse(expected)))
})

test("a tree that was copied is parsed again", () => {
  const { tree, diagnostics } = parse(file)
  const copied = { tree: { ...tree }, diagnostics }
  expect(plainResult(reparse(copied, { start: 0, end: 0, text: "\n" }))).toEqual(plainResult(parse(`\n${file}`)))
})

test("a name that is given twice is found across sections that were not parsed again", () => {
  const after = reparse(parse(file), { start: file.indexOf("a\nm"), end: file.indexOf("a\nm") + 1, text: "b" })
  expect(after.diagnostics.map(({ code, start }) => `${code} ${start}`)).toEqual([`L105 ${file.indexOf("b\nm")}`])
})

describe.each(editCases)("%s keeps every law", (_, { text, edit }) => {
  test.each(Object.entries(laws))("%s", (_, keeps) => {
    expect(keeps(text, edit)).toBe(true)
  })
})
