/**
 * A request on two networks: the tags of its call are pinned to blocks that both have, then the same call is made on one network after
 * the other, and the results are compared.
 *
 * Invariant: what a budget refuses on the first network is not sent to the second, and each side pays for its own calls.
 */
import { type Comparison, pinnedTags } from "@dotrpc/analysis"
import type { CreditBudget } from "@dotrpc/core"
import { inTurns, type Json, type Network, RpcError, RpcReason, showPath, Table } from "@dotrpc/spec"
import { Effect, Result } from "effect"
import type { CompareReport, ErrorReport, RequestReport } from "../RunEvent.ts"
import { mostCounted } from "./mostCounted.ts"
import { type LookUp, type Pins, pinTags } from "./pins.ts"
import { statusOf } from "./reports.ts"
import { findingResultDifferences } from "./resultDifferences.ts"

/** Differences that a report has; the number of all of them is beside them. */
const mostListed = 100

export interface Sides<R> {
  readonly request: RequestReport["request"]
  readonly compare: Comparison
  readonly method: NonNullable<RequestReport["request"]["method"]>
  readonly network: Network
  readonly params: Json.Json
  readonly pins: Pins
  readonly lookUp: LookUp<R>
  /** The call on the network of the request, with checks. */
  readonly left: (params: Json.Json) => Effect.Effect<RequestReport, never, R>
  /** The report where the first network failed before the call. */
  readonly leftFailed: (error: RpcError) => Effect.Effect<RequestReport, never, R>
  /** The call on the other network. */
  readonly right: (params: Json.Json) => Effect.Effect<Json.Json, RpcError, R>
  readonly rightError: (error: RpcError) => Effect.Effect<ErrorReport>
  readonly spentOnRight: Effect.Effect<Pick<CompareReport, "avoided" | "calls" | "credits" | "ms">>
  /** Those of the request, from its own budget up. */
  readonly allowances: ReadonlyArray<CreditBudget.Allowance>
}

export const comparedReport = Effect.fnUntraced(function* <R>(
  sides: Sides<R>,
): Effect.fn.Return<RequestReport, never, R> {
  const { compare, method, params, request } = sides
  const uncovered = refusal(sides)
  if (uncovered !== undefined) return yield* endedBefore(sides, yield* sides.leftFailed(uncovered))
  const pinned = yield* pinTags({ ...sides, index: request.index }, sides.lookUp)
  if (pinned._tag === "Failed" && pinned.side === "left")
    return yield* endedBefore(sides, yield* sides.leftFailed(pinned.error))
  const numbers = pinned._tag === "Failed" ? pinned.own : pinned.numbers
  const sent = compare.pinning?.pinned(method, params, numbers) ?? params
  const report = yield* sides.left(sent)
  const noted = { ...report, note: joined(report.note, noteOn(sides, numbers)) }
  if (pinned._tag === "Failed") return withCompare(noted, yield* failed(sides, pinned.error))
  if (report.status === "refused" || report.error?.span !== undefined) return yield* endedBefore(sides, noted)
  const answer = yield* Effect.result(sides.right(sent))
  if (Result.isFailure(answer)) {
    const there = yield* failed(sides, answer.failure)
    return withCompare(noted, bothSaid(report, there))
  }
  const spent = yield* sides.spentOnRight
  const base = { network: compare.network, status: "ok", pinned: numbers, ...spent, result: answer.success } as const
  const isAnswered = report.status === "ok" || report.status === "check-failed"
  if (!isAnswered || report.result === undefined) return withCompare(noted, { ...base, differences: [], total: 0 })
  const [left, right] = [compare.comparable(report.result), compare.comparable(answer.success)]
  const found = yield* inTurns(() => findingResultDifferences(method, left, right, mostCounted, compare.ignored))
  return withCompare(noted, {
    ...base,
    equal: found.length === 0,
    total: found.length,
    differences: found
      .slice(0, mostListed)
      .map((each) => ({ path: showPath(each.path, "result"), left: each.left, right: each.right })),
  })
})

const withCompare = (report: RequestReport, compare: CompareReport): RequestReport => ({
  ...report,
  status: report.status === "ok" ? statusWith(compare) : report.status,
  // Only the first side would be resumed.
  partial: report.partial === undefined ? undefined : { ...report.partial, point: undefined },
  compare,
})

const statusWith = ({ equal, error }: CompareReport): RequestReport["status"] => {
  if (equal === true) return "ok"
  return error === undefined ? "check-failed" : "compare-failed"
}

/** A budget that cannot pay for both sides refuses both, before the first is paid. */
const refusal = <R>({ allowances, compare, method, network, pins, request }: Sides<R>): RpcError | undefined => {
  const lookUps = compare.pins
    .filter(({ key }) => !pins.known.has(key))
    .flatMap(({ prices }) => prices.map(({ min }) => min))
  const needed = [request.price?.min ?? 0, compare.price.min, ...lookUps].reduce((sum, price) => sum + price, 0)
  for (const { limit, name, spent } of allowances) {
    // What others have reserved may come free.
    if (limit === undefined || spent + needed <= limit) continue
    const reason = new RpcReason.BudgetRefused({ limit: name, allowed: limit, spent, needed })
    return new RpcError({ method: method.name, network: network.id, reason, outcome: "unsent" })
  }
  return undefined
}

/** The call is not made on the other network. What was looked up there is paid, and what a budget refused here is refused there as well. */
const endedBefore = <R>({ compare: { network }, spentOnRight }: Sides<R>, report: RequestReport) =>
  Effect.map(spentOnRight, (spent) => {
    const isRefused = report.status === "refused" && report.error !== undefined
    const there: CompareReport = {
      network,
      status: isRefused ? "refused" : "skipped",
      differences: [],
      total: 0,
      ...spent,
      error: isRefused ? report.error : notCalled,
    }
    return withCompare(report, there)
  })

const notCalled: ErrorReport = {
  reason: "Skipped",
  id: "not-compared",
  message: "not called: the request failed on its own network first",
  retryable: false,
}

const failed = <R>({ compare, rightError, spentOnRight }: Sides<R>, error: RpcError) =>
  Effect.gen(function* () {
    const spent = yield* spentOnRight
    const there: CompareReport = {
      network: compare.network,
      status: statusOf(error),
      differences: [],
      total: 0,
      ...spent,
      error: yield* rightError(error),
    }
    return there
  })

/** Where an error is expected, two servers that answer with the same one agree, in whatever words they say it. */
const bothSaid = ({ error: here, expected }: RequestReport, there: CompareReport): CompareReport => {
  const { error } = there
  if (expected !== true || here?.code === undefined || here.code !== error?.code || here.reason !== error.reason)
    return there
  const isSame = typeof here.data !== "string" || typeof error.data !== "string" || here.data === error.data
  return isSame ? { ...there, equal: true } : there
}

/** What was pinned, and what was not. */
const noteOn = <R>(
  { compare, method, network, params }: Sides<R>,
  numbers: ReadonlyMap<string, number>,
): string | undefined => {
  const { pinning } = compare
  if (pinning === undefined)
    return `calls of ${method.plugin} cannot be pinned to a block: each network answers as of its own newest block`
  const { racing } = pinnedTags(pinning, method, params)
  const pinned = [...numbers].map(([tag, number]) => `${tag} is block ${Table.groupDigits(number)}`)
  return joined(
    pinned.length === 0 ? undefined : `${pinned.join(", ")} on ${network.id} and ${compare.network.id}`,
    racing.length === 0 ? undefined : `${racing.join(", ")} cannot be pinned: each network answers for its own block`,
  )
}

const joined = (...notes: ReadonlyArray<string | undefined>): string | undefined => {
  const some = notes.filter((note) => note !== undefined)
  return some.length === 0 ? undefined : some.join("; ")
}
