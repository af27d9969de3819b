/** The rows of `# @each` that runs have paid for: those of several runs as one, and what is left of a plan without them. */
import { type BoundRequest, mostTogether, rowRequests } from "@dotrpc/analysis"
import { Json, type Price } from "@dotrpc/spec"
import { Effect } from "effect"
import { keysOfRows, type PaidRow, readKept, rowsAsOne, rowsOfRun } from "./internal/keptRows.ts"
import type { Resumption } from "./RunEvent.ts"
import { type RunPlan, withRequests } from "./RunPlan.ts"

export { type PaidRow, rowsAsOne, rowsOfRun } from "./internal/keptRows.ts"

/** Which rows are worth keeping. */
export interface PaidRowsLimits {
  /** Rows that were paid for before this are left out, in milliseconds. */
  readonly since: number
  /** The most characters of all rows as JSON; the oldest are left out. */
  readonly mostCharacters: number
}

/** Of equal calls the newest answer counts, and of answers of one moment the last. `undefined` if nothing is left. */
export const mergePaidRows = (
  runs: ReadonlyArray<Resumption>,
  { mostCharacters, since }: PaidRowsLimits,
): Resumption | undefined => {
  const rows = new Map<string, PaidRow>()
  for (const run of runs)
    for (const row of rowsOfRun(run)) if (timeOf(row) >= timeOf(rows.get(row.key))) rows.set(row.key, row)
  const newestFirst = [...rows.values()]
    .filter(({ at = Infinity }) => at >= since)
    .toSorted((left, right) => timeOf(right) - timeOf(left))
  let characters = 0
  const over = newestFirst.findIndex(({ error, result }) => {
    characters += besides + Json.stringify(error ?? result ?? null).length
    return characters > mostCharacters
  })
  const kept = over < 0 ? newestFirst : newestFirst.slice(0, over)
  return kept.length === 0 ? undefined : rowsAsOne(kept)
}

const timeOf = (row: PaidRow | undefined): number => row?.at ?? 0

/** The digest and the time of a row. */
const besides = 60

/**
 * The plan of a run that is resumed: with the rows that are left, as far as they are known before it, and their price.
 * `resume` has what was paid for by the positions of the requests.
 */
export const withoutPaidRows = Effect.fnUntraced(function* (
  plan: RunPlan,
  resume: ReadonlyMap<number, Resumption>,
): Effect.fn.Return<RunPlan> {
  const requests: Array<BoundRequest> = []
  for (const request of plan.requests) {
    const paid = resume.get(request.index)
    requests.push(paid === undefined ? request : yield* withoutPaid(plan, request, readKept(paid)))
  }
  return withRequests(plan, requests)
})

const withoutPaid = Effect.fnUntraced(function* (
  { analysis }: RunPlan,
  request: BoundRequest,
  paid: ReadonlyMap<string, unknown>,
): Effect.fn.Return<BoundRequest> {
  const { each } = request
  const rows = each?.rows === undefined ? [] : rowRequests(analysis, request, new Map())
  if (each?.rows === undefined || "diagnostics" in rows) return request
  const keys = yield* keysOfRows(analysis, rows, new Map())
  const left = each.rows.filter((_, position) => !paid.has(keys[position] ?? ""))
  const different = new Set(keys.filter((key) => key !== undefined && !paid.has(key))).size
  if (left.length === each.rows.length) return request
  return {
    ...request,
    each: { ...each, rows: left, different: different === left.length ? undefined : different, within: undefined },
    price: priceOf(request, each.different ?? each.rows.length, different),
  }
})

/** Rows that may go together cost as little as the fewest calls that can be made of them. */
const priceOf = ({ each, price }: BoundRequest, all: number, left: number): Price.PriceRange | undefined => {
  const one = each?.price
  if (price === undefined || one === undefined) return price
  if (left === 0) return { min: 0, max: 0, assumed: false, unit: price.unit }
  const isEachAlone = price.min >= one.min * all
  const min = one.min * (isEachAlone ? left : Math.ceil(left / mostTogether))
  return { ...price, min, max: one.max === undefined ? undefined : one.max * left }
}
