/**
 * The requests that must not run although a run has them: those marked `# @skip`, those that write and were not named,
 * and every request that needs one of them.
 */
import { type Analysis, type BoundRequest, requestAt, withDependencies } from "./Analysis.ts"

/** What may run all the same. */
export interface Allowed {
  /** Positions of requests that a person pointed at: `# @skip` does not apply to them. */
  readonly indexes: ReadonlyArray<number>
  /** Whether a request that writes may run. None may when absent. */
  readonly writes?: ((request: BoundRequest) => boolean) | undefined
}

/**
 * For each of the chosen requests and those they need that must not run, the one that forbids it: itself, or one it needs,
 * in this file or an imported one.
 *
 * @example
 * ```ts
 * const blocker = blockersOf(analysis, [request], { indexes: [request.index] }).get(request)
 * if (blocker !== undefined) console.log(needsBlocked(blocker))
 * ```
 */
export const blockersOf = (
  analysis: Analysis,
  chosen: ReadonlyArray<BoundRequest>,
  { indexes: allowed, writes = () => false }: Allowed,
): ReadonlyMap<BoundRequest, BoundRequest> => {
  const blockers = new Map<BoundRequest, BoundRequest>()
  const indexes = chosen.map(({ index }) => index)
  // Dependencies come first, so what forbids them is known by the time it is asked for.
  for (const request of withDependencies(analysis, indexes)) {
    const isSkipped = request.settings.skip && !allowed.includes(request.index)
    const isBlocked = isSkipped || (doesWrite(request) && !writes(request))
    const blocker = isBlocked
      ? request
      : request.dependsOn
          .map((index) => requestAt(analysis, index))
          .map((needed) => needed && blockers.get(needed))
          .find((found) => found !== undefined)
    if (blocker !== undefined) blockers.set(request, blocker)
  }
  return blockers
}

/** Whether a request changes something that outlives it: see `writes` of a method. */
export const doesWrite = ({ method }: BoundRequest): boolean => method?.writes === true

/** Why a request does not run that needs this one. */
export const needsBlocked = (blocker: BoundRequest): string =>
  `it needs "${blocker.label}", which ${blocker.settings.skip ? "is marked # @skip" : "changes something"}`
