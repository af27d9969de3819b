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

/** As many characters as there is room for. */
export const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The path of a line through places; it has a gap where there is none. */
export const pathOf = (places: ReadonlyArray<readonly [x: number, y: number] | undefined>): string => {
  let isDrawing = false
  const steps = places.flatMap((place) => {
    const sign = isDrawing ? "L" : "M"
    isDrawing = place !== undefined
    return place === undefined ? [] : [`${sign}${place[0].toFixed(2)},${place[1].toFixed(2)}`]
  })
  return steps.join("")
}

/** Bars of one width, with a part of it before, between and after them. */
export interface Bands {
  readonly start: (index: number) => number
  readonly width: number
  readonly step: number
}

/** @param padding the part of a step that stays empty */
export const bandsOf = (count: number, [from, to]: readonly [number, number], padding: number): Bands => {
  const step = (to - from) / (count + padding)
  return { start: (index) => from + step * (padding + index), width: step * (1 - padding), step }
}
