/**
 * Charts of a table for the pointer, the keyboard and a screen reader: arrow keys move a cursor, with `Shift` they select points,
 * and the selection can filter the rows.
 */
import * as Visible from "@dotrpc/spec/Visible"

import type { PayloadTable } from "../../notebook/ResultPayload.ts"
import { button, element } from "../element.ts"
import { toolbar } from "../toolbar.ts"
import { amountScale, axisNumber } from "./amountScale.ts"
import { type Chart, chartsOf, describeChart, type Point, subjectOf } from "./chartsOf.ts"
import { legend, lookOf } from "./legend.ts"
import { bandsOf, part, pathOf, texts, words } from "./parts.ts"
import { savePicture, type SavedPicture } from "./savePicture.ts"

const width = 720
const height = 220
const margin = { top: 10, right: 16, bottom: 34, left: 150 }

export interface ChartEvents {
  /** Shows only these rows, by their index; without them, all rows. */
  readonly choose: (rows: ReadonlySet<number> | undefined, words: string) => void
  readonly save: (picture: SavedPicture) => void
}

export const chartView = (table: PayloadTable, events: ChartEvents): HTMLElement => {
  const charts = chartsOf(table)
  const [first] = charts
  if (first === undefined) return element("p", { class: "quiet" }, "These rows have no values to chart.")
  const place = element("div", {})
  const names = charts.map(({ title }, index) => element("option", { value: String(index) }, title))
  const select = element("select", { "aria-label": "Chart" }, ...names)
  const show = (chart: Chart) => place.replaceChildren(...drawing(chart, events))
  select.addEventListener("change", () => show(charts[Number(select.value)] ?? first))
  select.addEventListener("keydown", (event) => event.stopPropagation())
  show(first)
  return element("div", { class: "chart" }, ...(charts.length === 1 ? [] : [toolbar("charts", select)]), place)
}

const drawing = (chart: Chart, { choose, save }: ChartEvents): ReadonlyArray<Element> => {
  const { points } = chart
  const drawn = drawingOf(chart)
  const said = element("output", { class: "quiet", "aria-live": "polite" }, describeChart(chart))
  let at = -1
  let from = -1
  const selected = (): ReadonlyArray<Point> => (at < 0 ? [] : points.slice(Math.min(at, from), Math.max(at, from) + 1))
  const move = (next: number, isExtending: boolean) => {
    at = Math.max(0, Math.min(points.length - 1, next))
    if (!isExtending || from < 0) from = at
    drawn.mark(Math.min(at, from), Math.max(at, from))
    const [one] = selected()
    const count = selected().length
    said.textContent = Visible.line(
      count === 1
        ? `${one === undefined ? "" : subjectOf(one)}: ${one?.text ?? "no value"}`
        : `${one?.label ?? ""} to ${points[Math.max(at, from)]?.label ?? ""}: ${count} points`,
    )
    apply.disabled = false
  }
  const clear = () => {
    at = -1
    from = -1
    drawn.mark(-1, -1)
    apply.disabled = true
    said.textContent = Visible.line(describeChart(chart))
    choose(undefined, "")
  }
  const applyNow = () => {
    const chosen = selected()
    if (chosen.length > 0) choose(new Set(chosen.flatMap(({ rows }) => rows)), said.textContent)
  }
  const apply = button("Show these rows", applyNow)
  apply.disabled = true
  const { svg } = drawn
  svg.addEventListener("keydown", (event) => {
    const forward = chart.kind === "ranking" ? "ArrowDown" : "ArrowRight"
    const back = chart.kind === "ranking" ? "ArrowUp" : "ArrowLeft"
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === forward) move(at + 1, event.shiftKey)
    else if (event.key === back) move(at - 1, event.shiftKey)
    else if (event.key === "Home") move(0, event.shiftKey)
    else if (event.key === "End") move(points.length - 1, event.shiftKey)
    else if (event.key === "Enter") applyNow()
    else if (event.key === "Escape") clear()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  const pointed = (event: PointerEvent): number => {
    const box = svg.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * width
    const y = ((event.clientY - box.top) / box.height) * height
    return drawn.nearest(x, y)
  }
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId)
    move(pointed(event), event.shiftKey)
  })
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) move(pointed(event), true)
  })
  const tools = toolbar(
    chart.title,
    apply,
    button("Show all rows", clear),
    button("Save SVG", () => void savePicture(svg, chart.title, "svg").then(save)),
    button("Save PNG", () => void savePicture(svg, chart.title, "png").then(save)),
  )
  return [svg, said, tools]
}

interface Drawing {
  readonly svg: SVGSVGElement
  /** Marks the points from one to another, or none. */
  readonly mark: (first: number, last: number) => void
  /** The point nearest to a place in the drawing. */
  readonly nearest: (x: number, y: number) => number
}

const drawingOf = (chart: Chart): Drawing => {
  const svg = part("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    tabindex: "0",
    "aria-label": `${describeChart(chart)}. Arrow keys move along it.`,
  })
  const series = chart.series ?? [{ name: chart.title, values: chart.points.map(({ value }) => value) }]
  const isRanking = chart.kind === "ranking"
  const key = chart.series === undefined ? undefined : legend(chart.series, margin.left, width - margin.right)
  const top = margin.top + (key?.height ?? 0)
  if (key !== undefined) svg.append(...key.parts)
  const amount = amountScale(
    series.flatMap(({ values }) => values.flatMap((value) => value ?? [])),
    isRanking ? [margin.left, width - margin.right] : [height - margin.bottom, top],
  )
  const bands = bandsOf(
    chart.points.length,
    isRanking ? [top, height - margin.bottom] : [margin.left, width - margin.right],
    isRanking ? 0.2 : 0.1,
  )
  const along = placesOf(chart.points.map(({ at }) => at))
  const middle = (index: number): number =>
    chart.kind === "line" ? along(chart.points[index]?.at ?? 0) : bands.start(index) + bands.width / 2
  const axis = part("g", { class: "axis" })
  for (const { place, text } of amount.ticks) {
    const ends = isRanking
      ? { x1: place, x2: place, y1: top, y2: height - margin.bottom }
      : { x1: margin.left, x2: width - margin.right, y1: place, y2: place }
    axis.append(part("line", texts(ends)))
    axis.append(
      isRanking
        ? words(text, place, height - margin.bottom + 14, "middle")
        : words(text, margin.left - 6, place + 4, "end"),
    )
  }
  const name = isRanking ? "rows" : chart.across
  axis.append(words(name, (margin.left + width - margin.right) / 2, height - 4, "middle"))
  if (isRanking)
    chart.points.forEach(({ label, name }, index) => {
      const shown = name === undefined ? `${label.slice(0, 10)}…${label.slice(-6)}` : cut(name)
      axis.append(words(shown, margin.left - 6, middle(index) + 4, "end"))
    })
  else
    for (const index of ends(chart.points.length)) {
      const at = axisNumber(chart.across === "row" ? index + 1 : (chart.points[index]?.at ?? 0))
      axis.append(words(at, middle(index), height - margin.bottom + 14, "middle"))
    }
  const marks = part("g", { class: "marked" })
  svg.append(marks, axis)
  if (chart.kind === "line") {
    series.forEach(({ values }, index) => {
      const path = pathOf(
        values.map((value, at) => (value === undefined ? undefined : [middle(at), amount.place(value)])),
      )
      svg.append(part("path", { d: path, ...lookOf(index) }))
      values.forEach((value, at) => {
        const isAlone = values[at - 1] === undefined && values[at + 1] === undefined
        if (value !== undefined && (isAlone || values.length <= 60))
          svg.append(
            part("circle", { ...texts({ cx: middle(at), cy: amount.place(value), r: 2.5 }), ...lookOf(index) }),
          )
      })
    })
  } else
    chart.points.forEach((point, index) => {
      const { text, value = 0 } = point
      const start = bands.start(index)
      const [zero, end] = [amount.place(0), amount.place(value)]
      const box = isRanking
        ? { x: Math.min(zero, end), y: start, width: Math.abs(end - zero), height: bands.width }
        : { x: start, y: Math.min(zero, end), width: bands.width, height: Math.abs(end - zero) }
      const bar = part("rect", { ...texts(box), class: "bar" })
      const title = part("title", {})
      title.textContent = Visible.line(`${subjectOf(point)}: ${text ?? ""}`)
      bar.append(title)
      svg.append(bar)
    })
  return {
    svg,
    mark: (first, last) => {
      if (first < 0) return marks.replaceChildren()
      const half = chart.kind === "line" ? 3 : bands.step / 2
      const [start, end] = [middle(first) - half, middle(last) + half]
      const box = isRanking
        ? { x: margin.left, y: start, width: width - margin.left - margin.right, height: end - start }
        : { x: start, y: top, width: end - start, height: height - top - margin.bottom }
      marks.replaceChildren(part("rect", texts(box)))
    },
    nearest: (x, y) => {
      const wanted = isRanking ? y : x
      let best = 0
      for (let index = 1; index < chart.points.length; index++)
        if (Math.abs(middle(index) - wanted) < Math.abs(middle(best) - wanted)) best = index
      return best
    },
  }
}

/** The places of numbers from the smallest to the largest, from left to right; one in the middle is halfway between them. */
const placesOf = (ats: ReadonlyArray<number>): ((at: number) => number) => {
  const first = ats.reduce((low, at) => Math.min(low, at), ats[0] ?? 0)
  const scale = amountSpan(ats.map((at) => at - first))
  return (at) => margin.left + scale(at - first) * (width - margin.left - margin.right)
}

/** The share of the largest. */
const amountSpan = (spans: ReadonlyArray<number>): ((span: number) => number) => {
  const most = spans.reduce((high, span) => Math.max(high, span), 0)
  return (span) => (most === 0 ? 0.5 : span / most)
}

/** As many characters as there is room for. */
const cut = (name: string): string => (name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`)

const longestName = 24

/** A few places along an axis, both ends included. */
const ends = (count: number): ReadonlyArray<number> => [
  ...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (count - 1)))),
]
