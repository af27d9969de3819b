/**
 * Charts of a table for the pointer, the keyboard and a screen reader: arrow keys move a cursor, with `Shift` they select points,
 * and the selection can filter the rows.
 */
import {
  type Chart,
  chartsOf,
  cut,
  describeChart,
  type Drawing,
  drawingOf,
  leastHeight,
  type Part,
  part,
  type Point,
  type Size,
  subjectOf,
  words,
} from "@dotrpc/report"
import { groupDigits } from "@dotrpc/spec/Table"
import * as Visible from "@dotrpc/spec/Visible"

import type { PayloadTable } from "../../results/ResultPayload.ts"
import { button, element, toolbar } from "../element.ts"
import { drawn, svgElement } from "./drawn.ts"
import { savePicture, type SavedPicture } from "./savePicture.ts"

/** The size of a picture that is saved, and of a drawing until its place is known. */
const pictureSize: Size = { width: 720, height: 220 }

/** Pixels above a drawing that is saved. */
const titleHeight = 20
/** Characters that fit there. */
const longestTitle = 100

export interface ChartEvents {
  /** Shows only these rows, by their index; without them, all rows. */
  readonly choose: (rows: ReadonlySet<number> | undefined, words: string) => void
  readonly save: (picture: SavedPicture) => void
}

export const chartView = (table: PayloadTable, events: ChartEvents): HTMLElement => {
  const charts = chartsOf(table)
  const [first] = charts
  if (first === undefined) return element("p", { class: "quiet" }, "These rows have no values to chart.")
  const root = element("div", { class: "chart" })
  const names = charts.map(({ title }, index) => element("option", { value: String(index) }, title))
  const select = element("select", { "aria-label": "Chart" }, ...names)
  const show = (chart: Chart) => {
    const { said, plot, tools } = shownChart(chart, events)
    root.replaceChildren(toolbar(chart.title, ...(charts.length === 1 ? [] : [select]), ...tools), plot, said)
  }
  select.addEventListener("change", () => {
    show(charts[Number(select.value)] ?? first)
    select.focus()
  })
  select.addEventListener("keydown", (event) => event.stopPropagation())
  show(first)
  return root
}

interface ShownChart {
  readonly tools: ReadonlyArray<HTMLElement>
  readonly plot: HTMLElement
  readonly said: HTMLElement
}

const shownChart = (chart: Chart, { choose, save }: ChartEvents): ShownChart => {
  const { points } = chart
  let size = pictureSize
  let drawing = drawingOf(chart, size)
  const svg = svgElement("svg", {
    role: "img",
    tabindex: "0",
    "aria-label": Visible.line(`${describeChart(chart)}. Arrow keys move along it.`),
  })
  const said = element("output", { class: "quiet", "aria-live": "polite" }, describeChart(chart))
  let at = -1
  let from = -1
  const selected = (): ReadonlyArray<Point> => (at < 0 ? [] : points.slice(Math.min(at, from), Math.max(at, from) + 1))
  const marked = (on: Drawing): ReadonlyArray<Part> => (at < 0 ? [] : [on.mark(Math.min(at, from), Math.max(at, from))])
  const marks = svgElement("g", { class: "marked" })
  const mark = () => marks.replaceChildren(...marked(drawing).map(drawn))
  const put = () => {
    svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`)
    svg.replaceChildren(marks, ...drawing.parts.map(drawn))
    mark()
  }
  put()
  const move = (next: number, isExtending: boolean) => {
    at = Math.max(0, Math.min(points.length - 1, next))
    if (!isExtending || from < 0) from = at
    mark()
    const [one] = selected()
    const count = selected().length
    said.textContent = Visible.line(
      count === 1
        ? `${one === undefined ? "" : subjectOf(one)}: ${one?.text ?? "no value"}`
        : `${one?.label ?? ""} to ${points[Math.max(at, from)]?.label ?? ""}: ${groupDigits(count)} points`,
    )
    apply.disabled = false
  }
  const clear = () => {
    at = -1
    from = -1
    mark()
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
    return drawing.nearest(event.clientX - box.left, event.clientY - box.top)
  }
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId)
    move(pointed(event), event.shiftKey)
  })
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) move(pointed(event), true)
  })
  const plot = element("div", { class: "plot" }, svg)
  plot.style.minHeight = `${leastHeight(chart)}px`
  new ResizeObserver(() => {
    const { clientHeight: height, clientWidth: width } = plot
    if (width === 0 || height === 0 || (width === size.width && height === size.height)) return
    size = { height, width }
    drawing = drawingOf(chart, size)
    put()
  }).observe(plot)
  const saveAs = (format: SavedPicture["format"]) => {
    const picture = pictureOf(chart, marked)
    plot.append(picture)
    const saved = savePicture(picture, chart.title, format)
    picture.remove()
    return saved.then(save)
  }
  const tools = [
    apply,
    button("Show all rows", clear),
    button("Save SVG", () => void saveAs("svg")),
    button("Save PNG", () => void saveAs("png")),
  ]
  return { tools, plot, said }
}

/** A picture has the same size wherever the chart is shown; the page gives it its colours. */
const pictureOf = (chart: Chart, marked: (on: Drawing) => ReadonlyArray<Part>): SVGSVGElement => {
  const { height, width } = pictureSize
  const copy = drawingOf(chart, pictureSize)
  const place = { transform: `translate(0 ${titleHeight})` }
  const body = part("g", place, part("g", { class: "marked" }, ...marked(copy)), ...copy.parts)
  // Away from its page, nothing else says what it shows.
  const title = words(cut(chart.title, longestTitle), width / 2, titleHeight - 6, "middle")
  return svgElement(
    "svg",
    {
      role: "img",
      "aria-label": Visible.line(describeChart(chart)),
      viewBox: `0 0 ${width} ${height + titleHeight}`,
    },
    drawn(title),
    drawn(body),
  )
}
