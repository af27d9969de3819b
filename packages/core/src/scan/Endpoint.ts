/**
 * What scans have learned about one method of one endpoint, and would pay for again if they forgot it: how many blocks a
 * call may cover, how fast it is, and whether its hints are worth following. Plain data, so that it can be kept.
 */
import type { Json } from "@dotrpc/spec"
import { countsOf, present } from "../internal/members.ts"
import { firstCut, worthTrying } from "./numbers.ts"

/** What is known of an endpoint: how much a call answers, and what took too long. */
export interface Endpoint {
  /** The most items one call answers, where that showed to be fewer than documented. */
  readonly limit?: number
  /** The most blocks one call may cover, as the server said or showed. */
  readonly span?: number
  /** The fewest blocks that were too many for a call, where the server did not say how many are not. */
  readonly refused?: number
  /** The fewest blocks that a call ran out of time over. */
  readonly slow?: number
  /** The most blocks that a call was answered for since one of these two. */
  readonly quick?: number
  /** `slow` was found by an earlier scan, or an answer has contradicted it: it is tried again by twice as many blocks each time. */
  readonly doubted?: true
  /** Whether the newest refusal named a range that works. */
  readonly hints: boolean
  /** Ranges that it named in a row and that were not worth asking for. */
  readonly misled: number
}

/** Nothing is known about the endpoint yet. */
export const unknownEndpoint: Endpoint = { hints: false, misled: 0 }

/** What other queries to the endpoint will find true as well: how many items fit and how long they take is the query's own. */
export const lasting = ({ hints, misled, span }: Endpoint): Endpoint => ({ hints, misled, ...present({ span }) })

/** Whether another scan would learn nothing more from the second one. */
export const isSame = (left: Endpoint, right: Endpoint): boolean =>
  left.hints === right.hints && left.misled === right.misled && left.span === right.span

/** Whether ranges that it names are asked for: until two in a row were not worth it. */
export const isTrusted = ({ misled }: Endpoint): boolean => misled < 2

/** The most blocks that are likely to be answered. */
export const longestSpan = ({ quick, slow, span }: Endpoint): number =>
  Math.max(1, Math.min(span ?? Infinity, slow === undefined ? Infinity : (quick ?? Math.floor(slow / firstCut ** 2))))

/** The most blocks to ask for, of so many: more than were answered, where that is likely to save calls. */
export const spanToTry = (endpoint: Endpoint, blocks: number): number => {
  const { doubted, quick, refused = Infinity, slow = Infinity, span = Infinity } = endpoint
  const settled = longestSpan(endpoint)
  const failed = Math.min(refused, doubted === true ? Math.max(slow, 4 * (quick ?? 0)) : slow)
  if (quick === undefined || failed === Infinity) return settled
  const between = Math.min(refused === Infinity ? span : Infinity, failed - 1, Math.ceil(Math.sqrt(quick * failed)))
  return (blocks / settled) * (1 - settled / between) > worthTrying ? between : settled
}

/** A range that the server offered was good, or was not. */
export const judged = (endpoint: Endpoint, good: boolean): Endpoint => ({
  ...endpoint,
  misled: good ? 0 : endpoint.misled + 1,
})

export const sawHint = (endpoint: Endpoint, hints: boolean): Endpoint => ({ ...endpoint, hints })

/** A call over `span` blocks covered too many of them; the server may have named the most it answers. */
export const spanRefused = (endpoint: Endpoint, span: number, named: number | undefined): Endpoint => {
  const { span: before = Infinity, quick = 0, refused = Infinity, ...rest } = endpoint
  const answered = quick > 0 && quick < span ? { quick } : {}
  // Servers differ in whether both ends count: what they name is tried first, then one less.
  if (named !== undefined && named <= span)
    return { ...rest, ...answered, span: Math.max(1, Math.min(before, named === span ? span - 1 : named)) }
  const next = Math.max(1, answered.quick ?? 0, Math.min(before, nextCap(span)))
  return { ...rest, ...answered, refused: Math.min(refused, span), span: next }
}

/** A call over `span` blocks was refused, and one over `answered` was not: a number that the server named as its cap, or any. */
export const narrowed = (endpoint: Endpoint, span: number, answered: number, isNamed: boolean): Endpoint =>
  isNamed
    ? { ...endpoint, span: Math.min(endpoint.span ?? Infinity, answered) }
    : spanRefused({ ...endpoint, quick: Math.max(endpoint.quick ?? 0, answered) }, span, undefined)

/** A call over `span` blocks ran out of time. */
export const timedOut = (endpoint: Endpoint, span: number): Endpoint => {
  const { doubted: _, quick = 0, slow = Infinity, ...rest } = endpoint
  return { ...rest, slow: Math.min(slow, span), ...(quick === 0 || quick >= span ? {} : { quick }) }
}

/** A call over `span` blocks was answered. */
export const answeredIn = (endpoint: Endpoint, span: number): Endpoint => {
  const { quick = 0, refused = Infinity, slow = Infinity, span: cap = Infinity } = endpoint
  if (Math.min(refused, slow) === Infinity || span >= refused || span <= quick) return endpoint
  const found = { ...endpoint, quick: span, ...(span > cap ? { span } : {}) }
  return span < slow ? found : { ...found, slow: 4 * span, doubted: true }
}

/** What was learned about an endpoint, from JSON; members that are not such numbers are left out. */
export const decodeEndpoint = (value: Json.JsonObject): Endpoint => ({
  hints: value.hints === true,
  misled: countsOf(value, ["misled"]).misled ?? 0,
  ...(value.doubted === true ? { doubted: true } : {}),
  ...countsOf(value, ["limit", "quick", "refused", "slow", "span"], 1),
})

/** Limits that servers have, for those that do not say theirs. */
const commonCaps = [100_000, 50_000, 10_000, 5_000, 3_000, 2_000, 1_024, 1_000, 800, 500, 128, 100, 50, 10]

const nextCap = (span: number): number => commonCaps.find((cap) => cap < span) ?? Math.floor(span / 2)
