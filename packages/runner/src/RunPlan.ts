/** Which requests of a document run, in which order, and what that will cost. Pure: nothing is sent to find out. */
import {
  type Analysis,
  blockersOf,
  type BoundRequest,
  namesOfCheck,
  needsBlocked,
  priceOfRun,
  unknownName,
  withDependencies,
} from "@dotrpc/analysis"
import type { RangeScan } from "@dotrpc/core"
import type { Diagnostic } from "@dotrpc/lang"
import { type Json, Price } from "@dotrpc/spec"

/** What to run; an empty selection means everything that is not marked `# @skip`. */
export interface Selection {
  /** Requests by `# @name`, or by title where there is no name. */
  readonly names?: ReadonlyArray<string> | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  /** Requests by their position among the file's requests. A person pointed at each of them, so `# @skip` does not apply. */
  readonly indexes?: ReadonlyArray<number> | undefined
  /**
   * Whether requests of methods that write may run: `true` allows all of them, `false` none. When absent, those that are
   * chosen by name, and one that is chosen by its position alone.
   */
  readonly writes?: boolean | undefined
}

/** A request that is not run. */
export interface LeftOut {
  readonly request: BoundRequest
  /** Why, as a report says it: `not run: # @skip`. */
  readonly message: string
}

/** Requests in the order in which they run. */
export interface RunPlan {
  readonly analysis: Analysis
  /** Dependencies first. Requests with errors are listed too: they are reported, never sent. */
  readonly requests: ReadonlyArray<BoundRequest>
  /** Requests left out by `# @skip`, because they write, because they need one of those, or because others are marked `# @only`. */
  readonly skipped: ReadonlyArray<LeftOut>
  readonly estimate: Price.PriceRange
  /** What is wrong with the document; of a selection, without what is wrong in sections that it does not need. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Results of requests of the plan that are used instead of being paid for again, by the positions of the requests. */
  readonly reused?: ReadonlyMap<number, ReusedResult> | undefined
  /** What requests are likely to cost of which blocks are kept, by their positions. */
  readonly kept?: ReadonlyMap<number, RangeScan.LikelyCost> | undefined
}

/** A result that was paid for. */
export interface ReusedResult {
  readonly result: Json.Json
  /** When it came, in milliseconds. */
  readonly at: number
}

/** The requests of a document that a selection names, with all that they depend on, in an order that can run. */
export const makePlan = (analysis: Analysis, selection: Selection = {}): RunPlan => {
  const { requests } = analysis
  const { names = [], tags = [], indexes = [] } = selection
  const isExplicit = names.length + tags.length + indexes.length > 0
  const hasOnly = requests.some((request) => request.settings.only)
  const chosen = requests.filter((request) => {
    if (indexes.includes(request.index) || names.includes(request.label)) return true
    if (tags.length > 0) return tags.some((tag) => request.settings.tags.includes(tag))
    return !isExplicit && (!hasOnly || request.settings.only)
  })
  const mayWrite = (request: BoundRequest) =>
    selection.writes ?? (names.includes(request.label) || (indexes.length === 1 && indexes.includes(request.index)))
  const blockers = blockersOf(analysis, chosen, { indexes, writes: mayWrite })
  const isLeftOut = (request: BoundRequest) => {
    const blocker = blockers.get(request)
    return blocker === request || (blocker !== undefined && request.errors.length === 0)
  }
  const ordered = withDependencies(analysis, indexesOf(chosen.filter((request) => !isLeftOut(request)))).filter(
    (request) => !isLeftOut(request),
  )
  const running = new Set(ordered)
  const skipped = (isExplicit ? chosen : requests).filter((request) => !running.has(request))
  return {
    analysis,
    requests: ordered,
    skipped: skipped.map((request) => ({
      request,
      message: `not run: ${whyLeftOut(request, blockers.get(request), isExplicit)}`,
    })),
    estimate: priceOfRun(ordered),
    diagnostics: isExplicit ? diagnosticsOf(analysis, ordered) : analysis.diagnostics,
  }
}

const whyLeftOut = (request: BoundRequest, blocker: BoundRequest | undefined, isExplicit: boolean): string => {
  if (blocker === undefined) return request.settings.skip ? skipLine(request) : "another request has # @only"
  if (blocker !== request) return needsBlocked(blocker)
  if (request.settings.skip)
    return isExplicit ? `it is marked ${skipLine(request)}; remove that line to run it` : skipLine(request)
  return `${request.call.method.text} changes something: run it alone, with --name, or with --allow-writes`
}

/** The directive as it is written, with its reason where it has one. */
const skipLine = ({ section }: BoundRequest): string => {
  const reason = section.directives.find(({ name }) => name.text === "skip")?.value.text ?? ""
  return reason === "" ? "# @skip" : `# @skip ${reason}`
}

const indexesOf = (requests: ReadonlyArray<BoundRequest>): ReadonlyArray<number> => requests.map(({ index }) => index)

/** The plan without what must not be sent after all: `refusal` says why not, at the call of each request it is about. */
export const refuseRequests = (plan: RunPlan, refusal: (request: BoundRequest) => Diagnostic | undefined): RunPlan => {
  const requests = plan.requests.map((request) => {
    const reason = request.errors.length === 0 ? refusal(request) : undefined
    return reason === undefined ? request : { ...request, errors: [reason] }
  })
  return withRequests(plan, requests)
}

/** What a run costs in which no budget is lifted: requests that their own budget refuses are not sent. */
export const priceWithinBudgets = ({ requests }: RunPlan): Price.PriceRange =>
  priceOfRun(requests.filter((request) => !isOverBudget(request)))

/** The plan with these requests instead of its own, and their price. */
export const withRequests = (plan: RunPlan, requests: ReadonlyArray<BoundRequest>): RunPlan => ({
  ...plan,
  requests,
  estimate: priceOfRun(requests),
})

/** What keeps a run that is all or nothing from sending anything. */
export interface NothingSent {
  /** `2 requests are wrong`. */
  readonly why: string
  /** Whether a budget refuses it; otherwise something is wrong. */
  readonly isRefused: boolean
}

/**
 * Why a run of these plans sends nothing where all of it is to run or none: a request is wrong, is over its own budget without
 * a check that expects this, or the run may cost more than `limit`. A price without an upper end, as of a scan, is judged by its least:
 * the limit itself stops what goes on.
 */
export const whyNothing = (
  plans: ReadonlyArray<RunPlan>,
  price: Price.PriceRange,
  limit: number | undefined,
): NothingSent | undefined => {
  const requests = plans.flatMap((plan) => plan.requests)
  const errors = plans.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === "error"))
  const wrong = Math.max(errors.length, requests.filter((request) => request.errors.length > 0).length)
  if (wrong > 0) return { why: wrong === 1 ? "something is wrong" : `${wrong} things are wrong`, isRefused: false }
  const over = requests.find((request) => isOverBudget(request) && !expectsError(request))
  if (over !== undefined) return { why: `"${over.label}" costs more than its # @budget`, isRefused: true }
  if (limit === undefined || (price.max ?? price.min) <= limit) return undefined
  return { why: `it may cost ${Price.show(price)}, and --max-credits is ${limit}`, isRefused: true }
}

const expectsError = ({ section }: BoundRequest): boolean =>
  section.checks.some((check) => namesOfCheck(check).has("error"))

/** The plan that sends nothing: what is wrong says so itself, and everything else is left out for this reason. */
export const sendNothing = (plan: RunPlan, { why }: NothingSent): RunPlan => {
  const isWrong = (request: BoundRequest) => request.errors.length > 0
  const message = `not run: all or nothing, and ${why}`
  const leftOut = plan.requests.filter((request) => !isWrong(request)).map((request) => ({ request, message }))
  return { ...withRequests(plan, plan.requests.filter(isWrong)), skipped: [...plan.skipped, ...leftOut] }
}

/** The names and tags of a selection that no request of any of the documents has, in words. */
export const selectionProblems = (
  analyses: ReadonlyArray<Analysis>,
  { names = [], tags = [] }: Selection,
): ReadonlyArray<string> => {
  const requests = analyses.flatMap((analysis) => analysis.requests)
  const labels = [...new Set(requests.map((request) => request.label))]
  const known = [...new Set(requests.flatMap((request) => request.settings.tags))].toSorted()
  return [
    ...names.filter((name) => !labels.includes(name)).map((name) => unknownName("request", name, labels)),
    ...tags.filter((tag) => !known.includes(tag)).map((tag) => unknownTag(tag, known)),
  ]
}

const unknownTag = (tag: string, known: ReadonlyArray<string>): string =>
  `no request has the tag "${tag}"; ${known.length === 0 ? "none has a # @tag" : `expected one of ${known.join(", ")}`}`

/** What is wrong above all sections, and in those of the requests. */
const diagnosticsOf = (
  { diagnostics, tree }: Analysis,
  requests: ReadonlyArray<BoundRequest>,
): ReadonlyArray<Diagnostic> => {
  const needed = new Set(requests.map((request) => request.section))
  return diagnostics.filter(({ start }) => {
    const section = tree.sections.findLast((candidate) => candidate.start <= start)
    return section === undefined || needed.has(section)
  })
}

/**
 * Whether its own budget refuses a request before anything is sent. One that pays for some rows of `# @each`, or for some calls of a scan,
 * stops the request later.
 */
export const isOverBudget = ({ price, settings: { budget, each } }: BoundRequest): boolean =>
  budget !== undefined && each === undefined && price !== undefined && price.min > budget
