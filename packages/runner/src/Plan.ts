/** Which requests of a document run, in which order, and what that will cost. Pure: nothing is sent to find out. */
import { type Analysis, type BoundRequest, unknownName, withDependencies } from "@dotrpc/analysis"
import { Price } from "@dotrpc/spec"

/** What to run; an empty selection means everything that is not marked `# @skip`. */
export interface Selection {
  /** Requests by `# @name`, or by title where there is no name. */
  readonly names?: ReadonlyArray<string>
  readonly tags?: ReadonlyArray<string>
  /** Requests by their position among the file's requests. */
  readonly indexes?: ReadonlyArray<number>
}

export interface Plan {
  readonly analysis: Analysis
  /** Dependencies first. Requests with errors are listed too: they are reported, never sent. */
  readonly requests: ReadonlyArray<BoundRequest>
  /** Requests left out by `# @skip`, or because others are marked `# @only`. */
  readonly skipped: ReadonlyArray<BoundRequest>
  readonly estimate: Price.PriceRange
  /** Names and tags of the selection that match nothing, in words. */
  readonly problems: ReadonlyArray<string>
}

export const makePlan = (analysis: Analysis, selection: Selection = {}): Plan => {
  const { requests } = analysis
  const { names = [], tags = [], indexes = [] } = selection
  const problems: Array<string> = []
  for (const name of names) {
    if (!requests.some((request) => request.label === name)) {
      problems.push(
        unknownName(
          "request",
          name,
          requests.map((request) => request.label),
        ),
      )
    }
  }
  const isExplicit = names.length + tags.length + indexes.length > 0
  const hasOnly = requests.some((request) => request.settings.only)
  const chosen = requests.filter((request) => {
    if (indexes.includes(request.index) || names.includes(request.label)) return true
    if (request.settings.skip) return false
    if (tags.length > 0) return tags.some((tag) => request.settings.tags.includes(tag))
    return !isExplicit && (!hasOnly || request.settings.only)
  })
  const ordered = withDependencies(
    analysis,
    chosen.map((request) => request.index),
  )
  return {
    analysis,
    requests: ordered,
    skipped: isExplicit ? [] : requests.filter((request) => !ordered.includes(request)),
    estimate: estimate(ordered),
    problems,
  }
}

/** The price of several requests; those with errors are never sent and cost nothing. */
const estimate = (requests: ReadonlyArray<BoundRequest>): Price.PriceRange =>
  requests
    .filter((request) => request.errors.length === 0)
    .map((request) => request.price ?? free)
    .reduce(Price.addRanges, free)

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
