/** The tabs of a pane by their names, and what is in each. */
import type { PaneContent, PaneMessage, PaneRequest } from "../../pane/PaneMessage.ts"
import { type ChartEvents, chartView } from "../chart/chartView.ts"
import type { ChosenColumns } from "../ChosenColumns.ts"
import { button, element } from "../element.ts"
import type { KnownNames } from "../KnownNames.ts"
import { type RowFilter, type RowsView, rowsView } from "../rowsView.ts"
import { diffTab } from "./diffTab.ts"
import { sentTab } from "./sentTab.ts"
import { timelineTab } from "./timelineTab.ts"

export const paneTabs = [
  { name: "table", title: "Table" },
  { name: "chart", title: "Chart" },
  { name: "json", title: "JSON" },
  { name: "diff", title: "Diff" },
  { name: "sent", title: "Request" },
  { name: "timeline", title: "Timeline" },
] as const

export type TabName = (typeof paneTabs)[number]["name"]

/** The elements of a tab, and how it takes its messages. */
export interface ShownTab {
  readonly elements: ReadonlyArray<HTMLElement>
  readonly receive?: ((message: PaneMessage) => void) | undefined
  readonly rows?: RowsView | undefined
}

export interface TabParts {
  readonly send: (message: PaneRequest) => void
  readonly columns: ChosenColumns
  readonly names: KnownNames
  readonly filter: RowFilter
  /** Shows only these rows in the table; all of them without any. */
  readonly choose: (rows: ReadonlySet<number> | undefined) => void
}

export const paneTab = (name: TabName, content: PaneContent, parts: TabParts): ShownTab => {
  const { others, payload, timeline } = content
  const { send } = parts
  switch (name) {
    case "table":
      return tableTab(payload, parts)
    case "chart":
      return chartTab(payload, parts)
    case "json":
      return jsonTab(payload.id, send)
    case "diff":
      return diffTab(payload.id, others, send)
    case "sent":
      return { elements: sentTab(timeline, send) }
    case "timeline":
      return { elements: timelineTab(timeline, payload) }
  }
}

const tableTab = (payload: PaneContent["payload"], { columns, filter, names, send }: TabParts): ShownTab => {
  const rows = rowsView(payload, send, { visible: 10, complete: () => undefined, filter, columns, names })
  return {
    elements: rows.elements.length > 0 ? rows.elements : [quiet("There is no result.")],
    rows,
    receive: receiveRows(rows),
  }
}

/** Asks for the rows again, as charts show all of them. */
const chartTab = (payload: PaneContent["payload"], { choose, names, send }: TabParts): ShownTab => {
  const place = element("div", { class: "whole" })
  const save: ChartEvents["save"] = (picture) => send({ kind: "picture", ...picture })
  const rows = rowsView(payload, send, {
    visible: 10,
    names,
    complete: (table) => place.replaceChildren(chartView(table, { choose, save })),
  })
  if (rows.grid === undefined) place.replaceChildren(quiet("There are no rows to chart."))
  return { elements: [place], receive: receiveRows(rows) }
}

const receiveRows = (rows: RowsView): ShownTab["receive"] => {
  return (message) => (message.kind === "rows" ? rows.receive(message) : undefined)
}

const jsonTab = (id: number, send: TabParts["send"]): ShownTab => {
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

const quiet = (words: string): HTMLElement => element("p", { class: "quiet" }, words)
