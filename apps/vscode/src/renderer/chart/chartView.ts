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
    const { said, plot, tools } = new ShownChart(chart, events)
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

/** A chart in its place, and the points of it that are selected. */
class ShownChart {
  readonly plot: HTMLElement
  readonly said: HTMLElement
  readonly tools: ReadonlyArray<HTMLElement>
  readonly #chart: Chart
  readonly #events: ChartEvents
  readonly #svg: SVGSVGElement
  readonly #apply: HTMLButtonElement
  readonly #marks = svgElement("g", { class: "marked" })
  #size = pictureSize
  #drawing: Drawing
  /** The point at the cursor, and the one that the selection begins with, by their index; below zero for none. */
  #at = -1
  #from = -1

  constructor(chart: Chart, events: ChartEvents) {
    this.#chart = chart
    this.#events = events
    const description = describeChart(chart)
    this.#drawing = drawingOf(chart, this.#size)
    this.#svg = svgElement("svg", {
      role: "img",
      tabindex: "0",
      "aria-label": Visible.line(`${description}. Arrow keys move along it.`),
    })
    this.#put()
    this.said = element("output", { class: "quiet", "aria-live": "polite" }, description)
    this.plot = element("div", { class: "plot" }, this.#svg)
    this.plot.style.minHeight = `${leastHeight(chart)}px`
    this.#apply = button("Show these rows", () => this.#choose())
    this.#apply.disabled = true
    this.tools = [
      this.#apply,
      button("Show all rows", () => this.#clear()),
      button("Save SVG", () => void this.#save("svg")),
      button("Save PNG", () => void this.#save("png")),
    ]
    this.#listen()
  }

  #listen(): void {
    const pointed = ({ clientX, clientY }: PointerEvent): number => {
      const { left, top } = this.#svg.getBoundingClientRect()
      return this.#drawing.nearest(clientX - left, clientY - top)
    }
    this.#svg.addEventListener("keydown", (event) => this.#press(event))
    this.#svg.addEventListener("pointerdown", (event) => {
      this.#svg.setPointerCapture(event.pointerId)
      this.#move(pointed(event), event.shiftKey)
    })
    this.#svg.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) this.#move(pointed(event), true)
    })
    new ResizeObserver(() => {
      const { clientHeight: height, clientWidth: width } = this.plot
      if (width === 0 || height === 0 || (width === this.#size.width && height === this.#size.height)) return
      this.#size = { height, width }
      this.#drawing = drawingOf(this.#chart, this.#size)
      this.#put()
    }).observe(this.plot)
  }

  #put(): void {
    this.#svg.setAttribute("viewBox", `0 0 ${this.#size.width} ${this.#size.height}`)
    this.#svg.replaceChildren(this.#marks, ...this.#drawing.parts.map(drawn))
    this.#mark()
  }

  #mark(): void {
    this.#marks.replaceChildren(...this.#marked(this.#drawing).map(drawn))
  }

  #marked(on: Drawing): ReadonlyArray<Part> {
    return this.#at < 0 ? [] : [on.mark(Math.min(this.#at, this.#from), Math.max(this.#at, this.#from))]
  }

  get #selected(): ReadonlyArray<Point> {
    const [first, last] = [Math.min(this.#at, this.#from), Math.max(this.#at, this.#from)]
    return this.#at < 0 ? [] : this.#chart.points.slice(first, last + 1)
  }

  #press(event: KeyboardEvent): void {
    const { altKey, ctrlKey, key, metaKey, shiftKey } = event
    const [forward, back] = this.#chart.kind === "ranking" ? ["ArrowDown", "ArrowUp"] : ["ArrowRight", "ArrowLeft"]
    if (ctrlKey || metaKey || altKey) return
    if (key === forward) this.#move(this.#at + 1, shiftKey)
    else if (key === back) this.#move(this.#at - 1, shiftKey)
    else if (key === "Home") this.#move(0, shiftKey)
    else if (key === "End") this.#move(this.#chart.points.length - 1, shiftKey)
    else if (key === "Enter") this.#choose()
    else if (key === "Escape") this.#clear()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #move(next: number, isExtending: boolean): void {
    this.#at = Math.max(0, Math.min(this.#chart.points.length - 1, next))
    if (!isExtending || this.#from < 0) this.#from = this.#at
    this.#mark()
    this.said.textContent = Visible.line(wordsOf(this.#selected))
    this.#apply.disabled = false
  }

  #clear(): void {
    this.#at = -1
    this.#from = -1
    this.#mark()
    this.#apply.disabled = true
    this.said.textContent = Visible.line(describeChart(this.#chart))
    this.#events.choose(undefined, "")
  }

  #choose(): void {
    const rows = this.#selected.flatMap((point) => point.rows)
    if (this.#at >= 0) this.#events.choose(new Set(rows), this.said.textContent)
  }

  /** A picture has the same size wherever the chart is shown; the page gives it its colours. */
  async #save(format: SavedPicture["format"]): Promise<void> {
    const { title } = this.#chart
    const { height, width } = pictureSize
    const copy = drawingOf(this.#chart, pictureSize)
    const marks = part("g", { class: "marked" }, ...this.#marked(copy))
    const body = part("g", { transform: `translate(0 ${titleHeight})` }, marks, ...copy.parts)
    const picture = svgElement(
      "svg",
      {
        role: "img",
        "aria-label": Visible.line(describeChart(this.#chart)),
        viewBox: `0 0 ${width} ${height + titleHeight}`,
      },
      // Away from its page, nothing else says what it shows.
      drawn(words(cut(title, longestTitle), width / 2, titleHeight - 6, "middle")),
      drawn(body),
    )
    this.plot.append(picture)
    const saved = savePicture(picture, title, format)
    picture.remove()
    this.#events.save(await saved)
  }
}

const wordsOf = (selected: ReadonlyArray<Point>): string => {
  const [first, last] = [selected[0], selected.at(-1)]
  if (first === undefined || last === undefined) return ""
  return first === last
    ? `${subjectOf(first)}: ${first.text ?? "no value"}`
    : `${first.label} to ${last.label}: ${groupDigits(selected.length)} points`
}
