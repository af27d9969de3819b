/** Results as text: JSON in pieces, and cells of a table. */
import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { delimited } from "@dotrpc/columns/delimited"
import { runs } from "@dotrpc/vitest/depth"
import { jsonPieces, visiblePieces } from "../../src/results/jsonPieces.ts"

describe("a result as JSON", () => {
  test("keeps every digit", () => {
    const result = Json.parse('[{"lamports":18446744073709551615},{"price":1.0}]')
    expect([...visiblePieces(result)].join("")).toBe(
      '[\n  {\n    "lamports": 18446744073709551615\n  },\n  {\n    "price": 1.0\n  }\n]',
    )
  })

  test("is written in pieces of 500 items", () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({ index }))
    const pieces = [...visiblePieces(items)]
    expect([pieces.length, Math.max(...pieces.map((piece) => piece.split('"index"').length - 1))]).toEqual([21, 500])
  })

  test("of any shape is the same text in pieces", () => {
    const { letrec } = fc
    const { value } = letrec<{ value: Json.Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json.Json>(null, true, 1, 18446744073709551615n, "a\n\u2028", {}, []),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
        fc
          .tuple(tie("value"), fc.constantFrom(499, 500, 501, 1_001))
          .map(([item, times]) => Array.from({ length: times }, () => item)),
      ),
    }))
    fc.assert(
      fc.property(value, (json) => {
        expect([...jsonPieces(json)].join("")).toBe(Json.stringify(json, 2))
      }),
      { numRuns: runs(60) },
    )
    expect.hasAssertions()
  })
})

describe("no cell is a formula", () => {
  const checkCell = (cell: string, expected: string) => expect(delimited(",", [[cell]])).toBe(`${expected}\r\n`)

  test("what would begin one is quoted", () => {
    checkCell("=1+1", "'=1+1")
    checkCell("@SUM(A1)", "'@SUM(A1)")
    checkCell(' =cmd|"/c"', `"' =cmd|""/c"""`)
    checkCell("-2+3", "'-2+3")
    checkCell("\uff1d1", "'\uff1d1")
  })

  test("numbers stay numbers", () => {
    checkCell("-5", "-5")
    checkCell("-1.5e3", "-1.5e3")
  })

  test("whatever is written", () => {
    fc.assert(
      fc.property(fc.string(), (cell) => {
        const field = delimited(",", [[cell]]).slice(0, -2)
        const shown = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
        expect(shown).toSatisfy(
          (text: string) => /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) || !/^\s*[=+\-@]/.test(text),
        )
        expect(shown.replace(/^'/, "")).toBe(cell.replace(/^'/, ""))
      }),
    )
  })
})
