/** A small bar chart that can be read on screen and by a screen reader. */
import * as Visible from "@dotrpc/spec/Visible"
import { type Bar, describeBars } from "./chartData.ts"
import { element } from "./element.ts"

const namespace = "http://www.w3.org/2000/svg"
const [width, height] = [192, 28]

export const barChart = (title: string, bars: ReadonlyArray<Bar>): HTMLElement => {
  const most = bars.reduce((highest, { value }) => Math.max(highest, value), 1)
  const svg = document.createElementNS(namespace, "svg")
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.setAttribute("role", "img")
  svg.setAttribute("aria-label", describeBars(title, bars))
  const step = width / bars.length
  bars.forEach(({ label, value }, index) => {
    const bar = document.createElementNS(namespace, "rect")
    const tall = value === 0 ? 0 : Math.max(1, (value / most) * height)
    bar.setAttribute("x", String(index * step))
    bar.setAttribute("y", String(height - tall))
    bar.setAttribute("width", String(Math.max(1, step - 1)))
    bar.setAttribute("height", String(tall))
    const words = document.createElementNS(namespace, "title")
    words.textContent = Visible.line(`${label}: ${value}`)
    bar.append(words)
    svg.append(bar)
  })
  const figure = element("figure", {}, element("figcaption", {}, title))
  figure.append(svg)
  return figure
}
