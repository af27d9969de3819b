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
  { columns, complete, filter: kept = { words: "" }, names, visible }: RowsOptions,
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
  // What a single value says in words is above its fields already.
  const counted = table.items === undefined ? `${groupDigits(table.total)} rows` : table.summary
  let loaded = table
  const named = () => names.in(loaded, payload)
  const grid = new GridView(named(), Math.max(visible, 5), {
    copy,
    json,
    counted: (shown, count) => {
      const isLoading = count < table.total
      counter.textContent = shown === table.total ? counted : `${groupDigits(shown)} of ${counted}`
      if (isLoading) counter.textContent += " so far"
      // A screen reader hears it once, when all are there.
      counter.setAttribute("aria-busy", String(isLoading))
    },
  })
  const loader = new RowLoader(id, table, {
    ask: send,
    take: (more) => {
      loaded = more
      grid.show(named())
    },
    complete: () => complete(named()),
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
  filter.value = kept.words
  if (kept.words !== "") grid.filter = kept.words
  if (kept.chosen !== undefined) grid.chosen = kept.chosen
  const all = button("Show all rows", () => {
    kept.chosen = undefined
    grid.chosen = undefined
    all.remove()
    filter.focus()
  })
  filter.addEventListener("input", () => {
    kept.words = filter.value
    grid.filter = filter.value
  })
  // Typing must not reach the notebook's own keys.
  filter.addEventListener("keydown", (event) => event.stopPropagation())
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
  const lookUp =
    payload.names === undefined || payload.partial === true
      ? []
      : [
          button("Look up names", () => send({ kind: "lookUpNames", id }), {
            title: `Names of addresses from ${payload.names.title}; asks first, with the price`,
          }),
        ]
  const copyRows = button("Copy rows", () => copy(delimited("\t", [grid.names, ...grid.exact])))
  return {
    elements: [
      toolbar(
        label,
        filter,
        counter,
        ...(kept.chosen === undefined ? [] : [all]),
        ...(menu === undefined ? [] : [menu.button]),
        copyRows,
        ...lookUp,
        ...actions,
      ),
      ...(menu === undefined ? [] : [menu.list]),
      grid.root,
    ],
    receive: loader.receive,
    chooseColumns,
    showNames: () => grid.show(named()),
    grid,
  }
}
