/** Requests that wait for each other. */
import { cyclesOf } from "./cycles.ts"

/** For each request on a cycle, a cycle it is on, from the request of it that comes first. */
export const findCircles = (
  edges: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyMap<number, ReadonlyArray<number>> => {
  const groups = cyclesOf(new Map(edges.map((targets, index) => [index, targets])))
  const circles = new Map<number, ReadonlyArray<number>>()
  const searched = new Map<number, { ways: number; readonly first: ReadonlyArray<number> }>()
  for (const [index, group] of [...groups].toSorted(([left], [right]) => left - right)) {
    if (circles.has(index)) continue
    const before = searched.get(group)
    const way =
      before !== undefined && before.ways >= mostWays
        ? before.first
        : wayAround(index, edges, (other) => groups.get(other) === group)
    searched.set(group, { ways: (before?.ways ?? 0) + 1, first: before?.first ?? way })
    circles.set(index, way)
    for (const step of way) if (!circles.has(step)) circles.set(step, way)
  }
  return circles
}

/** Cycles that are looked for among requests that all lead to each other; the others of them are told the first one. */
const mostWays = 100

const wayAround = (
  home: number,
  edges: ReadonlyArray<ReadonlyArray<number>>,
  isOnCycle: (index: number) => boolean,
): ReadonlyArray<number> => {
  const cameFrom = new Map<number, number>()
  const queue = [home]
  for (const current of queue) {
    for (const target of edges[current] ?? []) {
      if (target === home) {
        const way = [current]
        for (let step = current; step !== home;) {
          step = cameFrom.get(step) ?? home
          way.unshift(step)
        }
        return way
      }
      if (!isOnCycle(target) || cameFrom.has(target)) continue
      cameFrom.set(target, current)
      queue.push(target)
    }
  }
  return [home]
}
