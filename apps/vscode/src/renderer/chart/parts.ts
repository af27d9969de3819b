/** The parts of a drawing. */
import * as Visible from "@dotrpc/spec/Visible"

const namespace = "http://www.w3.org/2000/svg"

/** Makes an element of a drawing. */
export const part = <Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Name] => {
  const made = document.createElementNS(namespace, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, Visible.line(value))
  return made
}

/** Numbers as attributes. */
export const texts = (numbers: Readonly<Record<string, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value.toFixed(2)]))

/** Words in a drawing. */
export const words = (text: string, x: number, y: number, anchor: string): SVGTextElement => {
  const made = part("text", { ...texts({ x, y }), "text-anchor": anchor })
  made.textContent = Visible.line(text)
  return made
}
