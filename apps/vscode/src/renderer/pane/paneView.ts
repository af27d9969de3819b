/**
 * The page of a result pane: the result of a request, in tabs.
 *
 * Invariant: an update of the result leaves the tab, the filter and the place of the keyboard as they are.
 */
import type { PaneContent, PaneMessage, PaneRequest } from "../../pane/PaneMessage.ts"
import { type ChartEvents, chartView } from "../chart/chartView.ts"
import { ChosenColumns } from "../ChosenColumns.ts"
import { button, element, toolbar } from "../element.ts"
import { KnownNames } from "../KnownNames.ts"
import { rowHeight } from "../RowLayout.ts"
import { type RowFilter, type RowsView, rowsView } from "../rowsView.ts"
import { errorBlock, failedChecks } from "../resultView.ts"
import { styles } from "../styles.ts"
import { diffTab } from "./diffTab.ts"
import { sentTab } from "./sentTab.ts"
import { makeTabs } from "./tabs.ts"
import { timelineTab } from "./timelineTab.ts"

const tabs = [
  { name: "table", title: "Table" },
  { name: "chart", title: "Chart" },
  { name: "json", title: "JSON" },
  { name: "diff", title: "Diff" },
  { name: "sent", title: "Request" },
  { name: "timeline", title: "Timeline" },
] as const

type TabName = (typeof tabs)[number]["name"]

/** What the page remembers while it is hidden, and over a reload of the window. */
export interface PaneState {
  readonly key?: string | undefined
  readonly tab: TabName
}

export const stateOf = (state: unknown): PaneState => {
  const known: Readonly<Record<string, unknown>> = typeof state === "object" && state !== null ? { ...state } : {}
  const tab = tabs.find(({ name }) => name === known["tab"])?.name ?? "table"
  return { tab, key: typeof known["key"] === "string" ? known["key"] : undefined }
}

export interface PaneView {
  readonly root: HTMLElement
  readonly receive: (message: PaneMessage) => void
  /** Asks for what is to be shown. */
  readonly start: () => void
}

interface StatePort {
  readonly get: () => PaneState
  readonly set: (state: PaneState) => void
}

/** The elements of a tab, and how it takes its messages. */
interface Shown {
  readonly elements: ReadonlyArray<HTMLElement>
  readonly receive?: ((message: PaneMessage) => void) | undefined
  readonly rows?: RowsView | undefined
}

export const paneView = (send: (message: PaneRequest) => void, state: StatePort): PaneView => {
  let content: PaneContent | undefined
  let shown: Shown = { elements: [] }
  /** The rows that are loaded, which other tabs need as well. */
  let filter: RowFilter = { words: "" }
  const columns = new ChosenColumns(send)
  const names = new KnownNames()
  /** Never more than two lines: the result, and its tabs beside what can be done. */
  const head = element("div", { class: "head" })
  const alerts = element("div", { class: "alerts" })
  const nothing = element("p", { class: "quiet", role: "status" }, "Run a request to see its result here.")
  const bar = makeTabs("Views of the result", tabs, state.get().tab, () => {
    state.set({ ...state.get(), tab: bar.current })
    showTab()
  })
  const root = element("section", { class: "dotrpc pane" }, element("style", {}, styles), nothing)

  const showTab = () => {
    if (content === undefined) return
    shown = tabOf(bar.current, content)
    bar.panel.replaceChildren(...shown.elements)
    fit()
  }
  const tabOf = (name: TabName, { others, payload, timeline }: PaneContent): Shown => {
    switch (name) {
      case "table": {
        const rows = rowsView(payload, send, { visible: 10, complete: () => undefined, filter, columns, names })
        return {
          elements: rows.elements.length > 0 ? rows.elements : [quiet("There is no result.")],
          rows,
          receive: (message) => (message.kind === "rows" ? rows.receive(message) : undefined),
        }
      }
      case "chart":
        return chartTab(payload, send, names, (rows) => {
          filter = { ...filter, chosen: rows }
          if (rows !== undefined) bar.select("table")
        })
      case "json":
        return jsonTab(content)
      case "diff":
        return diffTab(payload.id, others, send)
      case "sent":
        return { elements: sentTab(timeline, send) }
      case "timeline":
        return { elements: timelineTab(timeline, payload) }
    }
  }
  const jsonTab = (of: PaneContent | undefined): Shown => {
    const id = of?.payload.id ?? 0
    const text = element("pre", { class: "json", tabindex: "0", "aria-label": "The result as JSON" }, "…")
    const rest = element("p", { class: "quiet" })
    send({ kind: "json", id })
    return {
      elements: [rest, text],
      receive: (message) => {
        if (message.kind !== "json" || message.id !== id) return
        text.textContent = message.text === "" ? "There is no result." : message.text
        if (!message.isWhole)
          rest.replaceChildren(
            "This is the beginning. ",
            button("Open full result", () => send({ kind: "open", id })),
          )
      },
    }
  }

  /** Rows take what is left of the height. */
  const fit = () => {
    const { grid } = shown.rows ?? {}
    if (grid === undefined) return
    const left = root.getBoundingClientRect().bottom - grid.root.getBoundingClientRect().top - 8
    if (left > 0) grid.height = Math.max(4 * rowHeight, left)
  }
  addEventListener("resize", fit)

  const showHead = ({ activity, isBeside, key, kept, payload, pinned, requests }: PaneContent) => {
    const { canAllowOnce, canResume, error, good, id, label, method, network, environment, summary } = payload
    const where = [method, network, environment, kept].flatMap((part) => part ?? []).join(" · ")
    const words = activity === undefined ? summary : `… ${activity}`
    const mark = element("span", { class: "mark", "aria-hidden": "true" }, words.slice(0, 1))
    const line = element(
      "p",
      { class: good || activity !== undefined ? "good" : "bad", role: "status" },
      ...(requests.length > 1 ? [] : [element("strong", {}, `${label} `)]),
      mark,
      ` ${words.slice(1).trim()} `,
      element("span", { class: "quiet" }, where),
    )
    const press = (title: string, message: PaneRequest, attributes: Readonly<Record<string, string>> = {}) =>
      button(title, () => send(message), { id: `do-${message.kind}`, ...attributes })
    const actions = [
      ...(activity === undefined
        ? [press("Run again", { kind: "run" })]
        : [press("Stop", { kind: "stop" }, { title: "Stop the run; unused credits are returned" })]),
      press(
        "Pin",
        { kind: "pin" },
        { "aria-pressed": String(pinned), title: "Stay on this request, and compare later runs with this result" },
      ),
      press("Export", { kind: "export" }, { title: "Write one page of HTML, with charts, rows and checks" }),
      ...(isBeside ? [] : [press("Open to the side", { kind: "beside" })]),
    ]
    line.title = line.textContent
    const chosen = element("div", { class: "chosen" }, ...(requests.length > 1 ? [chooser(key, requests)] : []), line)
    head.replaceChildren(chosen, bar.list, toolbar(label, ...actions))
    alerts.replaceChildren(
      ...(activity === undefined
        ? errorBlock({ canAllowOnce, canResume, error, id, label, partialWords: payload.partialWords }, send)
        : []),
      ...failedChecks(payload),
    )
    root.setAttribute("aria-label", `Result of ${label}`)
  }
  const chooser = (key: string, requests: PaneContent["requests"]): HTMLElement => {
    const options = requests.map(({ key: value, label }) =>
      element("option", { value, ...(value === key ? { selected: "" } : {}) }, label),
    )
    const select = element("select", { id: "request", "aria-label": "Request" }, ...options)
    select.addEventListener("change", () => send({ kind: "choose", key: select.value }))
    return select
  }

  const show = (next: PaneContent) => {
    const before = content
    const focused = document.activeElement?.id ?? ""
    const wasInGrid = shown.rows?.grid?.hasFocus === true
    const wasInFilter = document.activeElement instanceof HTMLInputElement
    content = next
    if (before === undefined) root.replaceChildren(...root.querySelectorAll("style"), head, alerts, bar.panel)
    if (before?.key !== next.key) filter = { words: "" }
    state.set({ tab: bar.current, key: next.key })
    showHead(next)
    const isSame = before?.payload.id === next.payload.id
    // Chosen rows belong to the previous result.
    if (!isSame) filter.chosen = undefined
    if (!isSame || (bar.current === "diff" && !isSameList(before.others, next.others))) showTab()
    else fit()
    if (!isSame && wasInGrid) shown.rows?.grid?.focus()
    else if (!isSame && wasInFilter) bar.panel.querySelector("input")?.focus()
    else if (focused !== "" && document.activeElement?.id !== focused) document.getElementById(focused)?.focus()
  }

  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.stopPropagation()
      return content?.activity === undefined ? send({ kind: "run" }) : undefined
    }
    if (!event.ctrlKey || event.target instanceof HTMLInputElement) return
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    bar.move(by, true)
  })
  return {
    root,
    start: () => send({ kind: "started", key: state.get().key }),
    receive: (message) => {
      if (message.kind === "content") return show(message.content)
      if (message.kind === "columns") {
        columns.receive(message)
        return shown.rows?.chooseColumns?.()
      }
      if (message.kind === "names") {
        names.receive(message)
        return shown.rows?.showNames?.()
      }
      if (message.kind !== "nothing") return shown.receive?.(message)
      content = undefined
      shown = { elements: [] }
      root.removeAttribute("aria-label")
      root.replaceChildren(...root.querySelectorAll("style"), nothing)
    },
  }
}

const isSameList = (left: PaneContent["others"], right: PaneContent["others"]): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

export const quiet = (words: string): HTMLElement => element("p", { class: "quiet" }, words)

/** Asks for the rows again, as charts show all of them. */
const chartTab = (
  payload: PaneContent["payload"],
  send: (message: PaneRequest) => void,
  names: KnownNames,
  choose: ChartEvents["choose"],
): Shown => {
  const place = element("div", { class: "whole" })
  const save: ChartEvents["save"] = (picture) => send({ kind: "picture", ...picture })
  const rows = rowsView(payload, send, {
    visible: 10,
    names,
    complete: (table) => place.replaceChildren(chartView(table, { choose, save })),
  })
  if (rows.grid === undefined) place.replaceChildren(quiet("There are no rows to chart."))
  return {
    elements: [place],
    receive: (message) => (message.kind === "rows" ? rows.receive(message) : undefined),
  }
}
