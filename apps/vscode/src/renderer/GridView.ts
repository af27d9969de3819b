/**
 * A table of any length: only rows in view are in the page. Rows are sorted by their headings, opened and copied with the
 * mouse or the keyboard, and a screen reader gets its place in the whole.
 */
import { type Column, lookOf, shownCell } from "@dotrpc/report"
import * as Json from "@dotrpc/spec/Json"
import * as Visible from "@dotrpc/spec/Visible"

import { chosenColumns, type ColumnChoice } from "../results/ColumnChoice.ts"
import type { PayloadTable } from "../results/ResultPayload.ts"
import { copiedSelection } from "./copiedSelection.ts"
import { element } from "./element.ts"
import { exactCell, sourceOf } from "./exactCell.ts"
import { columnKeys } from "../results/joinSlices.ts"
import { type Layout, layoutOf, rowHeight } from "./RowLayout.ts"
import { rowOrder, type Sorting } from "../results/rowOrder.ts"

/** Rows drawn above and below those in view, so that scrolling shows no gaps. */
const margin = 10
const lineHeight = 18
const leastVisible = 3
const mostLines = 24
/** Characters that any column has room for. */
const longestShort = 16

export interface GridEvents {
  readonly copy: (text: string) => void
  /** The whole result as JSON, where rows have no items. */
  readonly json?: string | undefined
  /** How many rows are left by the filter, of how many that are there. */
  readonly counted: (shown: number, loaded: number) => void
}

export class GridView {
  readonly root: HTMLElement
  #table: PayloadTable
  readonly #events: GridEvents
  #visible: number
  readonly #grid: HTMLTableElement
  readonly #body = element("tbody", {})
  readonly #head = element("tr", { "aria-rowindex": "1" })
  #headings: ReadonlyArray<HTMLTableCellElement> = []
  #choice: ColumnChoice | undefined
  /** The columns that are shown, by their index in the table. */
  #columns: ReadonlyArray<number> = []
  /** Rows that are open, by their index in the table, which no sorting changes. */
  readonly #open = new Set<number>()
  #filter = ""
  #chosen: ReadonlySet<number> | undefined
  #sorting: Sorting | undefined
  #order: ReadonlyArray<number> = []
  #layout: Layout = layoutOf(0, new Map())
  /** The position that the keyboard is at. */
  #current = 0
  #resultText: string | undefined
  /** The first row in the page, and the one after the last. */
  #drawn: readonly [first: number, end: number] = [0, 0]
  /** Whether the latest click has opened or closed a row. */
  #hasToggled = false

  /** @param visible how many rows are in view at once */
  constructor(table: PayloadTable, visible: number, events: GridEvents) {
    this.#table = table
    this.#visible = visible
    this.#events = events
    const head = element("thead", {}, this.#head)
    this.#grid = element("table", { role: "grid", "aria-label": table.summary }, head, this.#body)
    this.root = element("div", { class: "scroll" }, this.#grid)
    this.root.style.maxHeight = `${(visible + 1) * rowHeight}px`
    this.root.addEventListener("scroll", () => this.#scrolled())
    this.#body.addEventListener("click", (event) => this.#clicked(event))
    this.#body.addEventListener("keydown", (event) => this.#pressed(event))
    this.#body.addEventListener("copy", (event) => this.#copied(event))
    this.#label()
    this.#arrange()
  }

  /** The same table, with more rows and maybe more columns, between its own too. */
  show(table: PayloadTable): void {
    const { columns } = this.#table
    this.#table = table
    if (table.columns.some((column, index) => !isSameColumn(column, columns[index]))) {
      this.#followSorting(columns)
      this.#label()
    }
    this.#arrange()
  }

  /** The columns that are shown, and their order. */
  set choice(choice: ColumnChoice | undefined) {
    this.#choice = choice
    this.#label()
    this.#draw()
  }

  get columns(): ReadonlyArray<Column> {
    return this.#table.columns
  }

  /** It takes as many pixels from now on. */
  set height(pixels: number) {
    this.#visible = Math.max(leastVisible, Math.floor(pixels / rowHeight) - 1)
    this.root.style.maxHeight = `${pixels}px`
    this.#draw()
  }

  /** The keyboard is at the current row from here on. */
  focus(): void {
    this.#focus()
  }

  get hasFocus(): boolean {
    return this.#hasFocus()
  }

  /** Shows only these rows, by their index in the table; without them, all rows. */
  set chosen(rows: ReadonlySet<number> | undefined) {
    this.#chosen = rows
    this.#current = 0
    this.#arrange()
  }

  set filter(words: string) {
    this.#filter = words
    this.#current = 0
    this.#arrange()
  }

  get names(): ReadonlyArray<string> {
    return this.#columns.map((column) => this.#table.columns[column]?.name ?? "")
  }

  /** The rows and columns that are shown, in their order; cells are whole, and numbers have nothing between their digits. */
  get exact(): ReadonlyArray<ReadonlyArray<string>> {
    return this.#order.map((index) => this.#exactRow(index))
  }

  #exactRow(index: number, columns: ReadonlyArray<number> = this.#columns): ReadonlyArray<string> {
    const { items, rows } = this.#table
    const source = items === undefined ? this.#source() : items[index]
    return columns.map((column) => exactCell(rows[index]?.[column] ?? "", source))
  }

  /** What rows without items were made from. */
  #source(): string | undefined {
    return (this.#resultText ??= sourceOf(this.#events.json))
  }

  #label(): void {
    this.#columns = chosenColumns(columnKeys(this.#table.columns), this.#choice)
    this.#headings = this.#columns.map((column) => this.#heading(column))
    this.#head.replaceChildren(...this.#headings)
    this.#tellSorting()
  }

  #heading(column: number): HTMLTableCellElement {
    const { name, numeric } = this.#table.columns[column] ?? { name: "", numeric: false }
    const press = element("button", { type: "button", title: `Sort by ${name}` }, name)
    press.addEventListener("click", () => this.#sortBy(column))
    return element("th", { scope: "col", "aria-sort": "none", class: numeric ? "numeric" : "" }, press)
  }

  #sortBy(column: number): void {
    const before = this.#sorting?.column === column ? this.#sorting.direction : undefined
    if (before === "descending") this.#sorting = undefined
    else this.#sorting = { column, direction: before === undefined ? "ascending" : "descending" }
    this.#tellSorting()
    this.#arrange()
  }

  /** The column that rows are sorted by may stand elsewhere now. */
  #followSorting(before: ReadonlyArray<Column>): void {
    if (this.#sorting === undefined) return
    const sorted = columnKeys(before)[this.#sorting.column]
    const column = columnKeys(this.#table.columns).findIndex((key) => key === sorted)
    this.#sorting = column < 0 ? undefined : { ...this.#sorting, column }
  }

  #tellSorting(): void {
    this.#headings.forEach((heading, index) =>
      heading.setAttribute(
        "aria-sort",
        this.#sorting?.column === this.#columns[index] ? (this.#sorting?.direction ?? "none") : "none",
      ),
    )
  }

  #arrange(): void {
    const order = rowOrder(this.#table, this.#filter, this.#sorting)
    this.#order = this.#chosen === undefined ? order : order.filter((index) => this.#chosen?.has(index))
    this.#grid.setAttribute("aria-rowcount", String(this.#order.length + 1))
    this.#events.counted(this.#order.length, this.#table.rows.length)
    this.#measure()
  }

  #measure(): void {
    const open = new Map<number, number>()
    this.#order.forEach((index, position) => {
      if (this.#open.has(index)) open.set(position, detailHeight(this.#detail(index)))
    })
    this.#layout = layoutOf(this.#order.length, open)
    this.#draw()
  }

  /** Rows that are there stay, and with them what is selected in them. */
  #scrolled(): void {
    const [first, last] = this.#inView
    if (first < this.#drawn[0] || last > this.#drawn[1]) this.#draw()
  }

  /** The first row in view, and the one after the last. */
  get #inView(): readonly [first: number, end: number] {
    const { scrollTop } = this.root
    const end = this.#layout.at(scrollTop + (this.#visible + 1) * rowHeight) + 1
    return [this.#layout.at(scrollTop), Math.min(this.#order.length, end)]
  }

  #draw(): void {
    const hadFocus = this.#hasFocus()
    const [from, to] = this.#inView
    const first = Math.max(0, from - margin)
    const last = Math.min(this.#order.length, to + margin)
    this.#drawn = [first, last]
    const rows = this.#order.slice(first, last).flatMap((index, offset) => this.#row(index, first + offset))
    const end = last < this.#order.length ? this.#layout.top(last) : this.#layout.height
    this.#body.replaceChildren(spacer(this.#layout.top(first)), ...rows, spacer(this.#layout.height - end))
    if (hadFocus) this.#focus()
  }

  #row(index: number, position: number): ReadonlyArray<HTMLElement> {
    const isOpen = this.#open.has(index)
    const cells = this.#columns.map((column) => this.#cell(index, column, position === this.#current))
    const row = element(
      "tr",
      {
        "aria-rowindex": String(position + 2),
        tabindex: position === this.#current ? "0" : "-1",
        "data-position": String(position),
        ...(this.#table.items === undefined ? {} : { "aria-expanded": String(isOpen) }),
      },
      ...cells,
    )
    if (!isOpen) return [row]
    const text = this.#detail(index)
    const detail = element("pre", { tabindex: "0", "aria-label": `Row ${position + 1} as JSON` }, text)
    detail.style.height = `${detailHeight(text)}px`
    const cell = element("td", { colspan: String(this.#columns.length), role: "gridcell" }, detail)
    return [row, element("tr", { class: "detail" }, cell)]
  }

  /**
   * A cell is whole: what does not fit is cut by the page alone, and seen by pointing at it. A link to its page stands beside
   * the text, which can be selected like any other.
   */
  #cell(index: number, column: number, isCurrent: boolean): HTMLElement {
    const text = this.#table.rows[index]?.[column] ?? ""
    const page = this.#table.links?.[index]?.[column] ?? undefined
    const shown = shownCell(this.#table, text)
    const title = text.length > longestShort ? { title: text } : {}
    // Where rows are not items, each is a field, and its value has room.
    const { look, words: parts } = lookOf(this.#table.columns[column], text, shown, this.#table.items !== undefined)
    const attributes = { role: "gridcell", "data-column": String(column), ...title }
    const words = parts.length === 1 ? parts : parts.map((each) => element("span", {}, each))
    if (page === undefined) return element("td", { class: look, ...attributes }, ...words)
    // Rows are left and entered by the arrow keys: only the links of the current one take part in the order of tabs.
    const link = element("a", {
      href: page,
      tabindex: isCurrent ? "0" : "-1",
      title: page,
      "aria-label": `Page of ${text}`,
    })
    return element("td", { class: `${look} linked`.trim(), ...attributes }, ...words, link)
  }

  /** The item behind a row, with every digit. */
  #detail(index: number): string {
    const item = this.#table.items?.[index]
    return item === undefined ? "" : Visible.json(Json.stringify(Json.parse(item), 2))
  }

  /** A click opens or closes a row. A second one after it selects a value: a row that was opened on the way to it is closed again. */
  #clicked({ detail, target }: MouseEvent): void {
    const row = target instanceof Element ? target.closest("tr[data-position]") : null
    if (!(row instanceof HTMLElement) || !(target instanceof Element)) return
    if (target.closest("a") !== null || detail > 2) return
    const position = Number(row.dataset["position"])
    if (detail === 2) {
      if (this.#hasToggled) this.#toggle()
      return this.#select(position, target.closest("td")?.dataset["column"])
    }
    this.#hasToggled = false
    // Text that is being selected is not to be lost.
    if ((row.ownerDocument.getSelection()?.toString() ?? "") !== "") return
    this.#current = position
    this.#hasToggled = true
    this.#toggle()
  }

  /** Selects all that a cell shows. */
  #select(position: number, column: string | undefined): void {
    const cell = this.#body.querySelector(`tr[data-position="${position}"] > td[data-column="${column}"]`)
    if (cell !== null && cell.textContent !== "") this.root.ownerDocument.getSelection()?.selectAllChildren(cell)
  }

  #toggle(): void {
    const index = this.#order[this.#current]
    if (index === undefined || this.#table.items === undefined) return
    if (!this.#open.delete(index)) this.#open.add(index)
    this.#measure()
    this.#focus()
  }

  #pressed(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.#current + 1,
      ArrowUp: this.#current - 1,
      PageDown: this.#current + this.#visible,
      PageUp: this.#current - this.#visible,
      Home: 0,
      End: this.#order.length - 1,
    }
    const inDetail = event.target instanceof HTMLPreElement
    const isLink = event.target instanceof HTMLAnchorElement
    const position = inDetail ? undefined : moves[event.key]
    if (position !== undefined) this.#moveTo(position)
    else if (event.key === "c" && (event.ctrlKey || event.metaKey)) this.#copyCurrent()
    else if (!inDetail && !isLink && (event.key === "Enter" || event.key === " ")) this.#toggle()
    else return
    // The notebook has commands of its own on these keys.
    event.preventDefault()
    event.stopPropagation()
  }

  #moveTo(position: number): void {
    this.#current = Math.max(0, Math.min(this.#order.length - 1, position))
    const top = this.#layout.top(this.#current)
    const { scrollTop, clientHeight } = this.root
    if (top < scrollTop) this.root.scrollTop = top
    else if (top + 2 * rowHeight > scrollTop + clientHeight) this.root.scrollTop = top + 2 * rowHeight - clientHeight
    this.#draw()
    this.#focus()
  }

  #copyCurrent(): void {
    const index = this.#order[this.#current]
    const selected = this.#selected()
    if (selected !== undefined) return this.#events.copy(selected)
    if (index === undefined) return
    this.#events.copy(this.#table.items === undefined ? this.#exactRow(index).join("\t") : this.#detail(index))
  }

  /** The menu of the page copies without a key. */
  #copied(event: ClipboardEvent): void {
    const selected = this.#selected()
    if (selected === undefined || event.clipboardData === null) return
    event.clipboardData.setData("text/plain", selected)
    event.preventDefault()
  }

  #selected(): string | undefined {
    return copiedSelection(this.root.ownerDocument.getSelection(), this.#body, (position, columns) => {
      const index = this.#order[position]
      return index === undefined ? [] : this.#exactRow(index, columns)
    })
  }

  #hasFocus(): boolean {
    const root = this.#body.getRootNode()
    const { activeElement } = root instanceof ShadowRoot ? root : document
    return this.#body.contains(activeElement)
  }

  #focus(): void {
    this.#body.querySelector<HTMLElement>(`tr[data-position="${this.#current}"]`)?.focus({ preventScroll: true })
  }
}

const isSameColumn = (column: Column, other: Column | undefined): boolean =>
  column.name === other?.name && column.numeric === other.numeric

const detailHeight = (text: string): number => Math.min(mostLines, text.split("\n").length) * lineHeight + 8

/** Room for the rows that are not drawn. */
const spacer = (pixels: number): HTMLElement => {
  const row = element("tr", { "aria-hidden": "true", class: "spacer" }, element("td", {}))
  row.style.height = `${pixels}px`
  return row
}
