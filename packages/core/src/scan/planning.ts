/** How a plan begins, which query it gives next, and what becomes of it when a query has ended. */
import { Options } from "@dotrpc/spec"
import * as Endpoint from "./Endpoint.ts"
import { cellsAround, factsOf, type Learned } from "./Learned.ts"
import type { Cell, Flight, Gap, Query, QueryOutcome, ScanPlan } from "./ScanPlan.ts"
import { lanesByItems, nearlyEmpty } from "./numbers.ts"
import { type Answered, joinedBefore, type Profile, stretchItems, withAnswer } from "./profile.ts"
import { endsBySpan, isTrying, spanAt } from "./stepper.ts"

/** The range of a plan, and what is known before its first query. */
export interface PlanOptions {
  /** The first block. */
  readonly from: number
  /** The last block, included; one before `from` when nothing is left of a scan. */
  readonly to: number
  /** The most items one call answers; without it calls are limited by their span alone. */
  readonly limit?: number | undefined
  /** Queries that may be in flight at once; 1 by default, and no more than `lanesByItems` while items limit them. */
  readonly lanes?: number | undefined
  /** Items that may wait for those before them; 20 calls' worth by default. */
  readonly buffer?: number | undefined
  /** What a call that fails as too large costs, as a share of the price; 1 by default. */
  readonly failureCost?: number | undefined
  readonly endpoint?: Endpoint.Endpoint | undefined
  /** Ranges that were answered before, in order: they get the first ids, and are not asked for again. */
  readonly known?: ReadonlyArray<Answered> | undefined
  /** How densely the items lay when earlier scans read the blocks. */
  readonly profile?: Profile | undefined
  /** What a plan before this one had learned; it takes the place of `endpoint`. */
  readonly learned?: Learned | undefined
}

const optionNames: Options.Members<PlanOptions> = {
  from: true,
  to: true,
  limit: true,
  lanes: true,
  buffer: true,
  failureCost: true,
  endpoint: true,
  known: true,
  profile: true,
  learned: true,
}

/**
 * A plan for a range of blocks.
 *
 * Throws a `RangeError` when the ends are not block numbers in order, or an option is not a number it can be.
 *
 * @example
 * ```ts
 * let plan = RangeScan.plan({ from: 0, to: 1_999_999, limit: 10_000 })
 * for (;;) {
 *   const step = RangeScan.next(plan)
 *   if (step === undefined) break
 *   plan = RangeScan.settle(step.plan, step.query, ask(step.query))
 * }
 * ```
 */
export const plan = (options: PlanOptions): ScanPlan => {
  Options.members(options, optionNames)
  const { from, to, limit = Infinity, lanes = 1, endpoint = Endpoint.unknownEndpoint, failureCost = 1 } = options
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || from > to + 1)
    throw new RangeError(`A scan goes from one block number to the same or a later one; it is ${from} to ${to}.`)
  if (typeof limit !== "number" || !(limit >= 1)) Options.refuse("limit", "a number of items, 1 or more", limit)
  Options.wholeAboveZero("lanes", lanes)
  Options.zeroOrMore("failureCost", failureCost)
  const { buffer = 20 * limit, known = [], learned, profile = [] } = options
  Options.zeroOrMore("buffer", buffer, "items")
  return {
    from: learned?.from ?? from,
    to,
    limit: learned?.limit ?? Math.min(limit, endpoint.limit ?? Infinity),
    stretchItems: stretchItems(limit),
    fullest: learned?.fullest ?? 0,
    lanes,
    buffer,
    failureCost: Math.min(1, failureCost),
    cells: cellsAround({ from, to }, known, learned?.refused ?? []),
    endpoint: learned?.endpoint ?? endpoint,
    profile: known.reduce<Profile>(withAnswer, learned?.seen.filter((stretch) => stretch.to < from) ?? []),
    known: profile,
    streak: learned?.streak ?? lanesByItems,
    queries: known.length,
  }
}

/** The answers whose turn it is, in order, and the plan without them. */
export const take = (plan: ScanPlan): { readonly plan: ScanPlan; readonly ids: ReadonlyArray<number> } => {
  const ids: Array<number> = []
  for (const cell of plan.cells) {
    if (cell._tag !== "Answer") break
    ids.push(cell.id)
  }
  if (ids.length === 0) return { plan, ids }
  const cells = plan.cells.slice(ids.length)
  return {
    plan: { ...plan, cells, profile: joinedBefore(plan.profile, cells[0]?.from ?? plan.to + 1, plan.limit) },
    ids,
  }
}

/**
 * The next query, and the plan in which it is in flight. `undefined` when nothing may be sent before a query in flight
 * has ended, an answer was taken, or because everything was asked for.
 */
export const next = (plan: ScanPlan): { readonly plan: ScanPlan; readonly query: Query } | undefined => {
  let waiting = 0
  let flights = 0
  for (const cell of plan.cells) {
    if (cell._tag === "Answer") waiting += cell.items
    if (cell._tag === "Flight") flights++
  }
  if (flights >= plan.lanes || isTrying(plan)) return undefined
  const index = plan.cells.findIndex(({ _tag }) => _tag === "Gap")
  const gap = plan.cells[index]
  if (gap?._tag !== "Gap") return undefined
  // The first cell is not held back by the buffer: its items leave at once.
  if (index > 0 && waiting + (flights + 1) * perCall(plan) > plan.buffer) return undefined
  const isAhead = plan.cells[index - 1]?._tag === "Flight"
  if (isAhead && !endsBySpan(plan, gap.from)) {
    // A rise is searched for by one call after the other, and each lane is earned by answers that were well filled.
    const isHeavy = [gap, ...plan.cells.slice(0, index)].some(isRefused)
    const lanes = Math.min(lanesByItems, 1 + Math.floor(plan.streak / lanesByItems))
    if (isHeavy || flights >= lanes) return undefined
  }
  return issue(plan, index, { from: gap.from, to: gap.from + spanAt(plan, gap) - 1 })
}

/** The plan after a query has ended. */
export const settle = (plan: ScanPlan, query: Pick<Query, "id">, outcome: QueryOutcome): ScanPlan => {
  const index = plan.cells.findIndex((cell) => cell._tag === "Flight" && cell.id === query.id)
  const flight = plan.cells[index]
  if (flight?._tag !== "Flight") throw new TypeError(`Query ${query.id} is not in flight.`)
  switch (outcome._tag) {
    case "Answered":
      return answered(plan, index, flight, outcome)
    case "Narrowed":
      return narrowed(plan, index, flight, outcome)
    case "TooLarge":
      return tooLarge(plan, index, flight, outcome)
  }
}

/** Whether it is known to hold more than a call answers. */
const isRefused = (cell: Cell): boolean =>
  cell._tag !== "Answer" && (cell._tag === "Flight" ? cell.facts : cell).heavy !== undefined

const perCall = ({ limit }: ScanPlan): number => (limit === Infinity ? 0 : limit)

const issue = (plan: ScanPlan, index: number, { from, to }: { readonly from: number; readonly to: number }) => {
  const gap = plan.cells[index]
  if (gap?._tag !== "Gap") throw new TypeError("Only a gap can be asked for.")
  const query: Query = { id: plan.queries, from, to }
  const cells: Array<Cell> = [{ _tag: "Flight", ...query, facts: factsOf(gap) }]
  if (to < gap.to) cells.push({ _tag: "Gap", from: to + 1, to: gap.to })
  return {
    plan: { ...plan, cells: replaced(plan.cells, index, index + 1, cells), queries: plan.queries + 1 },
    query,
  }
}

const answered = (
  plan: ScanPlan,
  index: number,
  flight: Flight,
  outcome: Extract<QueryOutcome, { readonly _tag: "Answered" }>,
): ScanPlan => {
  const { facts, from, id, to } = flight
  const { heavy } = facts
  const { items, stretches } = outcome
  const profile = withAnswer(plan.profile, { from, to, items, stretches })
  let { endpoint } = plan
  // A range that was offered is good where another way would not have saved a call.
  if (facts.offer === to) endpoint = Endpoint.judged(endpoint, items >= nearlyEmpty * plan.limit)
  endpoint = Endpoint.answeredIn(endpoint, to - from + 1)
  const cells: Array<Cell> = [{ _tag: "Answer", id, from, to, items }]
  const right = plan.cells[index + 1]
  const rest = heavy === undefined ? -1 : heavy.moreThan - items
  const fullest = Math.max(plan.fullest, items)
  let limit = Math.max(plan.limit, items)
  if (heavy !== undefined && heavy.to <= to && rest >= 0) {
    // All of a range that was refused for its many items has been read, and it held no more than the limit.
    const refused = heavy.limit - rest
    limit = Math.min(limit, Math.max(1, fullest, Math.floor((fullest + refused) / 2)))
    endpoint = { ...endpoint, limit }
  }
  if (right?._tag === "Gap" && heavy !== undefined && heavy.to > to && rest >= 0 && !right.heavy)
    cells.push({ ...right, heavy: { ...heavy, to: Math.min(heavy.to, right.to), moreThan: rest } })
  else if (right !== undefined) cells.push(right)
  return {
    ...plan,
    endpoint,
    limit,
    fullest,
    profile,
    streak: streakAfter(plan, flight, items),
    cells: replaced(plan.cells, index, index + 2, cells),
  }
}

/** The beginning counts as the query that was answered; the rest is asked for by fewer blocks than were refused. */
const narrowed = (
  plan: ScanPlan,
  index: number,
  flight: Flight,
  { cause, isNamed = false, to, ...answer }: Extract<QueryOutcome, { readonly _tag: "Narrowed" }>,
): ScanPlan => {
  const { from } = flight
  const right = plan.cells[index + 1]
  const joined = right?._tag === "Gap"
  const gap: Gap = { _tag: "Gap", from: to + 1, to: joined ? right.to : flight.to }
  const begun: Flight = { ...flight, to, facts: {} }
  const cells = replaced(plan.cells, index, index + (joined ? 2 : 1), [begun, gap])
  const span = flight.to - from + 1
  const endpoint =
    cause === "timeout"
      ? Endpoint.timedOut(plan.endpoint, span)
      : Endpoint.narrowed(plan.endpoint, span, to - from + 1, isNamed)
  return answered({ ...plan, endpoint, cells }, index, begun, { ...answer, _tag: "Answered" })
}

const tooLarge = (
  plan: ScanPlan,
  index: number,
  flight: Flight,
  outcome: Extract<QueryOutcome, { readonly _tag: "TooLarge" }>,
): ScanPlan => {
  const { facts, from, to } = flight
  const span = to - from + 1
  if (span === 1) throw new RangeError(`Block ${from} is too large on its own: a plan cannot divide it.`)
  const { cause, hint } = outcome
  let { endpoint } = plan
  if (facts.offer === to) endpoint = Endpoint.judged(endpoint, false)
  const named = hint?.span ?? (cause === "span" && hint?.to !== undefined ? hint.to - from + 1 : undefined)
  if (cause === "span") endpoint = Endpoint.spanRefused(endpoint, span, named)
  // How long a call takes is the endpoint's, and what lies in the blocks has no part in it; so are its bytes where items have no limit.
  const isLong = cause === "timeout" || (cause === "size" && plan.limit === Infinity)
  if (isLong) endpoint = Endpoint.timedOut(endpoint, span)
  // A limit that is named is aimed at from now on: what it refused is not searched for by halving.
  const limit = cause === "results" ? Math.min(plan.limit, Math.max(plan.fullest, hint?.items ?? Infinity)) : plan.limit
  if (limit < plan.limit) endpoint = { ...endpoint, limit }
  const works = hint?.to !== undefined && hint.to >= from && hint.to < to && (hint.from ?? from) <= from
  if (cause === "results") endpoint = Endpoint.sawHint(endpoint, works)
  const follow = works && cause !== "span" && Endpoint.isTrusted(endpoint)
  const right = plan.cells[index + 1]
  const joined = right?._tag === "Gap"
  const gap: Gap = {
    _tag: "Gap",
    from,
    to: joined ? right.to : to,
    ...(isLong ? {} : { failed: span }),
    ...(cause === "results" ? { heavy: { to, moreThan: limit, limit } } : {}),
    ...(follow && hint.to !== undefined ? { offer: hint.to } : {}),
  }
  return {
    ...plan,
    endpoint,
    limit,
    streak: 0,
    cells: replaced(plan.cells, index, index + (joined ? 2 : 1), [gap]),
  }
}

/** Well filled answers since the newest refusal. */
const streakAfter = ({ endpoint, limit, streak }: ScanPlan, { from, to }: Flight, items: number): number =>
  Math.max(items / limit, (to - from + 1) / Endpoint.longestSpan(endpoint)) > 1 / 2 ? streak + 1 : streak

const replaced = (
  cells: ReadonlyArray<Cell>,
  from: number,
  to: number,
  by: ReadonlyArray<Cell>,
): ReadonlyArray<Cell> => [...cells.slice(0, from), ...by, ...cells.slice(to)]
