/** One result: its summary, error, rows, checks and charts. */
import type { RendererMessage, ResultPayload, SpendingMessage } from "../notebook/ResultPayload.ts"
import { delimited } from "../results/delimited.ts"
import { rowsPerBlock } from "./chartData.ts"
import { barChart } from "./charts.ts"
import { button, element } from "./element.ts"
import { GridView } from "./GridView.ts"
import { rowHeight } from "./RowLayout.ts"
import { styles } from "./styles.ts"

/** Rows of an output before it scrolls. */
const shownRows = 15

export interface ResultView {
  readonly root: HTMLElement
  /** What the cells of the notebook have cost is known anew. */
  readonly spent: (spending: SpendingMessage) => void
}

/** In a page of its own the rows take the height of the window. */
export const resultView = (
  payload: ResultPayload,
  send: (message: RendererMessage) => void,
  place: "output" | "page" = "output",
): ResultView => {
  const spending = element("div", {})
  const root = element(
    "section",
    { class: "dotrpc", "aria-label": `Result of ${payload.label}` },
    element("style", {}, styles),
    summaryLine(payload),
    ...errorBlock(payload),
    ...rowsOf(payload, send, place === "page" ? Math.floor(innerHeight / rowHeight) - 8 : shownRows),
    ...(payload.note === undefined ? [] : [element("p", { class: "quiet" }, payload.note)]),
    ...checkList(payload),
    element("div", { class: "charts" }, ...blockChart(payload), spending),
  )
  return {
    root,
    spent: ({ cells }) => {
      const bars = cells.map(({ label, credits }) => ({ label, value: credits }))
      spending.replaceChildren(...(bars.length < 2 ? [] : [barChart("credits per cell", bars)]))
    },
  }
}

const summaryLine = ({ summary, good, network, environment, method, partial }: ResultPayload): HTMLElement => {
  const where = [
    method,
    ...(network === undefined ? [] : [network]),
    ...(environment === undefined ? [] : [environment]),
  ]
  const mark = element("span", { class: "mark", "aria-hidden": "true" }, partial === true ? "…" : summary.slice(0, 1))
  const words = element("span", {}, ` ${summary.slice(1).trim()} `)
  const place = element("span", { class: "quiet" }, where.join(" · "))
  return element("p", { class: good ? "good" : "bad", role: "status" }, mark, words, place)
}

const errorBlock = ({ error }: ResultPayload): ReadonlyArray<HTMLElement> => {
  if (error === undefined) return []
  const code = error.code === undefined ? "" : ` (${error.code})`
  const advice = error.advice === undefined ? [] : [element("p", {}, `→ ${error.advice}`)]
  return [element("p", { class: "error", role: "alert" }, `${error.message}${code}`), ...advice]
}

const rowsOf = (
  payload: ResultPayload,
  send: (message: RendererMessage) => void,
  visible: number,
): ReadonlyArray<HTMLElement> => {
  const { id, table, json, label } = payload
  const copy = (text: string) => send({ kind: "copy", text })
  const whole = [
    button("Open full result", () => send({ kind: "open", id })),
    button("Save as…", () => send({ kind: "save", id })),
  ]
  const actions = payload.partial === true ? [] : whole
  if (table === undefined || table.rows.length === 0 || table.columns.length === 0) {
    if (json === undefined) return []
    const shown = element("pre", { class: "json", tabindex: "0", "aria-label": `${label} as JSON` }, json)
    return [
      toolbar(
        label,
        button("Copy JSON", () => copy(json)),
        ...actions,
      ),
      shown,
    ]
  }
  const counter = element("span", { class: "quiet", role: "status" })
  const grid = new GridView(table, Math.max(visible, 5), {
    copy,
    counted: (shown) => {
      counter.textContent = shown === table.rows.length ? table.summary : `${shown} of ${table.summary}`
    },
  })
  const filter = element("input", {
    type: "search",
    placeholder: "Filter rows",
    "aria-label": `Filter rows of ${label}`,
  })
  filter.addEventListener("input", () => {
    grid.filter = filter.value
  })
  // Typing must not reach the notebook's own keys.
  filter.addEventListener("keydown", (event) => event.stopPropagation())
  const names = table.columns.map(({ name }) => name)
  const copyRows = button("Copy rows", () => copy(delimited("\t", [names, ...grid.shown])))
  return [toolbar(label, filter, counter, copyRows, ...actions), grid.root]
}

const toolbar = (label: string, ...children: ReadonlyArray<HTMLElement>): HTMLElement =>
  element("div", { class: "tools", role: "toolbar", "aria-label": `Actions for ${label}` }, ...children)

const checkList = ({ checks }: ResultPayload): ReadonlyArray<HTMLElement> => {
  if (checks.length === 0) return []
  const items = checks.map(({ text, ok, problem, actual }) => {
    const why = ok ? "" : problem !== undefined ? `: ${problem}` : actual !== undefined ? `, it is ${actual}` : ""
    const mark = element("span", { class: "mark", "aria-hidden": "true" }, ok ? "✓" : "✗")
    const said = element("span", {}, ` ${ok ? "holds" : "fails"}: ${text}${why}`)
    return element("li", { class: ok ? "good" : "bad" }, mark, said)
  })
  return [element("ul", { "aria-label": "Checks" }, ...items)]
}

const blockChart = ({ table }: ResultPayload): ReadonlyArray<HTMLElement> => {
  const bars = table === undefined ? [] : rowsPerBlock(table)
  return bars.length === 0 ? [] : [barChart("rows per block", bars)]
}
