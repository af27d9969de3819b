/** Which line of a drawing is which: their names, with a piece of each. Lines differ in dashes too, so that no colour is needed. */
import type { Series } from "./chartsOf.ts"
import { type Part, part, texts, words } from "./parts.ts"

/** Dashes of the lines after the first, which has none. */
const dashes = ["", "6 3", "2 3", "8 3 2 3", "12 4", "4 6"]

/** The attributes of a line: the style sheet has a colour for each class. */
export const lookOf = (index: number): Readonly<Record<string, string>> => {
  const which = index % dashes.length
  return { class: `course line-${which}`, "stroke-dasharray": dashes[which] ?? "" }
}

const rowHeight = 16
const sample = 24
/** Pixels of a character, at most. */
export const wide = 7
const longestName = 40

export interface Legend {
  readonly parts: ReadonlyArray<Part>
  readonly height: number
}

/** Names from one place to another, in as many rows as they need. */
export const legend = (series: ReadonlyArray<Series>, from: number, to: number): Legend => {
  let [x, y] = [from, 12]
  const parts = series.flatMap(({ name }, index) => {
    const shown = name.slice(0, longestName)
    const room = sample + 6 + shown.length * wide + 16
    if (x > from && x + room > to) [x, y] = [from, y + rowHeight]
    const line = part("line", { ...texts({ x1: x, x2: x + sample, y1: y - 4, y2: y - 4 }), ...lookOf(index) })
    const label = words(shown, x + sample + 6, y, "start")
    x += room
    return [line, label]
  })
  return { parts, height: y + 4 }
}
