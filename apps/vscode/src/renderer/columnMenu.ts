/** The columns of a table as a list: each is shown or hidden, and moved to the left or the right, with the keyboard or the mouse. */
import type { Column } from "@dotrpc/report"
import type { ColumnChoice } from "../results/ColumnChoice.ts"
import { chosenColumns, moved } from "../results/ColumnChoice.ts"
import { button, element } from "./element.ts"
import { columnKeys } from "../results/joinSlices.ts"

export interface ColumnMenu {
  readonly button: HTMLElement
  readonly list: HTMLElement
}

export interface ColumnPort {
  readonly columns: () => ReadonlyArray<Column>
  readonly get: () => ColumnChoice | undefined
  readonly set: (choice: ColumnChoice | undefined) => void
}

export const columnMenu = (label: string, { columns, get, set }: ColumnPort): ColumnMenu => {
  const list = element("div", { class: "columns", role: "group", "aria-label": `Columns of ${label}` })
  list.hidden = true
  const open = (isOpen: boolean) => {
    list.hidden = !isOpen
    toggle.setAttribute("aria-expanded", String(isOpen))
    if (isOpen) draw()
  }
  const toggle = button("Columns", () => open(list.hidden === true), { "aria-expanded": "false" })
  const draw = (focus?: string) => {
    const keys = columnKeys(columns())
    const choice = get()
    const order = chosenColumns(keys, { order: choice?.order ?? [], hidden: [] }).map((index) => keys[index] ?? "")
    const shown = new Set(chosenColumns(keys, choice).map((index) => keys[index]))
    const change = (next: Partial<ColumnChoice>, focus: string) => {
      set({ order, hidden: choice?.hidden ?? [], ...next })
      draw(focus)
    }
    const items = order.map((key, at) => {
      const name = columns()[keys.indexOf(key)]?.name || "(no name)"
      const box = element("input", { type: "checkbox", "data-at": key })
      box.checked = shown.has(key)
      box.disabled = box.checked && shown.size === 1
      box.addEventListener("change", () =>
        change({ hidden: order.filter((other) => (other === key ? !box.checked : !shown.has(other))) }, key),
      )
      const move = (by: number, sign: string, where: string, isEnd: boolean) => {
        const mark = `${where} ${key}`
        const made = button(sign, () => change({ order: moved(order, key, by) }, mark), {
          "aria-label": `Move ${name} to the ${where}`,
          "data-at": mark,
        })
        made.disabled = isEnd
        return made
      }
      return element(
        "li",
        {},
        element("label", {}, box, ` ${name}`),
        move(-1, "\u2190", "left", at === 0),
        move(1, "\u2192", "right", at === order.length - 1),
      )
    })
    const all = button(
      "Show all columns",
      () => {
        set(undefined)
        draw("all")
      },
      { "data-at": "all" },
    )
    list.replaceChildren(element("ul", {}, ...items), all)
    if (focus === undefined) return
    const marked = [...list.querySelectorAll<HTMLElement>("[data-at]")]
    const wanted = marked.find((one) => one.dataset["at"] === focus)
    // At an end, the button that was pressed can move no further.
    const isGone = wanted instanceof HTMLButtonElement && wanted.disabled
    const other = isGone ? wanted.parentElement?.querySelector<HTMLElement>("button:not(:disabled), input") : wanted
    other?.focus()
  }
  list.addEventListener("keydown", (event) => {
    // The notebook has commands of its own on these keys.
    event.stopPropagation()
    if (event.key !== "Escape") return
    open(false)
    toggle.focus()
  })
  return { button: toggle, list }
}
