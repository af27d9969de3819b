/** The differences between two results of the same request. */
import type { DiffPiece } from "../../pane/lineDiff.ts"
import type { DiffKind, PaneContent, PaneMessage, PaneRequest } from "../../pane/PaneMessage.ts"
import { button, element, toolbar } from "../element.ts"

export interface DiffTab {
  readonly elements: ReadonlyArray<HTMLElement>
  readonly receive: (message: PaneMessage) => void
}

export const diffTab = (id: number, others: PaneContent["others"], send: (message: PaneRequest) => void): DiffTab => {
  const [first] = others
  if (first === undefined) {
    const words = "There is no other result of this request: run it again, or pin this one and run it later."
    return { elements: [element("p", { class: "quiet" }, words)], receive: () => undefined }
  }
  const select = element(
    "select",
    { id: "other", "aria-label": "Compare with" },
    ...others.map(({ id: other, title }) => element("option", { value: String(other) }, title)),
  )
  const counts = element("span", { class: "quiet", role: "status" }, "…")
  const lines = element("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "Differences" })
  let as: DiffKind = "rows"
  const ask = () => send({ kind: "diff", id, other: Number(select.value), as })
  const json = button(
    "As JSON",
    () => {
      as = as === "json" ? "rows" : "json"
      json.setAttribute("aria-pressed", String(as === "json"))
      ask()
    },
    { "aria-pressed": "false", title: "Compare the results as the server sent them" },
  )
  json.hidden = true
  select.addEventListener("change", ask)
  const whole = button("Open in diff editor", () => send({ kind: "compare", id, other: Number(select.value) }))
  ask()
  return {
    elements: [toolbar("the comparison", select, counts, json, whole), lines],
    receive: (message) => {
      if (message.kind !== "diff" || message.id !== id || message.other !== Number(select.value)) return
      if (message.asked !== as) return
      const { added, isCut, pieces, removed } = message.diff
      json.hidden = !message.isDecoded
      const onlyInJson = message.as === as ? "" : "The rows look the same, but their JSON differs: "
      const isSame = added === 0 && removed === 0
      counts.textContent = isSame
        ? "The results are the same."
        : `${message.isDecoded ? onlyInJson : ""}${removed} removed, ${added} added`
      lines.replaceChildren(
        ...(isSame ? [] : pieces.map(lineOf)),
        ...(isCut ? [element("p", { class: "quiet" }, "There are more: open them in the diff editor.")] : []),
      )
    },
  }
}

const signs = { same: " ", removed: "−", added: "+", gap: "⋯" } as const
/** For a screen reader, which does not read the sign. */
const words = { same: undefined, removed: "removed", added: "added", gap: undefined } as const

const lineOf = ({ kind, text }: DiffPiece): HTMLElement => {
  const said = words[kind]
  const sign = element(
    "span",
    said === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": said },
    signs[kind],
  )
  return element("div", { class: kind }, sign, element("span", {}, text))
}
