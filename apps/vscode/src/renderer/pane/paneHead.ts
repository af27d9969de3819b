/** What stands above the tabs of a pane: the request and its result in a line, what can be done, and what went wrong. */
import type { PaneContent, PaneRequest } from "../../pane/PaneMessage.ts"
import { button, element, toolbar } from "../element.ts"
import { errorBlock, failedChecks } from "../resultView.ts"

type Send = (message: PaneRequest) => void

/** Never more than two lines: the result, and its tabs beside what can be done. */
export const paneHead = (content: PaneContent, tabs: HTMLElement, send: Send): ReadonlyArray<HTMLElement> => {
  const { key, payload, requests } = content
  const chooser = requests.length > 1 ? [chooserOf(key, requests, send)] : []
  return [
    element("div", { class: "chosen" }, ...chooser, summaryOf(content)),
    tabs,
    toolbar(payload.label, ...actionsOf(content, send)),
  ]
}

export const paneAlerts = ({ activity, payload }: PaneContent, send: Send): ReadonlyArray<HTMLElement> => [
  ...(activity === undefined ? errorBlock(payload, send) : []),
  ...failedChecks(payload),
]

const summaryOf = ({ activity, kept, payload, requests }: PaneContent): HTMLElement => {
  const { environment, good, label, method, network, summary, outcome = summary } = payload
  const where = [method, network, environment, kept].flatMap((part) => part ?? []).join(" · ")
  const words = activity === undefined ? outcome : `… ${activity}`
  const line = element(
    "p",
    { class: good || activity !== undefined ? "good" : "bad", role: "status" },
    ...(requests.length > 1 ? [] : [element("strong", {}, `${label} `)]),
    element("span", { class: "mark", "aria-hidden": "true" }, words.slice(0, 1)),
    ` ${words.slice(1).trim()} `,
    element("span", { class: "quiet" }, where),
  )
  line.title = line.textContent
  return line
}

const actionsOf = ({ activity, isBeside, pinned }: PaneContent, send: Send): ReadonlyArray<HTMLElement> => {
  const press = (
    title: string,
    kind: "run" | "stop" | "pin" | "export" | "beside",
    more: Readonly<Record<string, string>> = {},
  ) => button(title, () => send({ kind }), { id: `do-${kind}`, ...more })
  const pin = { "aria-pressed": String(pinned), title: "Stay on this request, and compare later runs with this result" }
  return [
    activity === undefined
      ? press("Run again", "run")
      : press("Stop", "stop", { title: "Stop the run; unused credits are returned" }),
    press("Pin", "pin", pin),
    press("Export", "export", { title: "Write one page of HTML, with charts, rows and checks" }),
    ...(isBeside ? [] : [press("Open to the side", "beside")]),
  ]
}

const chooserOf = (key: string, requests: PaneContent["requests"], send: Send): HTMLElement => {
  const options = requests.map(({ key: value, label }) =>
    element("option", { value, ...(value === key ? { selected: "" } : {}) }, label),
  )
  const select = element("select", { id: "request", "aria-label": "Request" }, ...options)
  select.addEventListener("change", () => send({ kind: "choose", key: select.value }))
  return select
}
