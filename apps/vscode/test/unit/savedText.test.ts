/** Results as files. */
import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { delimited } from "../../src/results/delimited.ts"
import { type SaveFormat, savedText } from "../../src/results/savedText.ts"
import { report, rows } from "./reports.ts"

const result = Json.parse(
  '[{"lamports":18446744073709551615,"log":{"address":"0xab","topics":["0x1","0x2"]}},{"price":1.0,"note":"a, \\"b\\""}]',
)
const check = (format: SaveFormat, expected: string) =>
  expect(savedText(format, report({ ...rows([["1"], ["2"]]), result }), result)).toBe(expected)

test("JSON keeps every digit", () => {
  expect(savedText("json", report(), result)).toContain('"lamports": 18446744073709551615')
  expect(savedText("json", report(), result)).toContain('"price": 1.0')
})

test("NDJSON has an item on each line", () => {
  check(
    "ndjson",
    '{"lamports":18446744073709551615,"log":{"address":"0xab","topics":["0x1","0x2"]}}\n{"price":1.0,"note":"a, \\"b\\""}\n',
  )
})

test("CSV has a column for each member", () => {
  check(
    "csv",
    'lamports,log.address,log.topics,price,note\r\n18446744073709551615,0xab,"[""0x1"",""0x2""]",,\r\n,,,1.0,"a, ""b"""\r\n',
  )
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
