/** One result: its summary, error, rows, checks and charts. */
import type {
  PayloadTable,
  RendererMessage,
  ResultPayload,
  RowsMessage,
  SpendingMessage,
} from "../results/ResultPayload.ts"
import { type ChartEvents, chartView } from "./chart/chartView.ts"
import { mayHaveCharts } from "@dotrpc/report"
import { rowsPerBlock, type Bar, describeBars } from "@dotrpc/report"
import type { ChosenColumns } from "./ChosenColumns.ts"
import type { KnownNames } from "./KnownNames.ts"
import { button, element, toolbar } from "./element.ts"
import { rowsView } from "./rowsView.ts"
import { styles } from "./styles.ts"
import * as Visible from "@dotrpc/spec/Visible"

/** Rows of an output before it scrolls. */
const shownRows = 15

export interface ResultView {
  readonly root: HTMLElement
  /** What the cells of the notebook have cost is known again. */
  readonly spent: (spending: SpendingMessage) => void
  /** Rows that one of the outputs has asked for. */
  readonly receive: (rows: RowsMessage) => void
  /** Columns were chosen, maybe in another output. */
  readonly chooseColumns: () => void
  /** Names of accounts were looked up, maybe in another output. */
  readonly showNames: () => void
}

export const resultView = (
  payload: ResultPayload,
  send: (message: RendererMessage) => void,
  { columns, names }: { readonly columns: ChosenColumns; readonly names: KnownNames },
): ResultView => {
  const spending = element("div", {})
  const blocks = element("div", {})
  const showBlocks = (table: PayloadTable) => {
    const save: ChartEvents["save"] = (picture) => send({ kind: "picture", ...picture })
    const choose: ChartEvents["choose"] = (chosen) => {
      if (rows.grid !== undefined) rows.grid.chosen = chosen
    }
    if (!mayHaveCharts(table)) return
    // Drawn once it is opened: a notebook may have many results, and they many rows.
    const details = element("details", {}, element("summary", {}, "Charts"))
    const draw = () => details.append(chartView(table, { choose, save }))
    details.addEventListener("toggle", draw, { once: true })
    blocks.replaceChildren(...blockChart(table), details)
  }
  const { canCompare, id } = payload
  const pin = button("Pin", () => send({ kind: "pinInPane", id }), {
    title: "Open it in the result pane, and compare later runs with this result",
  })
  const compare = button("Compare with previous run", () => send({ kind: "comparePrevious", id }))
  const actions = canCompare === true ? [pin, compare] : [pin]
  const rows = rowsView(payload, send, { visible: shownRows, complete: showBlocks, actions, columns, names })
  const root = element(
    "section",
    { class: "dotrpc", "aria-label": `Result of ${payload.label}` },
    element("style", {}, styles),
    summaryLine(payload),
    ...errorBlock(payload, send),
    ...checkList(payload),
    ...rows.elements,
    ...(payload.comparison === undefined ? [] : [element("pre", {}, payload.comparison)]),
    ...(payload.note === undefined ? [] : [element("p", { class: "quiet" }, payload.note)]),
    element("div", { class: "charts" }, blocks, spending),
  )
  // The editor hears no key that is pressed in an output; a field that keeps its keys to itself hears them last.
  const runs = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || payload.partial === true) return
    event.preventDefault()
    event.stopPropagation()
    send({ kind: "runAgain", id })
  }
  root.addEventListener("keydown", runs, { capture: true })
  return {
    root,
    receive: rows.receive,
    chooseColumns: () => rows.chooseColumns?.(),
    showNames: () => rows.showNames?.(),
    spent: ({ cells }) => {
      const bars = cells.map(({ label, credits }) => ({ label, value: credits }))
      spending.replaceChildren(...(bars.length < 2 ? [] : [barChart("credits per cell", bars)]))
    },
  }
}

const summaryLine = (payload: ResultPayload): HTMLElement => {
  const { good, network, environment, method, partial, summary, outcome = summary } = payload
  const where = [
    method,
    ...(network === undefined ? [] : [network]),
    ...(environment === undefined ? [] : [environment]),
  ]
  const mark = element("span", { class: "mark", "aria-hidden": "true" }, partial === true ? "…" : outcome.slice(0, 1))
  const words = element("span", {}, ` ${outcome.slice(1).trim()} `)
  const place = element("span", { class: "quiet" }, where.join(" · "))
  return element("p", { class: good ? "good" : "bad", role: "status" }, mark, words, place)
}

export const errorBlock = (
  {
    canAllowOnce,
    canResume,
    error,
    id,
    label,
    partialWords,
  }: Pick<ResultPayload, "canAllowOnce" | "canResume" | "error" | "id" | "label" | "partialWords">,
  send: (message: RendererMessage) => void,
): ReadonlyArray<HTMLElement> => {
  if (error === undefined) return []
  const code = error.code === undefined ? "" : ` (${error.code})`
  const advice = error.advice === undefined ? [] : [element("p", {}, `→ ${error.advice}`)]
  const kept = partialWords === undefined ? [] : [element("p", {}, partialWords)]
  const words = [element("p", { class: "error", role: "alert" }, `${error.message}${code}`), ...advice, ...kept]
  const actions = [
    ...(canResume === true
      ? [button("Resume", () => send({ kind: "resume", id }), { title: "Reads the rest; nothing is paid for twice" })]
      : []),
    ...(canAllowOnce === true
      ? [button("Allow once", () => send({ kind: "allowOnce", id }), { title: "Runs it once without the limit" })]
      : []),
  ]
  return actions.length === 0 ? words : [...words, toolbar(label, ...actions)]
}

/** The checks that failed, one to a line. */
export const failedChecks = ({ checks }: Pick<ResultPayload, "checks">): ReadonlyArray<HTMLElement> =>
  checkList({ checks: checks.filter(({ ok, skipped }) => !ok && skipped !== true) })

const checkList = ({ checks }: Pick<ResultPayload, "checks">): ReadonlyArray<HTMLElement> => {
  if (checks.length === 0) return []
  const failed = checks.filter(({ ok, skipped }) => !ok && skipped !== true)
  const items = [...failed, ...checks.filter((check) => !failed.includes(check))].map(
    ({ text, ok, problem, actual, skipped }) => {
      if (skipped === true) return element("li", {}, `– not checked: ${text}`)
      const why = ok ? "" : problem !== undefined ? `: ${problem}` : actual !== undefined ? `, actual ${actual}` : ""
      const mark = element("span", { class: "mark", "aria-hidden": "true" }, ok ? "✓" : "✗")
      const said = element("span", {}, ` ${ok ? "passes" : "fails"}: ${text}${why}`)
      return element("li", { class: ok ? "good" : "bad" }, mark, said)
    },
  )
  return [element("ul", { "aria-label": "Checks" }, ...items)]
}

const blockChart = (table: PayloadTable): ReadonlyArray<HTMLElement> => {
  const bars = rowsPerBlock(table)
  return bars.length === 0 ? [] : [barChart("rows per block", bars)]
}

const namespace = "http://www.w3.org/2000/svg"
const [width, height] = [192, 28]

const barChart = (title: string, bars: ReadonlyArray<Bar>): HTMLElement => {
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
