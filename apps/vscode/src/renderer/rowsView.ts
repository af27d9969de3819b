/** The rows of a result in a grid that can be filtered, or its JSON where it has no rows. */
import { groupDigits } from "@dotrpc/spec/Table"

import type { PayloadTable, RendererMessage, ResultPayload, RowsMessage } from "../results/ResultPayload.ts"
import { requestKey } from "../results/ColumnChoice.ts"
import { delimited } from "@dotrpc/columns/delimited"
import type { ChosenColumns } from "./ChosenColumns.ts"
import { columnMenu } from "./columnMenu.ts"
import { button, element, toolbar } from "./element.ts"
import { GridView } from "./GridView.ts"
import type { KnownNames } from "./KnownNames.ts"
import { RowLoader } from "./RowLoader.ts"

export interface RowsView {
  readonly elements: ReadonlyArray<HTMLElement>
  readonly receive: (rows: RowsMessage) => void
  /** Columns were chosen, maybe elsewhere. */
  readonly chooseColumns?: (() => void) | undefined
  /** Names of accounts were looked up, maybe elsewhere. */
  readonly showNames?: (() => void) | undefined
  /** Absent where there are no rows. */
  readonly grid?: GridView | undefined
}

export interface RowsOptions {
  /** How many rows are in view at once. */
  readonly visible: number
  /** The columns that the user chose; without them, all are shown. */
  readonly columns?: ChosenColumns | undefined
  readonly names: KnownNames
  /** What else can be done with a result that is whole. */
  readonly actions?: ReadonlyArray<HTMLElement> | undefined
  /** Every row is there. */
  readonly complete: (table: PayloadTable) => void
  /** The filter, which stays when other rows are shown. */
  readonly filter?: RowFilter | undefined
}

/** The rows that the user chose to see. */
export interface RowFilter {
  words: string
  /** Rows that were chosen in a chart, by their index. */
  chosen?: ReadonlySet<number> | undefined
}

export const rowsView = (
  payload: ResultPayload,
  send: (message: RendererMessage) => void,
  options: RowsOptions,
): RowsView => {
  const { id, table } = payload
  const { actions: others = [] } = options
  const whole = [
    button("Open full result", () => send({ kind: "open", id })),
    button("Save as…", () => send({ kind: "save", id })),
    ...others,
  ]
  const more = button("More", () => more.setAttribute("aria-expanded", String(more.ariaExpanded !== "true")), {
    class: "more",
    "aria-expanded": "false",
  })
  const actions = payload.partial === true ? [] : [more, element("span", { class: "rest" }, ...whole)]
  return table === undefined || table.rows.length === 0 || table.columns.length === 0
    ? jsonView(payload, send, actions)
    : tableView(payload, table, send, options, actions)
}

const jsonView = (
  { json, label }: ResultPayload,
  send: (message: RendererMessage) => void,
  actions: ReadonlyArray<HTMLElement>,
): RowsView => {
  if (json === undefined) return { elements: [], receive: () => undefined }
  const copy = button("Copy JSON", () => send({ kind: "copy", text: json }))
  const shown = element("pre", { class: "json", tabindex: "0", "aria-label": `${label} as JSON` }, json)
  return { elements: [toolbar(label, copy, ...actions), shown], receive: () => undefined }
}

const tableView = (
  payload: ResultPayload,
  table: PayloadTable,
  send: (message: RendererMessage) => void,
  options: RowsOptions,
  actions: ReadonlyArray<HTMLElement>,
): RowsView => {
  const { id, label, names, partial } = payload
  const { columns, filter = { words: "" } } = options
  const { counter, grid, receive, showNames } = loadingGrid(payload, table, send, options)
  const key = requestKey(payload)
  const chooseColumns = () => {
    grid.choice = columns?.of(key)
  }
  if (columns?.of(key) !== undefined) chooseColumns()
  const menu =
    columns === undefined
      ? undefined
      : columnMenu(label, {
          columns: () => grid.columns,
          get: () => columns.of(key),
          set: (choice) => {
            columns.choose(key, choice)
            chooseColumns()
          },
        })
  const [input, ...all] = filterTools(label, grid, filter)
  const copyRows = button("Copy rows", () => send({ kind: "copy", text: delimited("\t", [grid.names, ...grid.exact]) }))
  const lookUp = button("Look up names", () => send({ kind: "lookUpNames", id }), {
    title: `Names of addresses from ${names?.title ?? ""}; asks first, with the price`,
  })
  const tools = [
    input,
    counter,
    ...all,
    ...(menu === undefined ? [] : [menu.button]),
    copyRows,
    ...(names === undefined || partial === true ? [] : [lookUp]),
    ...actions,
  ]
  return {
    elements: [toolbar(label, ...tools), ...(menu === undefined ? [] : [menu.list]), grid.root],
    receive,
    chooseColumns,
    showNames,
    grid,
  }
}

/** The grid, with a counter beside it, which both grow while the other rows come. */
const loadingGrid = (
  payload: ResultPayload,
  table: PayloadTable,
  send: (message: RendererMessage) => void,
  { complete, names, visible }: RowsOptions,
) => {
  const { id, json } = payload
  const counter = element("span", { class: "quiet", role: "status" })
  // What a single value says in words is above its fields already.
  const counted = table.items === undefined ? `${groupDigits(table.total)} rows` : table.summary
  let loaded = table
  const named = () => names.in(loaded, payload)
  const grid = new GridView(named(), Math.max(visible, 5), {
    copy: (text) => send({ kind: "copy", text }),
    json,
    counted: (shown, count) => {
      const isLoading = count < table.total
      counter.textContent = shown === table.total ? counted : `${groupDigits(shown)} of ${counted}`
      if (isLoading) counter.textContent += " so far"
      // A screen reader hears it once, when all are there.
      counter.setAttribute("aria-busy", String(isLoading))
    },
  })
  const showNames = () => grid.show(named())
  const { receive } = new RowLoader(id, table, {
    ask: send,
    take: (more) => {
      loaded = more
      showNames()
    },
    complete: () => complete(named()),
    gone: () => {
      counter.textContent += ": the other rows are no longer available; run it again"
      counter.removeAttribute("aria-busy")
    },
  })
  return { counter, grid, receive, showNames }
}

/** The field for the words of a filter, and what ends a choice of rows in a chart. */
const filterTools = (
  label: string,
  grid: GridView,
  filter: RowFilter,
): readonly [input: HTMLInputElement, ...all: ReadonlyArray<HTMLElement>] => {
  const input = element("input", {
    type: "search",
    placeholder: "Filter rows",
    "aria-label": `Filter rows of ${label}`,
  })
  input.value = filter.words
  if (filter.words !== "") grid.filter = filter.words
  input.addEventListener("input", () => {
    filter.words = input.value
    grid.filter = input.value
  })
  // Typing must not reach the notebook's own keys.
  input.addEventListener("keydown", (event) => event.stopPropagation())
  if (filter.chosen === undefined) return [input]
  grid.chosen = filter.chosen
  const all = button("Show all rows", () => {
    filter.chosen = undefined
    grid.chosen = undefined
    all.remove()
    input.focus()
  })
  return [input, all]
}
