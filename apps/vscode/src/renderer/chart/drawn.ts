/** A drawing as elements of the page. */
import type { Part } from "@dotrpc/report"

const namespace = "http://www.w3.org/2000/svg"

type Name = Part["name"] | "svg"

/** Makes an element of SVG. */
export const svgElement = <Of extends Name>(
  name: Of,
  attributes: Part["attributes"],
  ...inside: ReadonlyArray<Node | string>
): SVGElementTagNameMap[Of] => {
  const made = document.createElementNS(namespace, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...inside)
  return made
}

/** Makes the element of a part, with all that is in it. */
export const drawn = ({ attributes, inside, name }: Part): SVGElement =>
  svgElement(name, attributes, ...inside.map((each) => (typeof each === "string" ? each : drawn(each))))
