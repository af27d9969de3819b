/** The parts of a drawing, as plain data: a page makes elements of them, and a report text. */
import * as Visible from "@dotrpc/spec/Visible"

/** An element of SVG. All of its texts can be seen; none is escaped. */
export interface Part {
  readonly name: "circle" | "g" | "line" | "path" | "rect" | "text" | "title"
  readonly attributes: Readonly<Record<string, string>>
  readonly inside: ReadonlyArray<Part | string>
}

/** Makes an element of a drawing. */
export const part = (
  name: Part["name"],
  attributes: Readonly<Record<string, string>>,
  ...inside: ReadonlyArray<Part | string>
): Part => ({
  name,
  attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, Visible.line(value)])),
  inside: inside.map((each) => (typeof each === "string" ? Visible.line(each) : each)),
})

/** Numbers as attributes. */
export const texts = (numbers: Readonly<Record<string, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value.toFixed(2)]))

/** Words in a drawing. */
export const words = (text: string, x: number, y: number, anchor: string): Part =>
  part("text", { ...texts({ x, y }), "text-anchor": anchor }, text)

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
