/** The charts of a table: every digit in words, gaps where there is no number, and the rows of each point. */
import { describe, expect, it } from "vitest"

import { axisNumber, chartsOf, describeChart, mostPoints } from "../../src/renderer/chart/chartsOf.ts"

const [alice, bob] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`]

const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>) => ({
  columns: [
    { name: "block", numeric: true },
    { name: "to", numeric: false },
    { name: "value", numeric: true },
  ],
  rows,
})

const transfers = tableOf([
  ["100", alice, "9,642,239,678,818,344,301"],
  ["101", bob, ""],
  ["103", alice, "3"],
])

describe("charts of a table", () => {
  const check = (rows: ReadonlyArray<ReadonlyArray<string>>, expected: ReadonlyArray<string>) =>
    expect(chartsOf(tableOf(rows)).map(({ title }) => title)).toEqual(expected)

  it("are those whose values differ", () => check(transfers.rows, ["rows per block", "value", "top addresses in to"]))
  it("leave out what is the same in all rows", () =>
    check(
      [
        ["100", alice, "3"],
        ["100", alice, "3"],
      ],
      [],
    ))
  it("do not exist without rows", () => check([], []))

  it("have every digit, and a gap where a row has no number", () => {
    const [, value] = chartsOf(transfers)
    expect(value?.points.map(({ at, rows, text }) => ({ at, rows, text }))).toEqual([
      { at: 100, rows: [0], text: "9,642,239,678,818,344,301" },
      { at: 101, rows: [1], text: undefined },
      { at: 103, rows: [2], text: "3" },
    ])
    expect(value === undefined ? "" : describeChart(value)).toBe(
      "value: 2 points, most 9,642,239,678,818,344,301 (row 1, block 100), least 3 (row 3, block 103)",
    )
  })

  it("know the rows of each bar and each address", () => {
    const [perBlock, , top] = chartsOf(transfers)
    expect(perBlock?.points.map(({ rows }) => rows)).toEqual([[0], [1], [], [2]])
    expect(top?.points.map(({ label, rows, text }) => [label, text, rows])).toEqual([
      [alice, "2 rows", [0, 2]],
      [bob, "1 row", [1]],
    ])
  })

  it("draw of 100,000 rows so many points only, and say of which rows", () => {
    const rows = Array.from({ length: 100_000 }, (_, row) => [String(row % 90_000), alice, String(row)])
    const charts = chartsOf(tableOf(rows))
    expect(charts.map(({ points, title }) => [title, points.length])).toEqual([
      ["rows per block", 48],
      ["value (the first 10,000 of 100,000 rows)", mostPoints],
    ])
    expect(charts[0]?.points.reduce((sum, point) => sum + point.rows.length, 0)).toBe(100_000)
    expect(charts[1]?.points.at(-1)?.text).toBe("9999")
  })

  it.each([
    [9.6e18, "9,600,000,000,000,000,000"],
    [0, "0"],
    [0.25, "0.25"],
    [-1_000, "-1,000"],
  ])("write %d on an axis as %s", (value, expected) => expect(axisNumber(value)).toBe(expected))
})
