/** Requests that wait for each other. */

/** For each request on a circle, the circle it is on. */
export const findCircles = (
  edges: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyMap<number, ReadonlyArray<number>> => {
  const circles = new Map<number, ReadonlyArray<number>>()
  const done = new Set<number>()
  const walk = (index: number, path: ReadonlyArray<number>): void => {
    const seenAt = path.indexOf(index)
    if (seenAt >= 0) {
      const circle = path.slice(seenAt)
      for (const step of circle) circles.set(step, circle)
      return
    }
    if (done.has(index)) return
    for (const next of edges[index] ?? []) walk(next, [...path, index])
    done.add(index)
  }
  edges.forEach((_, index) => walk(index, []))
  return circles
}
