/** The table of a notebook's output: which rows, in which order, where they stand, and what the chart says. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { describeBars, rowsPerBlock } from "@dotrpc/report"
import { exactCell, sourceOf } from "../../src/renderer/exactCell.ts"
import { layoutOf, rowHeight } from "../../src/renderer/RowLayout.ts"
import { rowOrder, type Sorting } from "../../src/results/rowOrder.ts"

describe("rows", () => {
  const check = (cells: ReadonlyArray<string>, filter: string, direction: Sorting["direction"] | undefined) => {
    const sorting = direction === undefined ? undefined : { column: 0, direction }
    return rowOrder({ rows: cells.map((cell) => [cell]) }, filter, sorting).map((index) => cells[index])
  }

  test("numbers are ordered by value, with every digit", () => {
    const cells = ["18446744073709551615", "9", "18446744073709551614", "1,204", "0x10", "-3", "2.5", "2.25"]
    expect(check(cells, "", "ascending")).toEqual([
      "-3",
      "2.25",
      "2.5",
      "9",
      "0x10",
      "1,204",
      "18446744073709551614",
      "18446744073709551615",
    ])
  })

  test("words stand behind numbers, without regard to case", () => {
    expect(check(["pending", "2", "Block"], "", "ascending")).toEqual(["2", "Block", "pending"])
    expect(check(["pending", "2", "Block"], "", "descending")).toEqual(["pending", "Block", "2"])
  })

  test("a filter keeps rows that hold all of its words, also in what is behind a row", () => {
    expect(check(["Transfer 7", "Transfer 8", "Approval 8"], "transfer  8", undefined)).toEqual(["Transfer 8"])
    const rows = { rows: [["1"], ["2"]], items: ['{"address":"0xAB"}', "{}"] }
    expect(rowOrder(rows, "0xab", undefined)).toEqual([0])
  })

  test("a filter finds an address and its label", () => {
    const rows = { rows: [["0xab"], ["0xcd"]], labels: { "0xcd": "Treasury (0xcd)" } }
    expect(rowOrder(rows, "treasury", undefined)).toEqual([1])
    expect(rowOrder(rows, "0xcd", undefined)).toEqual([1])
    expect(rowOrder(rows, "0xab", undefined)).toEqual([0])
  })
})

test("the row at its own top is that row, whichever are open", () => {
  const open = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 500 })))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), open, fc.nat(49), (count, opened, position) => {
      const layout = layoutOf(count, new Map(opened))
      const row = Math.min(position, count - 1)
      expect(layout.at(layout.top(row))).toBe(row)
      expect(layout.at(layout.top(row) + rowHeight - 1)).toBe(row)
      expect(layout.top(row) + rowHeight).toBeLessThanOrEqual(layout.height)
    }),
  )
})

describe("a cell is copied", () => {
  const check = (shown: string, source: string | undefined, expected: string) =>
    expect(exactCell(shown, sourceOf(source))).toBe(expected)

  test("without marks between the digits of its numbers", () => {
    check("5,306.42 SMPL", '{"data":"0x1"}', "5306.42 SMPL")
    check("[1,000, 2,000]", '{"data":"0x1"}', "[1000, 2000]")
    check("1,204", undefined, "1204")
  })

  test("in the words of the server, where it sent them", () => {
    check("1,204", '{"name":"1,204"}', "1,204")
    check("[100,200,300]", '{\n  "sizes": [\n    100,\n    200,\n    300\n  ]\n}', "[100,200,300]")
    check("1,204", "no JSON", "1204")
  })
})

describe("the chart of rows per block", () => {
  const check = (blocks: ReadonlyArray<string>) =>
    rowsPerBlock({ columns: [{ name: "block", numeric: true }], rows: blocks.map((block) => [block]) })

  test("counts rows by block", () => {
    expect(check(["7", "9", "9", "pending"])).toEqual([
      { label: "block 7", value: 1, from: 7, to: 7 },
      { label: "block 8", value: 0, from: 8, to: 8 },
      { label: "block 9", value: 2, from: 9, to: 9 },
    ])
  })

  test("groups blocks when there are many", () => {
    const bars = check(["0", "99"])
    expect([bars.length, bars[0], bars.at(-1)]).toEqual([
      34,
      { label: "blocks 0 to 2", value: 1, from: 0, to: 2 },
      { label: "block 99", value: 1, from: 99, to: 99 },
    ])
  })

  test("is left out where it would say nothing", () => {
    expect(check(["7", "7"])).toEqual([])
    expect(rowsPerBlock({ columns: [{ name: "slot", numeric: true }], rows: [["1"], ["2"]] })).toEqual([])
  })

  test("is reported in words", () => {
    expect(describeBars("rows per block", check(["7", "9", "9"]))).toBe(
      "rows per block: 3 in total, most in block 9 (2)",
    )
  })
})
