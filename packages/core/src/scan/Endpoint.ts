/**
 * What scans have learned about one method of one endpoint, and would pay for again if they forgot it: how many blocks a
 * call may cover, how fast it is, and whether its hints are worth following. Plain data, so that it can be kept.
 */

export interface Endpoint {
  /** The most items one call answers, where that showed to be fewer than documented. */
  readonly limit?: number
  /** The most blocks one call may cover, as the server said or showed. */
  readonly span?: number
  /** The fewest blocks that a call ran out of time over. */
  readonly slow?: number
  /** The most blocks that a call was answered for in time since then. */
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

/** The most blocks that are likely to be answered. */
export const longestSpan = ({ quick, slow, span }: Endpoint): number =>
  Math.max(1, Math.min(span ?? Infinity, slow === undefined ? Infinity : (quick ?? Math.floor(slow / slowCut))))

/** The most blocks to ask for, of so many: more than were answered in time, where that is likely to save calls. */
export const spanToTry = (endpoint: Endpoint, blocks: number): number => {
  const { quick, slow, span = Infinity } = endpoint
  const settled = longestSpan(endpoint)
  if (quick === undefined || slow === undefined) return settled
  const between = Math.min(span, Math.floor(Math.sqrt(quick * slow)))
  return (blocks / settled) * (1 - settled / between) > worthTrying ? between : settled
}

/** How much less is asked for while nothing was answered in time. */
const slowCut = 16

/** Calls that a longer span would save, without which it is not tried: half of the tries run out of time. */
const worthTrying = 4

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

/** A call over `span` blocks was refused, and one over `answered` was not: a number that the server named, or any. */
export const narrowed = (endpoint: Endpoint, span: number, answered: number, isNamed: boolean): Endpoint => ({
  ...endpoint,
  span: Math.min(endpoint.span ?? Infinity, isNamed ? answered : Math.max(answered, nextCap(span))),
})

/** A call over `span` blocks ran out of time. */
export const timedOut = ({ quick = 0, slow = Infinity, ...endpoint }: Endpoint, span: number): Endpoint => ({
  ...endpoint,
  slow: Math.min(slow, span),
  ...(quick === 0 || quick >= span ? {} : { quick }),
})

/** A call over `span` blocks was answered. */
export const answeredInTime = (endpoint: Endpoint, span: number): Endpoint => {
  const { quick = 0, slow = 0 } = endpoint
  return span < slow && span > quick ? { ...endpoint, quick: span } : endpoint
}

/** Limits that servers have, for those that do not say theirs. */
const commonCaps = [100_000, 50_000, 10_000, 5_000, 3_000, 2_000, 1_024, 1_000, 800, 500, 128, 100, 50, 10]

const nextCap = (span: number): number => commonCaps.find((cap) => cap < span) ?? Math.floor(span / 2)
