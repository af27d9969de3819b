/**
 * The charts of a table: rows per block, numbers over blocks or rows, those of one unit together, and the most frequent addresses. Pure.
 *
 * Invariant: the text of a point has every digit of its cell; only its place in the drawing is rounded. A row without a
 * number is a gap, and never a zero. A line has at most {@link mostPoints} points, and its title says of which rows.
 */
import { groupDigits } from "@dotrpc/spec/Table"

import { labelIn, type Rows as AllRows } from "../Rows.ts"
import { axisNumber } from "./amountScale.ts"
import { rowsPerBlock } from "./rowsPerBlock.ts"

export interface Chart {
  readonly kind: "bars" | "line" | "ranking"
  readonly title: string
  /** The name of the horizontal axis. */
  readonly across: string
  readonly points: ReadonlyArray<Point>
  /** Of several lines, with a value for each point. */
  readonly series?: ReadonlyArray<Series> | undefined
}

/** One of several lines. */
export interface Series {
  readonly name: string
  readonly values: ReadonlyArray<number | undefined>
}

export interface Point {
  /** The subject of the point: a block, a row, an address. */
  readonly label: string
  /** The label that the project gives to the address. */
  readonly name?: string | undefined
  /** Its value with every digit; absent without a value. */
  readonly text?: string | undefined
  /** The value, as exact as it can be drawn. */
  readonly value: number | undefined
  /** Its place on the horizontal axis; its rank in a ranking. */
  readonly at: number
  /** The rows that it stands for, by their index. */
  readonly rows: ReadonlyArray<number>
}

type Rows = Pick<AllRows, "columns" | "labels" | "rows">

const mostRanked = 10
/** Columns of numbers that are drawn. */
const mostLines = 6
/** Points of a line: several for each pixel, and few enough that a page keeps answering while it draws them. */
export const mostPoints = 10_000

export const chartsOf = (table: Rows): ReadonlyArray<Chart> => [...perBlock(table), ...lines(table), ...rankings(table)]

/** Whether there is something to draw. Of a table with more rows than a page can look at in passing, there may be. */
export const mayHaveCharts = (table: Rows): boolean => table.rows.length > 1_000 || chartsOf(table).length > 0

const perBlock = (table: Rows): ReadonlyArray<Chart> => {
  const bars = rowsPerBlock(table)
  if (bars.length === 0) return []
  const rowsOf = new Map<number, Array<number>>()
  const blocks = numbersIn(table, blockColumn(table))
  const first = Math.min(...bars.map(({ from }) => from))
  const width = bars[0] === undefined ? 1 : bars[0].to - bars[0].from + 1
  blocks.forEach((block, row) => {
    if (block === undefined) return
    const bar = Math.floor((block - first) / width)
    const rows = rowsOf.get(bar)
    if (rows === undefined) rowsOf.set(bar, [row])
    else rows.push(row)
  })
  const points = bars.map(({ from, label, value }, index) => ({
    label,
    text: rowCount(value),
    value,
    at: from,
    rows: rowsOf.get(index) ?? [],
  }))
  return [{ kind: "bars", title: "rows per block", across: "block", points }]
}

/** Each column of numbers that is not a place itself; before them those of one unit together. */
const lines = (table: Rows): ReadonlyArray<Chart> => {
  const block = blockColumn(table)
  const across = block < 0 ? "row" : "block"
  const numbers = table.columns
    .map(({ name, numeric }, column) => ({ name, numeric, column }))
    .filter(({ column, name, numeric }) => numeric && column !== block && !isPlace.test(name))
    .slice(0, mostLines)
  // Of more rows than are drawn, those without any number go first: of mixed events, most have none.
  const all = table.rows.map((row, index) => ({ row, index }))
  const having =
    all.length > mostPoints ? all.filter(({ row }) => numbers.some(({ column }) => (row[column] ?? "") !== "")) : all
  const drawn = having.slice(0, mostPoints)
  const which =
    having.length > mostPoints ? ` (the first ${axisNumber(mostPoints)} of ${axisNumber(having.length)} rows)` : ""
  const single = numbers.flatMap(({ column, name }) => {
    const points = drawn
      .map(({ index, row }): Point => {
        const text = row[column] ?? ""
        const value = numberOf(text)
        const at = (block < 0 ? undefined : numberOf(row[block] ?? "")) ?? index
        const label = block < 0 ? `row ${index + 1}` : `row ${index + 1}, block ${row[block] ?? ""}`
        return { label, text: value === undefined ? undefined : text, value, at, rows: [index] }
      })
      .toSorted((left, right) => left.at - right.at)
    const chart: Chart = { kind: "line", title: name + which, across, points }
    const isDrawn = new Set(points.flatMap(({ value }) => value ?? [])).size > 1
    return [{ chart, isDrawn, name, unit: unitOf(points) }]
  })
  const units = [...new Set(single.flatMap(({ unit }) => unit ?? []))]
  const together = units.flatMap((unit): ReadonlyArray<Chart> => {
    const members = single.filter((line) => line.unit === unit)
    const [first] = members
    if (first === undefined || members.length < 2 || !members.some(({ isDrawn }) => isDrawn)) return []
    const points = first.chart.points.map((point, index): Point => {
      const texts = members.flatMap(({ chart, name }) => {
        const text = chart.points[index]?.text
        return text === undefined ? [] : [`${name} ${text}`]
      })
      return { ...point, text: texts.length === 0 ? undefined : texts.join(", ") }
    })
    const series = members.map(({ chart, name }) => ({ name, values: chart.points.map(({ value }) => value) }))
    const title = `${members.map(({ name }) => name).join(", ")} in ${unit}${which}`
    return [{ kind: "line", title, across, points, series }]
  })
  return [...together, ...single.flatMap(({ chart, isDrawn }) => (isDrawn ? [chart] : []))]
}

/** The unit that all values have: `gwei`; `undefined` when they have none, or several. */
const unitOf = (points: ReadonlyArray<Point>): string | undefined => {
  const units = new Set(points.flatMap(({ text }) => (text === undefined ? [] : [text.replace(number, "").trim()])))
  const [unit = ""] = units
  return units.size === 1 && unit !== "" ? unit : undefined
}

/** The addresses of a column, the most frequent first. */
const rankings = (table: Rows): ReadonlyArray<Chart> =>
  table.columns.flatMap(({ name }, column): ReadonlyArray<Chart> => {
    const counts = new Map<string, number>()
    for (const row of table.rows) {
      const text = row[column] ?? ""
      if (isAddress.test(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    if (counts.size < 2) return []
    const top = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, mostRanked)
    const rowsOf = new Map<string, Array<number>>(top.map(([address]) => [address, []]))
    table.rows.forEach((row, index) => rowsOf.get(row[column] ?? "")?.push(index))
    const points = [...rowsOf].map(([address, rows], at) => ({
      label: address,
      name: labelIn(table, address),
      text: rowCount(rows.length),
      value: rows.length,
      at,
      rows,
    }))
    return [{ kind: "ranking", title: `top addresses in ${name}`, across: "rows", points }]
  })

const isPlace = /^(?:log|index|nonce|#)$/i
const isAddress = /^0x[\da-f]{40}$/i

const blockColumn = ({ columns }: Rows): number =>
  columns.findIndex(({ name, numeric }) => (name === "block" || name === "number") && numeric)

const rowCount = (count: number): string => `${groupDigits(count)} ${count === 1 ? "row" : "rows"}`

const numbersIn = ({ rows }: Rows, column: number): ReadonlyArray<number | undefined> =>
  rows.map((row) => numberOf(row[column] ?? ""))

const number = /^(-?\d[\d,]*(?:\.\d+)?)(?:\s|$)/

/** `1,204.5 ETH` as 1204.5; `undefined` if it is not a number. */
const numberOf = (text: string): number | undefined => {
  const [, digits] = number.exec(text) ?? []
  const value = digits === undefined ? Number.NaN : Number(digits.replaceAll(",", ""))
  return Number.isFinite(value) ? value : undefined
}

/** The chart in one sentence, for screen readers. */
export const describeChart = ({ points, series, title }: Chart): string => {
  if (series !== undefined) return `${title}: ${groupDigits(points.length)} points of ${series.length} lines`
  const drawn = points.filter(({ value }) => value !== undefined)
  const by = (sign: 1 | -1) =>
    drawn.reduce(
      (best, point) => (sign * ((point.value ?? 0) - (best.value ?? 0)) > 0 ? point : best),
      drawn[0] ?? none,
    )
  const most = by(1)
  const least = by(-1)
  return `${title}: ${groupDigits(drawn.length)} points, most ${most.text ?? ""} (${subjectOf(most)}), least ${least.text ?? ""} (${subjectOf(least)})`
}

/** A point's label, with its name where it has one. */
export const subjectOf = ({ label, name }: Point): string => (name === undefined ? label : `${name}, ${label}`)

const none: Point = { label: "none", value: undefined, at: 0, rows: [] }
