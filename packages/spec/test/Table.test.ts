import { describe, expect, it } from "vitest"
import { Json, Table } from "../src/index.ts"

describe("tableOf draws any JSON", () => {
  const check = (
    json: string,
    limit: number,
    columns: ReadonlyArray<string>,
    rows: ReadonlyArray<ReadonlyArray<string>>,
    summary: string,
  ) =>
    it(`${json}, at most ${limit} rows`, () => {
      const table = Table.tableOf(Json.parse(json), limit)
      expect(table.columns.map(({ name }) => name)).toEqual(columns)
      expect(table.rows).toEqual(rows)
      expect(Table.summarize(table)).toBe(summary)
    })
  check("5", 10, [], [], "5")
  check('"text"', 10, [], [], "text")
  check("18446744073709551615", 10, [], [], "18446744073709551615")
  check("[]", 10, ["value"], [], "0 items")
  check(
    '[{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1},{"h":2,"i":2}]',
    1,
    ["a", "b", "c", "d", "e", "f", "g", "h"],
    [["1", "1", "1", "1", "1", "1", "1", ""]],
    "2 items",
  )
  check("[1,null]", 10, ["value"], [["1"], ["null"]], "2 items")
  check(
    '[{"a":1},{"b":[2]}]',
    10,
    ["a", "b"],
    [
      ["1", ""],
      ["", "[2]"],
    ],
    "2 items",
  )
  check('[{"a":1},{"a":2}]', 1, ["a"], [["1"]], "2 items")
  check("[1,2]", 0, ["value"], [], "2 items")
  check('{"a":1.50}', 10, ["member", "value"], [["a", "1.50"]], "1 member")
})

describe("marks between digits are taken out again", () => {
  const check = (shown: string, expected: string) =>
    it(`${shown} is ${expected}`, () => {
      expect(Table.ungroupDigits(shown)).toBe(expected)
    })
  check("1,204", "1204")
  check("-5,306,420,000,000,000,000,000", "-5306420000000000000000")
  check("1,204.5 USDC", "1204.5 USDC")
  check("0.123,456", "0.123,456")
  check("from: 0x1234,567, value: 1,000", "from: 0x1234,567, value: 1000")
  check("[1,000, 20, 3,000,000]", "[1000, 20, 3000000]")
  check('name: "1,000 \\" 2,000", size: 3,000', 'name: "1,000 \\" 2,000", size: 3000')
  check("12,34", "12,34")
  it("of a text of any length", () => {
    const long = `"${"1,000 ".repeat(4_000_000)}"`
    expect(Table.ungroupDigits(`${long} 2,000`)).toBe(`${long} 2000`)
  })
  check("1,2345", "1,2345")
})
