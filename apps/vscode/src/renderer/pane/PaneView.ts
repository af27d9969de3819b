/**
 * The page of a result pane: the result of a request, in tabs.
 *
 * Invariant: an update of the result leaves the tab, the filter and the place of the keyboard as they are.
 */
import type { PaneContent, PaneMessage, PaneRequest } from "../../pane/PaneMessage.ts"
import { ChosenColumns } from "../ChosenColumns.ts"
import { element } from "../element.ts"
import { KnownNames } from "../KnownNames.ts"
import { rowHeight } from "../RowLayout.ts"
import type { RowFilter } from "../rowsView.ts"
import { styles } from "../styles.ts"
import { paneAlerts, paneHead } from "./paneHead.ts"
import { paneTab, paneTabs, type ShownTab, type TabName } from "./paneTabs.ts"
import { makeTabs, type Tabs } from "./tabs.ts"

/** What the page remembers while it is hidden, and over a reload of the window. */
export interface PaneState {
  readonly key?: string | undefined
  readonly tab: TabName
}

export const stateOf = (state: unknown): PaneState => {
  const known: Readonly<Record<string, unknown>> = typeof state === "object" && state !== null ? { ...state } : {}
  const tab = paneTabs.find(({ name }) => name === known["tab"])?.name ?? "table"
  return { tab, key: typeof known["key"] === "string" ? known["key"] : undefined }
}

interface StatePort {
  readonly get: () => PaneState
  readonly set: (state: PaneState) => void
}

export class PaneView {
  readonly root: HTMLElement
  readonly #send: (message: PaneRequest) => void
  readonly #state: StatePort
  readonly #columns: ChosenColumns
  readonly #names = new KnownNames()
  readonly #style = element("style", {}, styles)
  readonly #nothing = element("p", { class: "quiet", role: "status" }, "Run a request to see its result here.")
  readonly #head = element("div", { class: "head" })
  readonly #alerts = element("div", { class: "alerts" })
  readonly #tabs: Tabs<TabName>
  #content: PaneContent | undefined
  #shown: ShownTab = { elements: [] }
  /** It stays while other tabs are shown. */
  #filter: RowFilter = { words: "" }

  constructor(send: (message: PaneRequest) => void, state: StatePort) {
    this.#send = send
    this.#state = state
    this.#columns = new ChosenColumns(send)
    this.root = element("section", { class: "dotrpc pane" }, this.#style, this.#nothing)
    this.#tabs = makeTabs("Views of the result", paneTabs, state.get().tab, (tab) => {
      state.set({ ...state.get(), tab })
      this.#showTab()
    })
    // A field for words keeps its keys to itself.
    this.root.addEventListener("keydown", (event) => this.#press(event), { capture: true })
    addEventListener("resize", () => this.#fit())
  }

  /** Asks for what is to be shown. */
  start(): void {
    this.#send({ kind: "started", key: this.#state.get().key })
  }

  receive(message: PaneMessage): void {
    const { rows } = this.#shown
    switch (message.kind) {
      case "content":
        return this.#show(message.content)
      case "columns":
        this.#columns.receive(message)
        return rows?.chooseColumns?.()
      case "names":
        this.#names.receive(message)
        return rows?.showNames?.()
      case "nothing":
        return this.#clear()
      default:
        return this.#shown.receive?.(message)
    }
  }

  #show(next: PaneContent): void {
    const before = this.#content
    const isSame = before?.payload.id === next.payload.id
    const restoreFocus = this.#focused(isSame)
    this.#content = next
    if (before === undefined) this.root.replaceChildren(this.#style, this.#head, this.#alerts, this.#tabs.panel)
    if (before?.key !== next.key) this.#filter = { words: "" }
    this.#state.set({ tab: this.#tabs.current, key: next.key })
    this.#head.replaceChildren(...paneHead(next, this.#tabs.list, this.#send))
    this.#alerts.replaceChildren(...paneAlerts(next, this.#send))
    this.root.setAttribute("aria-label", `Result of ${next.payload.label}`)
    // Chosen rows belong to the previous result.
    if (!isSame) this.#filter.chosen = undefined
    const hasOthers = this.#tabs.current === "diff" && !isSameList(before?.others, next.others)
    if (!isSame || hasOthers) this.#showTab()
    else this.#fit()
    restoreFocus()
  }

  #clear(): void {
    this.#content = undefined
    this.#shown = { elements: [] }
    this.root.removeAttribute("aria-label")
    this.root.replaceChildren(this.#style, this.#nothing)
  }

  #showTab(): void {
    if (this.#content === undefined) return
    this.#shown = paneTab(this.#tabs.current, this.#content, {
      send: this.#send,
      columns: this.#columns,
      names: this.#names,
      filter: this.#filter,
      choose: (rows) => {
        this.#filter.chosen = rows
        if (rows !== undefined) this.#tabs.select("table")
      },
    })
    this.#tabs.panel.replaceChildren(...this.#shown.elements)
    this.#fit()
  }

  /** Rows take what is left of the height. */
  #fit(): void {
    const { grid } = this.#shown.rows ?? {}
    if (grid === undefined) return
    const left = this.root.getBoundingClientRect().bottom - grid.root.getBoundingClientRect().top - 8
    if (left > 0) grid.height = Math.max(4 * rowHeight, left)
  }

  /** Brings the keyboard back to where it is now, once that has been drawn again. */
  #focused(isSame: boolean): () => void {
    const focused = document.activeElement
    const id = focused?.id ?? ""
    const wasInGrid = this.#shown.rows?.grid?.hasFocus === true
    return () => {
      if (!isSame && wasInGrid) this.#shown.rows?.grid?.focus()
      else if (!isSame && focused instanceof HTMLInputElement) this.#tabs.panel.querySelector("input")?.focus()
      else if (id !== "" && document.activeElement?.id !== id) document.getElementById(id)?.focus()
    }
  }

  #press(event: KeyboardEvent): void {
    const { ctrlKey, key, metaKey, target } = event
    const isRun = key === "Enter" && (ctrlKey || metaKey)
    const by = ctrlKey && !(target instanceof HTMLInputElement) ? (steps[key] ?? 0) : 0
    if (!isRun && by === 0) return
    event.preventDefault()
    event.stopPropagation()
    if (!isRun) this.#tabs.move(by, true)
    else if (this.#content?.activity === undefined) this.#send({ kind: "run" })
  }
}

/** From tab to tab. */
const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

const isSameList = (left: PaneContent["others"] | undefined, right: PaneContent["others"]): boolean =>
  JSON.stringify(left) === JSON.stringify(right)
