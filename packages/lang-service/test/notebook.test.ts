/** A file as cells, and back. */
import { readdirSync, readFileSync } from "node:fs"

import { parse } from "@dotrpc/lang"
import { lineIndex, offsetAt } from "@dotrpc/lang/locate"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { assemble, type NotebookCellText } from "../src/notebook/assemble.ts"
import { cellsOf } from "../src/notebook/cells.ts"
import { splitCell } from "../src/notebook/splitCell.ts"
import { textPart } from "../src/TextPart.ts"

const corpusFolder = new URL("../../lang/test/corpus/", import.meta.url)
const corpus = readdirSync(corpusFolder)
  .filter((name) => name.endsWith(".rpc"))
  .map((name) => [name, readFileSync(new URL(name, corpusFolder), "utf8")] as const)

/** What a text editor makes of a cell: one kind of line end, no byte order mark. */
const asEdited = (lineEnd: string, cells: ReadonlyArray<NotebookCellText>): ReadonlyArray<NotebookCellText> =>
  cells.map((cell) => ({ ...cell, value: cell.value.replace(/^\uFEFF/, "").replace(/\r\n|\r|\n/g, lineEnd) }))

const piece = fc.constantFrom(
  ..."\n|\r\n|\r|\n\n| |\t|\uFEFF|### A title\n|###\n|###B\r\n|  ### c|# words\n|# @name x\n|#@tag\n|#\n|@x = 1\n".split(
    "|",
  ),
  ...'eth_getLogs [{}]\n|eth_getLogs [\n|?? result\n|// note\n|é😀|\u00a0|{{|"'.split("|"),
)
const anyFile = fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(""))

describe("a file nobody changed is written back as it was", () => {
  const check = (text: string) => {
    const cells = cellsOf(text)
    expect(assemble(cells).text).toBe(text)
    for (const lineEnd of ["\n", "\r\n"]) expect(assemble(asEdited(lineEnd, cells)).text).toBe(text)
  }

  test.each(corpus)("%s", (_, text) => check(text))

  test("any text", () => {
    expect(() => fc.assert(fc.property(anyFile, check), { numRuns: runs(2_000) })).not.toThrow()
  })
})

test("a change of one cell changes its section only", () => {
  const value = fc.constantFrom("", "eth_getLogs [{}]", "eth_getLogs [\n", "# note\n?? 1 == 1", "words")
  fc.assert(
    fc.property(anyFile, fc.nat(), value, (text, choice, replacement) => {
      const cells = cellsOf(text)
      fc.pre(cells.some(({ source }) => source.text !== ""))
      const at = choice % cells.length
      const before = assemble(cells)
      const after = assemble(cells.map((cell, index) => (index === at ? { ...cell, value: replacement } : cell)))
      const [start = 0, end = 0] = [before.spans[at]?.start, before.spans[at]?.end]
      const [newStart = 0, newEnd = 0] = [after.spans[at]?.start, after.spans[at]?.end]
      const others = [text.slice(0, start), text.slice(end)]
      expect([after.text.slice(0, newStart), after.text.slice(newEnd)]).toEqual(others)
      expect(parse(after.text).tree.sections.length).toBe(parse(text).tree.sections.length)
    }),
    { numRuns: runs(2_000) },
  )
})

describe("cells", () => {
  const check = (text: string, expected: ReadonlyArray<readonly [kind: string, value: string]>) =>
    expect(cellsOf(text).map(({ kind, value }) => [kind, value])).toEqual(expected)

  test("the prelude is code, a title is Markdown, what is below it is code", () => {
    check("@a = 1\n\n### Logs\n# @name logs\neth_getLogs [{}]\n\n### Blocks\neth_getBlockRange []\n", [
      ["code", "@a = 1"],
      ["title", "### Logs"],
      ["code", "# @name logs\neth_getLogs [{}]"],
      ["title", "### Blocks"],
      ["code", "eth_getBlockRange []"],
    ])
  })

  test("comments right below a title are its words", () => {
    check("### Logs\n# Of one token.\n#\n#  - not all\n# @name logs\nm\n", [
      ["title", "### Logs\n\nOf one token.\n\n - not all"],
      ["code", "# @name logs\nm"],
    ])
  })

  test("a section without a title is code alone", () => {
    check("###\nm\n", [["code", "m"]])
  })

  test("an empty file has a cell to write into", () => {
    check("", [["code", ""]])
  })
})

describe("cells that were added, moved or removed", () => {
  const title = (value: string): NotebookCellText => ({ kind: "title", value })
  const code = (value: string): NotebookCellText => ({ kind: "code", value })
  const check = (cells: ReadonlyArray<NotebookCellText>, expected: string) =>
    expect(assemble(cells).text).toBe(expected)

  test("code without a title becomes a section of its own", () => {
    check([code("m [1]"), code("n [2]")], "###\nm [1]\n###\nn [2]\n")
    check([...cellsOf("### A\nm\n"), code("n [2]")], "### A\nm\n###\nn [2]\n")
  })

  test("a call that is written into an empty file is a request of it", () => {
    const written = (value: string) => cellsOf("").map((cell) => ({ ...cell, value }))
    check(written("m [1]"), "###\nm [1]")
    check(written("@a = 1"), "@a = 1")
    check(written(""), "")
  })

  test("code that is not a request may stand first", () => {
    check([code("@a = 1"), title("## Logs"), code("m [{{a}}]")], "@a = 1\n\n### Logs\nm [{{a}}]\n")
  })

  test("words below a title become comments, and never directives", () => {
    check(
      [title("# Logs\n\nOf one token.\n\n@name nobody"), code("m")],
      "### Logs\n# Of one token.\n#\n# \\@name nobody\nm\n",
    )
  })

  test("a request keeps its section when its title is removed", () => {
    check(
      cellsOf("### A\nm\n\n### B\nn\n").filter(({ value }) => value !== "### B"),
      "### A\nm\n\n###\nn\n",
    )
  })

  test("a last line without an end gets one when something follows it", () => {
    check([...cellsOf("### A\nm"), title("### B")], "### A\nm\n\n### B\n")
  })

  test("the section behind cells that were added keeps its distance", () => {
    const [first, body, ...rest] = cellsOf("### A\nm\n\n### B\nn\n")
    if (first === undefined || body === undefined) throw new Error("There is no cell.")
    check([first, body, title("### More"), code("m [2]"), ...rest], "### A\nm\n\n### More\nm [2]\n\n### B\nn\n")
  })

  test("line ends are those of the file", () => {
    check([...cellsOf("### A\r\nm\r\n"), title("### B"), code("n [\n]")], "### A\r\nm\r\n\r\n### B\r\nn [\r\n]\r\n")
  })
})

describe("a cell that sections were written into", () => {
  const check = (text: string, expected: ReturnType<typeof splitCell>) => expect(splitCell(text)).toEqual(expected)

  test("keeps its own, and the others become cells", () =>
    check("# @name a\nm [1]\n\n### More\n# Of it.\nm [2]\n###\nm [3]", {
      value: "# @name a\nm [1]",
      added: [
        { kind: "title", value: "### More\n\nOf it." },
        { kind: "code", value: "m [2]" },
        { kind: "code", value: "m [3]" },
      ],
    }))

  test("stays as it is when it has one section, with its mark or without", () => {
    check("# @name a\nm [1]\n", undefined)
    check("\n###\nm [1]\n", undefined)
    check("", undefined)
  })

  test("has the requests that it had, in the file too", () => {
    const requestsOf = (text: string) => {
      const { prelude, sections } = parse(text).tree
      return [prelude, ...sections].flatMap(({ call }) => (call === undefined ? [] : [call.method.text]))
    }
    // Editors hold no byte order mark.
    const anyCell = anyFile.map((text) => text.replaceAll("\uFEFF", ""))
    fc.assert(
      fc.property(anyFile, fc.nat(), anyCell, (text, choice, written) => {
        const cells = cellsOf(text)
        const codes = cells.flatMap(({ kind }, index) => (kind === "code" ? [index] : []))
        const at = codes[choice % codes.length]
        const split = splitCell(written)
        if (at === undefined || split === undefined) return
        const whole = cells.map((cell, index) => (index === at ? { ...cell, value: written } : cell))
        const parted = whole.flatMap((cell, index): ReadonlyArray<NotebookCellText> =>
          index === at ? [{ ...cell, value: split.value }, ...split.added] : [cell],
        )
        expect(requestsOf(assemble(parted).text)).toEqual(requestsOf(assemble(whole).text))
        expect(split.added.map(({ value }) => splitCell(value))).toEqual(split.added.map(() => undefined))
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe("places", () => {
  /** Every place of a cell, as an editor with one kind of line end counts them. */
  const placesOf = (value: string) =>
    value.split("\n").flatMap((line, number) =>
      Array.from({ length: line.length + 1 }, (_, character) => ({
        position: { line: number, character },
        next: line[character] ?? "",
      })),
    )

  const check = (text: string) => {
    const cells = asEdited("\n", cellsOf(text))
    const { spans, text: whole } = assemble(cells)
    const lines = lineIndex(whole)
    cells.forEach(({ kind, value }, index) => {
      const span = spans[index]
      if (kind === "title" || span === undefined) return
      const part = textPart(lines, span)
      for (const { next, position } of placesOf(value)) {
        const place = part.toWhole(position)
        expect(part.toPart({ start: place, end: place })).toEqual({ start: position, end: position })
        const offset = offsetAt(lines, place)
        expect(whole.slice(offset, offset + next.length)).toBe(next)
      }
    })
  }

  /** Editors show no byte order mark where a cell begins; it is one only at the beginning of a file. */
  const file = anyFile.filter((text) => !text.includes("\uFEFF", 1))

  test("of a cell are the same text in the file, and lead back", () => {
    fc.assert(fc.property(file, check), { numRuns: runs(1_000) })
    expect.hasAssertions()
  })

  test("behind a cell are its end, and none of another cell is in it", () => {
    const { spans, text } = assemble(cellsOf("@a = 1\n\n### B\nm [1]\nn\n"))
    const [first, , second] = spans.map((span) => textPart(lineIndex(text), span))
    expect(first?.toWhole({ line: 7, character: 0 })).toEqual({ line: 0, character: 6 })
    expect(second?.range).toEqual({ start: { line: 3, character: 0 }, end: { line: 4, character: 1 } })
    const call = { start: { line: 3, character: 0 }, end: { line: 3, character: 5 } }
    expect(first?.toPart(call)).toBeUndefined()
    expect(first?.clip(call)).toBeUndefined()
    const section = { start: { line: 2, character: 0 }, end: { line: 4, character: 1 } }
    expect(second?.toPart(section)).toBeUndefined()
    expect(second?.clip(section)).toEqual({ start: { line: 0, character: 0 }, end: { line: 1, character: 1 } })
  })
})
