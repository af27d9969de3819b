/**
 * A finished or growing result as the notebook's renderer gets it: plain data, in which every number of the result is
 * text and so keeps its digits.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import { columnOf } from "@dotrpc/report"
import {
  type CheckReport,
  type ErrorReport,
  type RequestReport,
  showCharge,
  showDifferences,
  summarizeComparison,
} from "@dotrpc/runner"
import { Json, Table, Visible } from "@dotrpc/spec"

import { permitFor } from "../credits/Permit.ts"
import { endpointOf } from "../names/KeptNames.ts"
import { namesReaderOf } from "../names/namesReaderOf.ts"
import { actualWords } from "../results/actualWords.ts"
import { RowSlices } from "../results/RowSlices.ts"
import { cameBack, resumptionOf } from "../results/cameBack.ts"
import { partialWords } from "../results/resultMarkdown.ts"
import { isGoodReport, outcomeLine, summaryLine, withWholeCost } from "../results/summary.ts"
import { wholeCostOf } from "../run/wholeCost.ts"
import type { ResultPayload, RowsMessage } from "../results/ResultPayload.ts"

/** With the first rows; `rowsMessage` gives the others. The id finds the result again when something is to be done with it. */
export const resultPayload = (report: RequestReport, id: number, canCompare = false): ResultPayload => {
  const { request, error } = report
  const notes = [report.note, ...(report.notes ?? [])].flatMap((note) =>
    note === undefined ? [] : [Visible.line(note)],
  )
  const { environment } = request.workspace
  const table = RowSlices.of(report)?.first()
  const result = cameBack(report)
  const comparison = comparisonOf(report)
  return {
    id,
    label: request.label,
    method: request.method?.name ?? request.call.method.text,
    ...(request.network === undefined ? {} : { network: request.network.id }),
    ...(environment === undefined ? {} : { environment }),
    good: isGoodReport(report),
    summary: summaryLine(report),
    credits: wholeCostOf(report),
    charge: showCharge(withWholeCost(report)),
    ...(table === undefined ? {} : { table }),
    ...(result === undefined || table?.items !== undefined ? {} : { json: Visible.json(Json.stringify(result, 2)) }),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
    ...(table === undefined ? {} : { names: namesOf(request) }),
    ...(comparison === undefined ? {} : { comparison: Visible.json(comparison) }),
    checks: report.checks.map(checkOf),
    ...(error === undefined ? {} : { error: errorOf(error), outcome: outcomeLine(report) }),
    ...(permitFor(report) === undefined ? {} : { canAllowOnce: true }),
    ...(resumptionOf(report) === undefined ? {} : { canResume: true }),
    ...(canCompare ? { canCompare } : {}),
    ...(report.partial === undefined ? {} : { partialWords: Visible.line(partialWords(report.partial)) }),
  }
}

const namesOf = (request: BoundRequest): ResultPayload["names"] => {
  const reader = namesReaderOf(request)
  return reader === undefined || request.network === undefined
    ? undefined
    : { title: reader.title, key: endpointOf(request.network) }
}

const comparisonOf = (report: RequestReport): string | undefined => {
  const said = summarizeComparison(report)
  if (said === undefined) return undefined
  const differences = report.compare?.differences.slice(0, shownDifferences) ?? []
  return [Visible.line(said), ...showDifferences(differences, longestValue).map((line) => Visible.line(line))].join(
    "\n",
  )
}

const shownDifferences = 10
const longestValue = 100

/** A request that has brought nothing yet. */
export const waitingPayload = (request: BoundRequest): ResultPayload => ({
  ...emptyPayload(request, `… ${request.label} is pending`),
  partial: true,
})

/** A request that was stopped before it ended. */
export const stoppedPayload = (request: BoundRequest): ResultPayload =>
  emptyPayload(request, `– ${request.label} was stopped`)

/** The first rows of a request that is still running. */
export const growingPayload = (request: BoundRequest, soFar: Table.Table): ResultPayload => {
  const summary = `${Table.summarize(soFar)} so far`
  return {
    ...emptyPayload(request, `… ${summary}`),
    table: { summary, columns: soFar.columns.map(columnOf), rows: soFar.rows, total: soFar.rows.length },
    partial: true,
  }
}

const emptyPayload = (request: BoundRequest, summary: string): ResultPayload => ({
  id: 0,
  label: request.label,
  method: request.method?.name ?? request.call.method.text,
  ...(request.network === undefined ? {} : { network: request.network.id }),
  good: true,
  summary,
  credits: 0,
  checks: [],
})

/** The rows from a position on, as many as are drawn at once; none of a result that is gone. */
export const rowsMessage = (report: RequestReport | undefined, id: number, from: number): RowsMessage => {
  const slices = report === undefined ? undefined : RowSlices.of(report)
  return { kind: "rows", id, from, ...(slices?.from(from) ?? { columns: [], rows: [] }) }
}

const checkOf = ({
  text,
  ok,
  actual,
  actualAmount,
  expected,
  problem,
  skipped,
}: CheckReport): ResultPayload["checks"][number] => ({
  text: Visible.line(text),
  ok,
  ...(skipped === undefined ? {} : { skipped }),
  ...(problem === undefined ? {} : { problem: Visible.line(problem) }),
  actual: actualWords({ actual, actualAmount, expected }),
})

const errorOf = ({ message, advice, code }: ErrorReport): NonNullable<ResultPayload["error"]> => ({
  message: Visible.line(message),
  ...(advice === undefined ? {} : { advice: Visible.line(advice) }),
  ...(code === undefined ? {} : { code }),
})
