/** The first call of a request as it was sent. */
import type { PaneRequest } from "../../pane/PaneMessage.ts"
import type { Timeline } from "../../run/Timeline.ts"
import { button, element, toolbar } from "../element.ts"
import * as Json from "@dotrpc/spec/Json"
import * as Visible from "@dotrpc/spec/Visible"

export const sentTab = (
  timeline: Timeline | undefined,
  send: (message: PaneRequest) => void,
): ReadonlyArray<HTMLElement> => {
  const { sent } = timeline ?? {}
  if (sent === undefined) return [element("p", { class: "quiet" }, "Nothing was sent.")]
  const text = indented(sent.body)
  const attempts = timeline?.entries.filter(({ charge }) => charge !== undefined).length ?? 0
  const more = attempts + (timeline?.leftOut ?? 0) > 1 ? " This is the first call; the timeline has the others." : ""
  return [
    toolbar(
      "the request",
      element("span", { class: "quiet" }, `Sent to ${sent.place}. Secrets are masked.${more}`),
      button("Copy body", () => send({ kind: "copy", text: sent.body })),
      button("Copy as curl", () => send({ kind: "curl" })),
    ),
    element("pre", { tabindex: "0", "aria-label": "The request as JSON" }, text),
  ]
}

const indented = (text: string): string => {
  try {
    return Visible.json(Json.stringify(Json.parse(text), 2))
  } catch {
    return text
  }
}
