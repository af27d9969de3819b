import { Json, type TypedColumn } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { columnsOf, inferColumns } from "../src/index.ts"

const check = (
  items: ReadonlyArray<string>,
  columns: ReadonlyArray<readonly [string, TypedColumn["type"]]>,
  rows: unknown,
): void => {
  const values = items.map((item) => Json.parse(item))
  const found = inferColumns(values)
  expect(found.columns.map(({ name, type }) => [name, type])).toEqual(columns)
  expect(values.map(found.row)).toEqual(rows)
}

describe("infers", () => {
  it("the narrowest type that holds all values of a member exactly", () => {
    check(
      [
        '{"a":1,"b":"x","c":true,"d":18446744073709551615,"e":1.50,"f":null}',
        '{"a":9223372036854775807,"d":1,"e":{"g":[1]}}',
      ],
      [
        ["a", "int64"],
        ["b", "text"],
        ["c", "boolean"],
        ["d", "integer"],
        ["e", "json"],
        ["f", "text"],
      ],
      [
        [1n, "x", true, 18446744073709551615n, "1.50", null],
        [9223372036854775807n, null, null, 1n, '{"g":[1]}', null],
      ],
    )
  })

  it("JSON for mixed values, so that no two of them look the same", () => {
    check(["1", '"1"'], [["value", "json"]], [["1"], ['"1"']])
  })

  it("names that differ in more than their case", () => {
    check(
      ['{"from":1,"From":2,"value":3}', "4"],
      [
        ["from", "int64"],
        ["From_2", "int64"],
        ["value", "int64"],
        ["value_2", "int64"],
      ],
      [
        [1n, 2n, 3n, null],
        [null, null, null, 4n],
      ],
    )
  })

  it("no columns of no items", () => check([], [], []))
})

it("keeps items of a method without columns as JSON", () => {
  const { columns, row } = columnsOf({}, { params: [] })
  expect(columns).toEqual([{ name: "item", type: "json" }])
  expect(row(Json.parse('{"n":1.0}'))).toEqual(['{"n":1.0}'])
})
