/** Every attempt, wait and charge of a request, in the words of a trace. */
import type { ResultPayload } from "../../results/ResultPayload.ts"
import type { Timeline, TimelineEntry } from "../../run/Timeline.ts"
import { element } from "../element.ts"

export const timelineTab = (
  timeline: Timeline | undefined,
  { charge }: Pick<ResultPayload, "charge">,
): ReadonlyArray<HTMLElement> => {
  if (timeline === undefined || timeline.entries.length === 0)
    return [element("p", { class: "quiet" }, "Nothing was sent.")]
  const { began, entries, leftOut } = timeline
  const half = leftOut === 0 ? entries.length : Math.floor(entries.length / 2)
  const gap = element("tr", {}, element("td", { colspan: "4" }, `… ${leftOut} more …`))
  const rows = [
    ...entries.slice(0, half).map(rowOf),
    ...(leftOut === 0 ? [] : [gap]),
    ...entries.slice(half).map(rowOf),
  ]
  const heads = ["at", "took", "charged", "what happened"].map((name, index) =>
    element("th", { scope: "col", class: index < 3 ? "numeric" : "" }, name),
  )
  const table = element(
    "table",
    { class: "plain", "aria-label": "Attempts and charges" },
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
  )
  const when = new Date(began).toLocaleString()
  const total = charge === undefined ? "" : ` In total: ${charge}.`
  return [
    element("p", { class: "quiet" }, `From ${when}.${total}`),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Timeline" }, table),
  ]
}

const rowOf = ({ at, charge, failed, millis, words }: TimelineEntry): HTMLElement =>
  element(
    "tr",
    { class: failed === true ? "failed" : "" },
    element("td", { class: "numeric" }, `+${at.toLocaleString("en")} ms`),
    element("td", { class: "numeric" }, millis === 0 ? "" : `${millis.toLocaleString("en")} ms`),
    element("td", { class: "numeric" }, charge ?? ""),
    element("td", {}, words),
  )
