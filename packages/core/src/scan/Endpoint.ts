/**
 * What scans have learned about one method of one endpoint, and would pay for again if they forgot it: how many blocks a
 * call may cover, how fast it is, and whether its hints are worth following. Plain data, so that it can be kept.
 */

export interface Endpoint {
  /** The most items one call answers, where that showed to be fewer than documented. */
  readonly limit?: number
  /** The most blocks one call may cover, as the server said or showed. */
  readonly span?: number
  /** A number of blocks that a call ran out of time over. */
  readonly slow?: number
  /** The most blocks for which a call is expected to stay well below the time limit. */
  readonly quick?: number
  /** Whether failures come with a range that works, from 0 to 1. */
  readonly hints: number
  /** Whether following such a range was worth it, from 0 to 1; below a half they are not followed. */
  readonly trust: number
}

/** Nothing is known about the endpoint yet. */
export const unknownEndpoint: Endpoint = { hints: 0, trust: 1 }

/** What other queries to the endpoint will find true as well: how many items fit and how long they take is the query's own. */
export const lasting = ({ hints, span, trust }: Endpoint): Endpoint => ({
  hints,
  trust,
  ...(span === undefined ? {} : { span }),
})

/** Whether another scan would learn nothing more from the second one. */
export const isSame = (left: Endpoint, right: Endpoint): boolean =>
  left.hints === right.hints && left.trust === right.trust && left.span === right.span

/** Hints are followed while they are good; how likely the next failure brings one that will be followed. */
export const hintChance = ({ hints, trust }: Endpoint): number => (trust >= 0.5 ? hints * trust : 0)

/** The most blocks to ask for. */
export const longestSpan = ({ quick, slow, span }: Endpoint): number =>
  Math.max(1, Math.min(span ?? Infinity, quick ?? Infinity, slow === undefined ? Infinity : slow - 1))

/** A range that the server offered was good, or was not. */
export const judged = (endpoint: Endpoint, good: boolean): Endpoint => ({
  ...endpoint,
  trust: good ? Math.min(1, endpoint.trust + 0.25) : Math.max(0, endpoint.trust - 0.3),
})

export const sawHint = (endpoint: Endpoint, useful: boolean): Endpoint => ({
  ...endpoint,
  hints: endpoint.hints + 0.5 * ((useful ? 1 : 0) - endpoint.hints),
})

/** A call over `span` blocks covered too many of them; the server may have named the most it answers. */
export const spanRefused = (endpoint: Endpoint, span: number, named: number | undefined): Endpoint => {
  // Servers differ in whether both ends count: what they name is tried first, then one less.
  const next = named !== undefined && named < span ? named : named === span ? span - 1 : nextCap(span)
  return { ...endpoint, span: Math.max(1, Math.min(endpoint.span ?? Infinity, next)) }
}

/** A call over `span` blocks was refused without a word about how many it may cover, and one over `answered` was not. */
export const narrowed = (endpoint: Endpoint, span: number, answered: number): Endpoint => ({
  ...endpoint,
  span: Math.min(endpoint.span ?? Infinity, Math.max(answered, nextCap(span))),
})

/** A call over `span` blocks ran out of time. */
export const timedOut = (endpoint: Endpoint, span: number): Endpoint => ({
  ...endpoint,
  slow: Math.min(endpoint.slow ?? Infinity, span),
  quick: Math.max(1, Math.floor(span / 2)),
})

/** A call over `span` blocks took so long; spans may grow towards what would take half the time limit. */
export const answeredIn = (endpoint: Endpoint, span: number, millis: number): Endpoint => {
  if (endpoint.quick === undefined) return endpoint
  const affordable = Math.floor(span * Math.min(2, targetMillis / Math.max(1, millis)))
  return affordable > endpoint.quick ? { ...endpoint, quick: affordable } : endpoint
}

/** Half of what the service allows a log query (service §8). */
const targetMillis = 5_000

/** Limits that servers have, for those that do not say theirs. */
const commonCaps = [100_000, 50_000, 10_000, 5_000, 3_000, 2_000, 1_024, 1_000, 800, 500, 128, 100, 50, 10]

const nextCap = (span: number): number => commonCaps.find((cap) => cap < span) ?? Math.floor(span / 2)
