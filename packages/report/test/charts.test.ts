/** The charts of a table: every digit in words, gaps where there is no number, and the rows of each point. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"

import { amountScale, axisNumber } from "../src/chart/amountScale.ts"
import { chartsOf, describeChart, mostPoints } from "../src/chart/chartsOf.ts"
import { bandsOf, pathOf } from "../src/chart/parts.ts"

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

  it("count many rows as every other number is written", () => {
    const rows = Array.from({ length: 1_300 }, (_, index) => [index < 1_200 ? "100" : "101", alice, "3"])
    const [perBlock] = chartsOf(tableOf(rows))
    expect(perBlock === undefined ? "" : describeChart(perBlock)).toBe(
      "rows per block: 2 points, most 1,200 rows (block 100), least 100 rows (block 101)",
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
    [1.5e30, "1.5e30"],
  ])("write %d on an axis as %s", (value, expected) => expect(axisNumber(value)).toBe(expected))
})

/** As `eth_feeHistory` is rendered. */
const fees = {
  columns: ["block", "base fee", "full", "", "tip p10", "tip p90"].map((name) => ({ name, numeric: name !== "" })),
  rows: [
    ["100", "12.5 gwei", "50.0 %", "█████░░░░░", "1 gwei", "2 gwei"],
    ["101", "13 gwei", "75.5 %", "███████░░░", "", "3 gwei"],
    ["102", "12 gwei", "10.0 %", "█░░░░░░░░░", "1 gwei", "2.5 gwei"],
  ],
}

describe("numbers of one unit", () => {
  it("share a chart, before those of each", () =>
    expect(chartsOf(fees).map(({ series, title }) => [title, series?.map(({ name }) => name)])).toEqual([
      ["base fee, tip p10, tip p90 in gwei", ["base fee", "tip p10", "tip p90"]],
      ["base fee", undefined],
      ["full", undefined],
      ["tip p90", undefined],
    ]))
  it("keep their digits, and a gap where a row has no number", () => {
    const [together] = chartsOf(fees)
    expect(together?.points.map(({ text }) => text)[1]).toBe("base fee 13 gwei, tip p90 3 gwei")
    expect(together?.series?.[1]?.values).toEqual([1, undefined, 1])
    expect(together === undefined ? "" : describeChart(together)).toBe(
      "base fee, tip p10, tip p90 in gwei: 3 points of 3 lines",
    )
  })
  it("of several units do not", () => {
    const rows = [["1 USDC"], ["2 DAI"]].map((cells) => ["7", ...cells, "3 USDC"])
    const columns = ["block", "in", "out"].map((name) => ({ name, numeric: true }))
    expect(chartsOf({ columns, rows }).map(({ title }) => title)).toEqual(["in"])
  })
})

it("a block for each row is not counted: every bar would be as high", () =>
  expect(
    chartsOf(
      tableOf([
        ["100", "", "1"],
        ["102", "", "2"],
        ["101", "", "3"],
      ]),
    ).map(({ title }) => title),
  ).toEqual(["value"]))

it("an address with a label is named", () => {
  const [, , top] = chartsOf({ ...transfers, labels: { [alice]: "Treasury (0xaaaaaa…aaaaaa)" } })
  expect(top?.points.map(({ label, name }) => [label, name])).toEqual([
    [alice, "Treasury"],
    [bob, undefined],
  ])
})

describe("the scale of a drawing", () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(1e308, -1e308, 1.7976931348623157e308, -1.7976931348623157e308, 5e-324, -5e-324, 0),
  )
  it("has a finite place for every number and writes numbers at its ticks, however large they are", () =>
    fc.assert(
      fc.property(fc.array(number, { maxLength: 9 }), fc.boolean(), (values, isDown) => {
        const ends = isDown ? ([186, 10] as const) : ([150, 704] as const)
        const { place, ticks } = amountScale(values, ends)
        const places = values.toSorted((left, right) => left - right).map(place)
        for (const at of [...places, ...ticks.map((tick) => tick.place)]) {
          expect(at).toBeGreaterThanOrEqual(Math.min(...ends))
          expect(at).toBeLessThanOrEqual(Math.max(...ends))
        }
        const inOrder = isDown ? places.toReversed() : places
        expect(inOrder).toEqual(inOrder.toSorted((left, right) => left - right))
        for (const { text } of ticks) {
          expect(text).toMatch(/^-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?$/)
          expect(text.length).toBeLessThan(30)
        }
      }),
    ))
  it("is never asked for a table that cannot be read", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(number, number).map((row) => row.map((value) => BigInt(Math.trunc(value)).toString()))),
        (rows) => {
          for (const { points } of chartsOf({
            columns: ["block", "value"].map((name) => ({ name, numeric: true })),
            rows,
          }))
            for (const { at, value } of points) {
              expect(Number.isFinite(at)).toBe(true)
              expect(value === undefined || Number.isFinite(value)).toBe(true)
            }
        },
      ),
    ))
})

describe("the path of a line", () => {
  const check = (what: string, places: Parameters<typeof pathOf>[0], expected: string) =>
    it(what, () => expect(pathOf(places)).toBe(expected))
  check(
    "leads from place to place",
    [
      [0, 1],
      [2, 3.456],
      [4, 5],
    ],
    "M0.00,1.00L2.00,3.46L4.00,5.00",
  )
  check(
    "has a gap where there is none",
    [[0, 1], undefined, undefined, [4, 5], [6, 7]],
    "M0.00,1.00M4.00,5.00L6.00,7.00",
  )
  check("is empty without places", [undefined], "")
})

it("bars fill their range from end to end, with the same room before, between and after them", () => {
  const { start, step, width } = bandsOf(4, [10, 94], 0.2)
  expect([start(0), width, step, start(3) + width].map((value) => value.toFixed(6))).toEqual([
    "14.000000",
    "16.000000",
    "20.000000",
    "90.000000",
  ])
})
