/** Tabs as the ARIA Authoring Practices describe them: arrow keys, `Home` and `End` move between them and show their content. */
import { element } from "../element.ts"

export interface Tab<Name extends string> {
  readonly name: Name
  readonly title: string
}

export interface Tabs<Name extends string> {
  readonly list: HTMLElement
  readonly panel: HTMLElement
  readonly current: Name
  /** Shows a tab, as if a person had pressed it. */
  readonly select: (name: Name) => void
  /** Shows the tab that many places further on; the first follows the last. */
  readonly move: (by: number, withFocus?: boolean) => void
}

/** @param show called whenever another tab is chosen */
export const makeTabs = <Name extends string>(
  label: string,
  tabs: ReadonlyArray<Tab<Name>>,
  first: Name,
  show: (name: Name) => void,
): Tabs<Name> => {
  let current = first
  const panel = element("div", { role: "tabpanel", id: "panel", tabindex: "0" })
  const buttons = new Map(
    tabs.map(({ name, title }) => {
      const tab = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel" }, title)
      tab.addEventListener("click", () => select(name))
      return [name, tab] as const
    }),
  )
  const names = [...buttons.keys()]
  const list = element("div", { role: "tablist", "aria-label": label }, ...buttons.values())
  const mark = () => {
    for (const [name, tab] of buttons) {
      tab.setAttribute("aria-selected", String(name === current))
      tab.tabIndex = name === current ? 0 : -1
    }
    panel.setAttribute("aria-labelledby", `tab-${current}`)
  }
  const select = (name: Name) => {
    if (name === current) return
    current = name
    mark()
    show(name)
  }
  const move = (by: number, withFocus = false) => {
    const next = names[(names.indexOf(current) + by + names.length) % names.length]
    if (next === undefined) return
    select(next)
    if (withFocus) buttons.get(next)?.focus()
  }
  list.addEventListener("keydown", (event) => {
    const at = names.indexOf(current)
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -at,
      End: names.length - 1 - at,
    }
    const by = moves[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    move(by, true)
  })
  mark()
  return {
    list,
    panel,
    get current() {
      return current
    },
    select,
    move,
  }
}
