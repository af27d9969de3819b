import { describe, expect, test } from "vitest"
import { parse } from "../src/index.ts"
import { indexAt, lineIndex, nodesAt, offsetAt, positionAt, sectionAt } from "../src/Locate.ts"

test.each([
  [0, -1],
  [1, 0],
  [3, 0],
  [4, -1],
  [5, 1],
  [7, 2],
  [9, 2],
  [10, -1],
])("of nodes at 1 to 3, 5 to 7 and 7 to 9, offset %i is in number %i", (offset, index) => {
  const nodes = [
    { start: 1, end: 3 },
    { start: 5, end: 7 },
    { start: 7, end: 9 },
  ]
  expect(indexAt(nodes, offset)).toBe(index)
})

describe("positions count lines that end with CRLF, LF or CR", () => {
  const text = "a\r\nbb\rc\n\n🚀d"
  test.each([
    [0, 0, 0],
    [1, 0, 1],
    [2, 0, 2],
    [3, 1, 0],
    [5, 1, 2],
    [6, 2, 0],
    [8, 3, 0],
    [9, 4, 0],
    [11, 4, 2],
    [12, 4, 3],
    [99, 4, 3],
    [-5, 0, 0],
  ])("offset %i is line %i, character %i", (offset, line, character) => {
    expect(positionAt(text, offset)).toEqual({ line, character })
    expect(positionAt(lineIndex(text), offset)).toEqual({ line, character })
  })

  test.each([
    [{ line: 0, character: 1 }, 1],
    [{ line: 0, character: 99 }, 1],
    [{ line: 1, character: 2 }, 5],
    [{ line: 1, character: 99 }, 5],
    [{ line: 3, character: 7 }, 8],
    [{ line: 4, character: 99 }, 12],
    [{ line: 9, character: 0 }, 12],
    [{ line: -1, character: 4 }, 0],
    [{ line: 2, character: -4 }, 6],
  ])("position %o is offset %i", (position, offset) => {
    expect(offsetAt(text, position)).toBe(offset)
  })

  test("every offset that is not inside a line break comes back from its position", () => {
    for (const offset of [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(offsetAt(text, positionAt(text, offset))).toBe(offset)
  })
})

describe("the section at an offset", () => {
  const text = "@x = 1\n### a\nm []\n### b\n"
  test.each([
    [0, undefined],
    [6, undefined],
    [7, "a"],
    [17, "a"],
    [18, "b"],
    [24, "b"],
  ])("at %i is %s", (offset, title) => {
    expect(sectionAt(parse(text).tree, offset)?.title.text).toBe(title)
  })
})

describe("the nodes at a cursor", () => {
  test.each([
    ["|### a", "File Section"],
    ["@x|", "File Prelude Variable"],
    ["### a\n# @na|me b", "File Section Directive"],
    ["### a\nm| []", "File Section Call"],
    ['### a\nm [{"a|": 1}]', "File Section Call Array Object Property String Text"],
    ['### a\nm [{"a": {{b|}}}]', "File Section Call Array Object Property Template Name"],
    ['### a\nm ["x{{a.b|}}"]', "File Section Call Array String Template Member"],
    ["### a\nm []\n?? f(a|) == 1", "File Section Check Binary Function Name"],
    ["### a\nm [1,|", "File Section Call Array"],
  ])("%s", (marked, expected) => {
    const { tree } = parse(marked.replace("|", ""))
    const path = nodesAt(tree, marked.indexOf("|"))
    expect(path.map(({ kind }) => kind).join(" ")).toBe(expected)
  })
})
