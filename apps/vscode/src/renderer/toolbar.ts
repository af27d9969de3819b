/** Buttons and fields that belong to one result. */
import { element } from "./element.ts"

export const toolbar = (label: string, ...children: ReadonlyArray<HTMLElement>): HTMLElement =>
  element("div", { class: "tools", role: "toolbar", "aria-label": `Actions for ${label}` }, ...children)
