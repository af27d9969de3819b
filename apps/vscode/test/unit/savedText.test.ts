/** Results as files. */
import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { delimited } from "@dotrpc/columns/delimited"
import { runs } from "@dotrpc/vitest/depth"
import { jsonPieces } from "../../src/results/jsonPieces.ts"
import { type SaveFormat, savedText } from "../../src/results/savedText.ts"
import { report, rows } from "./reports.ts"

const result = Json.parse(
  '[{"lamports":18446744073709551615,"log":{"address":"0xab","topics":["0x1","0x2"]}},{"price":1.0,"note":"a, \\"b\\""}]',
)
const check = (format: SaveFormat, expected: string) =>
  expect([...savedText(format, report({ ...rows([["1"], ["2"]]), result }), result)].join("")).toBe(expected)

test("JSON keeps every digit", () => {
  const text = [...savedText("json", report(), result)].join("")
  expect(text).toContain('"lamports": 18446744073709551615')
  expect(text).toContain('"price": 1.0')
})

describe("a long result", () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    index,
    log: { text: `line\n${index}`, all: [1n, 2n] },
  }))
  const longest = (pieces: ReadonlyArray<string>, mark: string) =>
    Math.max(...pieces.map((piece) => piece.split(mark).length - 1))

  test("is written in pieces of 500 items", () => {
    const source = report({ ...rows(items.map(() => ["1"])), result: items })
    const json = [...savedText("json", source, items)]
    expect([json.length, longest(json, '"index"')]).toEqual([22, 500])
    expect(json.join("")).toBe(`${Json.stringify(items, 2)}\n`)
    const lines = [...savedText("ndjson", source, items)]
    expect([lines.length, longest(lines, "\n")]).toEqual([20, 500])
    const table = [...savedText("csv", source, items)]
    expect([table.length, longest(table, "\r\n")]).toEqual([41, 500])
    expect(table.join("").split("\r\n").length).toBe(10_002)
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

describe("rows with a call each are saved with their results", () => {
  const rowItems = ["0x0", null].map((of, index) => ({ row: { address: `0xa${index}`, least: 5n }, result: of }))
  const check = (format: SaveFormat, expected: string) =>
    test(format, () => {
      const whole = { ...rows([["0xa0"], ["0xa1"]]), result: ["0x0", null], items: rowItems }
      const part = { partial: { ...whole, result: ["0x0"] } }
      for (const source of [report(whole), report(part)])
        expect([...savedText(format, source, source.result ?? null)].join("")).toBe(expected)
    })
  check("csv", "row.address,row.least,result\r\n0xa0,5,0x0\r\n0xa1,5,\r\n")
  check(
    "ndjson",
    '{"row":{"address":"0xa0","least":5},"result":"0x0"}\n{"row":{"address":"0xa1","least":5},"result":null}\n',
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

describe("what was decoded of an item", () => {
  const log = {
    address: "0xab",
    topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
  }
  const table = {
    noun: ["log", "logs"] as const,
    total: 1,
    columns: [
      { name: "block" },
      { name: "event", decoded: true as const },
      { name: "value", decoded: true as const },
      { name: "ids", decoded: true as const },
    ],
    rows: [["1", "Transfer", "5,306,420,000,000,000,000,000", '["1,000", 1,000]']],
  }
  const decoded = (format: SaveFormat): string => {
    const items: ReadonlyArray<Json.Json> = [log]
    return [...savedText(format, report({ result: items, render: () => table }), items)].join("")
  }

  test("has columns of its own in CSV, with plain numbers", () => {
    expect(decoded("csv").split("\r\n").slice(0, 2)).toEqual([
      "address,topics,decoded.event,decoded.value,decoded.ids",
      `0xab,"[""${log.topics[0]}""]",Transfer,5306420000000000000000,"[""1,000"", 1000]"`,
    ])
  })
  test("follows the item in NDJSON", () => {
    expect(Json.parse(decoded("ndjson"))).toEqual({
      ...log,
      decoded: { event: "Transfer", value: "5306420000000000000000", ids: '["1,000", 1000]' },
    })
  })
  test("is not in JSON, which is what the server sent", () => {
    expect(Json.parse(decoded("json"))).toEqual([log])
  })
})
