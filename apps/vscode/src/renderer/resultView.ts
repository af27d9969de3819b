/** One result: its summary, error, rows, checks and charts. */
import type {
  PayloadTable,
  RendererMessage,
  ResultPayload,
  RowsMessage,
  SpendingMessage,
} from "../notebook/ResultPayload.ts"
import { delimited } from "../results/delimited.ts"
import { rowsPerBlock } from "./chartData.ts"
import { barChart } from "./charts.ts"
import { button, element } from "./element.ts"
import { GridView } from "./GridView.ts"
import { rowHeight } from "./RowLayout.ts"
import { RowLoader } from "./RowLoader.ts"
import { styles } from "./styles.ts"

/** Rows of an output before it scrolls. */
const shownRows = 15

export interface ResultView {
  readonly root: HTMLElement
  /** What the cells of the notebook have cost is known again. */
  readonly spent: (spending: SpendingMessage) => void
  /** Rows that one of the outputs has asked for. */
  readonly receive: (rows: RowsMessage) => void
}

/** In a page of its own the rows take the height of the window. */
export const resultView = (
  payload: ResultPayload,
  send: (message: RendererMessage) => void,
  place: "output" | "page" = "output",
): ResultView => {
  const spending = element("div", {})
  const blocks = element("div", {})
  const showBlocks = (table: PayloadTable) => blocks.replaceChildren(...blockChart(table))
  const visible = place === "page" ? Math.floor(innerHeight / rowHeight) - 8 : shownRows
  const rows = rowsOf(payload, send, visible, showBlocks)
  const root = element(
    "section",
    { class: "dotrpc", "aria-label": `Result of ${payload.label}` },
    element("style", {}, styles),
    summaryLine(payload),
    ...errorBlock(payload, send),
    ...checkList(payload),
    ...rows.elements,
    ...(payload.note === undefined ? [] : [element("p", { class: "quiet" }, payload.note)]),
    element("div", { class: "charts" }, blocks, spending),
  )
  return {
    root,
    receive: rows.receive,
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

const errorBlock = (
  { canAllowOnce, canResume, error, id, label, partialWords }: ResultPayload,
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

interface RowsView {
  readonly elements: ReadonlyArray<HTMLElement>
  readonly receive: (rows: RowsMessage) => void
}

const rowsOf = (
  payload: ResultPayload,
  send: (message: RendererMessage) => void,
  visible: number,
  complete: (table: PayloadTable) => void,
): RowsView => {
  const { id, table, json, label } = payload
  const copy = (text: string) => send({ kind: "copy", text })
  const whole = [
    button("Open full result", () => send({ kind: "open", id })),
    button("Save as…", () => send({ kind: "save", id })),
  ]
  const actions = payload.partial === true ? [] : whole
  if (table === undefined || table.rows.length === 0 || table.columns.length === 0) {
    if (json === undefined) return { elements: [], receive: () => undefined }
    const shown = element("pre", { class: "json", tabindex: "0", "aria-label": `${label} as JSON` }, json)
    const tools = toolbar(
      label,
      button("Copy JSON", () => copy(json)),
      ...actions,
    )
    return { elements: [tools, shown], receive: () => undefined }
  }
  const counter = element("span", { class: "quiet", role: "status" })
  const grid = new GridView(table, Math.max(visible, 5), {
    copy,
    counted: (shown, loaded) => {
      const isLoading = loaded < table.total
      counter.textContent = shown === table.total ? table.summary : `${shown} of ${table.summary}`
      if (isLoading) counter.textContent += " so far"
      // A screen reader hears it once, when all are there.
      counter.setAttribute("aria-busy", String(isLoading))
    },
  })
  const loader = new RowLoader(id, table, {
    ask: send,
    take: (loaded) => grid.show(loaded),
    complete,
    gone: () => {
      counter.textContent += ": the other rows are no longer available; run it again"
      counter.removeAttribute("aria-busy")
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
  const copyRows = button("Copy rows", () => copy(delimited("\t", [grid.names, ...grid.shown])))
  return { elements: [toolbar(label, filter, counter, copyRows, ...actions), grid.root], receive: loader.receive }
}

const toolbar = (label: string, ...children: ReadonlyArray<HTMLElement>): HTMLElement =>
  element("div", { class: "tools", role: "toolbar", "aria-label": `Actions for ${label}` }, ...children)

const checkList = ({ checks }: ResultPayload): ReadonlyArray<HTMLElement> => {
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
