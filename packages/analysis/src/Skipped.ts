/**
 * The requests that `# @skip` prevents from running: the request that has it, and every request that needs that one.
 */
import { type Analysis, type BoundRequest, requestAt, withDependencies } from "./Analysis.ts"

/**
 * For each of the chosen requests and those they need that must not run, the one marked `# @skip` that forbids it: itself,
 * or one it needs, in this file or an imported one. A request that a person points at, by its position, is allowed to run.
 *
 * @example
 * ```ts
 * const blocker = blockersOf(analysis, [request], [request.index]).get(request)
 * if (blocker !== undefined) console.log(needsSkipped(blocker))
 * ```
 */
export const blockersOf = (
  analysis: Analysis,
  chosen: ReadonlyArray<BoundRequest>,
  allowed: ReadonlyArray<number>,
): ReadonlyMap<BoundRequest, BoundRequest> => {
  const blockers = new Map<BoundRequest, BoundRequest>()
  const indexes = chosen.map(({ index }) => index)
  // Dependencies come first, so what forbids them is known by the time it is asked for.
  for (const request of withDependencies(analysis, indexes)) {
    const isMarked = request.settings.skip && !allowed.includes(request.index)
    const blocker = isMarked
      ? request
      : request.dependsOn
          .map((index) => requestAt(analysis, index))
          .map((needed) => needed && blockers.get(needed))
          .find((found) => found !== undefined)
    if (blocker !== undefined) blockers.set(request, blocker)
  }
  return blockers
}

/** Why a request does not run that needs one marked `# @skip`. */
export const needsSkipped = (blocker: BoundRequest): string => `it needs "${blocker.label}", which is marked # @skip`
