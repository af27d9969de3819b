/** Runs a request with `# @compare`: its call on two networks. */
import type { Comparison } from "@dotrpc/analysis"
import { CreditBudget } from "@dotrpc/core"
import { inTurns, type Json, ResultNotes, RpcClient } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import type { RequestReport } from "../RunEvent.ts"
import { answered, failedReport, notesOf } from "./answered.ts"
import { inContext, knowing } from "./callContext.ts"
import { comparedReport } from "./compared.ts"
import { type Noted, type Sendable, type Spending, spendingSince } from "./execution.ts"
import { makeProgress } from "./progress.ts"
import { readResult } from "./reading.ts"
import { errorReport } from "./reports.ts"

/** The call on two networks, each side with a meter of its own below the limit of the request. */
export const answeredTwice = (
  execution: Sendable,
  compare: Comparison,
  allowance: CreditBudget.Allowance,
  noted: Noted,
): Effect.Effect<RequestReport, never, RpcClient> => {
  const { bound, method, network, request } = execution
  const left = CreditBudget.makeAllowance({ name: "the first side", parent: allowance })
  const right = CreditBudget.makeAllowance({ name: "the other side", parent: allowance })
  const progressOfSide = () => makeProgress(request, allowance, execution.emit, execution.observe?.(request))
  /** What is done before the call of the first side, which has a progress of its own. */
  const progress = { left: progressOfSide(), right: progressOfSide() }
  const inSide = (side: "left" | "right") =>
    side === "left"
      ? inContext(execution, left, progress.left, knowing(network, bound))
      : inContext(execution, right, progress.right, knowing(compare.network, bound))
  const timed = <A, R>(work: (spent: Spending) => Effect.Effect<A, never, R>, meter: CreditBudget.Allowance) =>
    Effect.flatMap(Clock.currentTimeNanos, (started) => work(spendingSince(started, meter)))
  const notesOnRight: Array<string> = []
  const noteRight = (words: string) => notesOnRight.push(`on ${compare.network.id}: ${words}`)
  let spentOnRight: Spending = spendingSince(undefined, right)
  return comparedReport({
    request,
    compare,
    method,
    network,
    params: bound.params,
    pins: execution.pins,
    allowances: lineOf(allowance),
    lookUp: (side, way) =>
      Effect.map(RpcClient.call(way.method, way.params), (result) => result as Json.Json).pipe(inSide(side)),
    left: (params) =>
      timed((spent) => answered({ ...execution, bound: { ...bound, params } }, left, spent, noted), left),
    leftFailed: (error) =>
      Effect.flatMap(spendingSince(undefined, left), (spent) => failedReport(execution, error, spent)),
    right: (params) =>
      Effect.flatMap(Clock.currentTimeNanos, (started) => {
        spentOnRight = spendingSince(started, right)
        const sent = { ...bound, params }
        const reading = {
          ...execution,
          bound: sent,
          network: compare.network,
          received: () => {},
          note: () => {},
          budget: right,
        }
        return readResult(reading).pipe(Effect.provideService(ResultNotes, noteRight), inSide("right"))
      }),
    rightError: (error) =>
      inTurns(() => errorReport(error, bound.secrets, { decode: (data) => method.decodeError?.(data, {}) })),
    spentOnRight: Effect.suspend(() =>
      Effect.map(spentOnRight, (spent) => ({ ...spent, avoided: progress.right.saved().avoided })),
    ),
  }).pipe(
    Effect.map((report) => ({
      ...report,
      avoided: sumOf(report.avoided, progress.left.saved().avoided),
      ...notesOf([...(report.notes ?? []), ...notesOnRight]),
    })),
  )
}

/** Of what is known; nothing known is not zero. */
const sumOf = (...amounts: ReadonlyArray<number | undefined>): number | undefined => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, amount) => sum + amount, 0)
}

const lineOf = (allowance: CreditBudget.Allowance): ReadonlyArray<CreditBudget.Allowance> =>
  allowance.parent === undefined ? [allowance] : [allowance, ...lineOf(allowance.parent)]
