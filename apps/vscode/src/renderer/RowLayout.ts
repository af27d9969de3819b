/** The positions of rows of a long table when some of them are open, so that only those in view are rendered. */

/** Pixels; the style sheet uses the same numbers. */
export const rowHeight = 22

export interface Layout {
  readonly height: number
  /** The top of a row. */
  readonly top: (position: number) => number
  /** The row at a height; the nearest one outside the table. */
  readonly at: (y: number) => number
}

/** `open` holds, by position, how many pixels the details below a row take. */
export const layoutOf = (count: number, open: ReadonlyMap<number, number>): Layout => {
  const opened = [...open].filter(([position]) => position < count).toSorted(([left], [right]) => left - right)
  const extra = opened.reduce((sum, [, pixels]) => sum + pixels, 0)
  const top = (position: number): number => {
    let y = position * rowHeight
    for (const [before, pixels] of opened) {
      if (before >= position) break
      y += pixels
    }
    return y
  }
  const at = (y: number): number => {
    let low = 0
    let high = Math.max(0, count - 1)
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (top(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }
  return { height: count * rowHeight + extra, top, at }
}
