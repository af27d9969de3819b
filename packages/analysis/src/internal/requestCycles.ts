/** Requests that refer to each other in a cycle. */
import { cyclesOf } from "./cycles.ts"

/** For each request on a cycle, a cycle it is on, from the request of it that comes first. */
export const findRequestCycles = (
  edges: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyMap<number, ReadonlyArray<number>> => {
  const groups = cyclesOf(new Map(edges.map((targets, index) => [index, targets])))
  const ways = new Map<number, ReadonlyArray<number>>()
  const searched = new Map<number, { count: number; readonly first: ReadonlyArray<number> }>()
  for (const [index, group] of [...groups].toSorted(([left], [right]) => left - right)) {
    if (ways.has(index)) continue
    const before = searched.get(group)
    const way =
      before !== undefined && before.count >= mostWays
        ? before.first
        : wayAround(index, edges, (other) => groups.get(other) === group)
    searched.set(group, { count: (before?.count ?? 0) + 1, first: before?.first ?? way })
    ways.set(index, way)
    for (const step of way) if (!ways.has(step)) ways.set(step, way)
  }
  return ways
}

/** Cycles that are looked for among requests that all lead to each other; the others get the first one. */
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
