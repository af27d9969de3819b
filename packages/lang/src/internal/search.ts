/** Binary search. */

/** How many indexes from 0 on, and below `length`, are in front of what is looked for. */
export function countInFront(length: number, isInFront: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isInFront(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of several ranges, which are in order, begin at or before an offset. */
export function countUpTo(ranges: ReadonlyArray<{ readonly start: number }>, offset: number): number {
  return countInFront(ranges.length, (index) => (ranges[index]?.start ?? 0) <= offset)
}
