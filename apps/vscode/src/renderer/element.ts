/**
 * Makes elements of the page. Text is only ever set as text, so that nothing a server sent becomes markup, and every
 * character of it is seen.
 */
import * as Visible from "@dotrpc/spec/Visible"

export type Attributes = Readonly<Record<string, string>>

export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, Visible.lines(value))
  made.append(...children.map((child) => (typeof child === "string" ? Visible.lines(child) : child)))
  return made
}

export const button = (label: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement => {
  const made = element("button", { type: "button", ...attributes }, label)
  made.addEventListener("click", press)
  return made
}

export const toolbar = (label: string, ...children: ReadonlyArray<HTMLElement>): HTMLElement =>
  element("div", { class: "tools", role: "toolbar", "aria-label": `Actions for ${label}` }, ...children)
