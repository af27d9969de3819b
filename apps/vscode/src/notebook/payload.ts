/**
 * A finished or growing result as the notebook's renderer gets it: plain data, in which every number of the result is
 * text and so keeps its digits.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import type { CheckReport, ErrorReport, RequestReport } from "@dotrpc/runner"
import { Json, Table } from "@dotrpc/spec"

import { itemsOf } from "../results/items.ts"
import { cameBack } from "../results/cameBack.ts"
import { isGoodReport, summaryLine } from "../results/summary.ts"
import type { PayloadTable, ResultPayload } from "./ResultPayload.ts"

/** The id finds the result again when something is to be done with it. */
export const resultPayload = (report: RequestReport, id: number): ResultPayload => {
  const { request, error, note } = report
  const { environment } = request.workspace
  const table = tableOf(report)
  const result = cameBack(report)
  return {
    id,
    label: request.label,
    method: request.method?.name ?? request.call.method.text,
    ...(request.network === undefined ? {} : { network: request.network.id }),
    ...(environment === undefined ? {} : { environment }),
    good: isGoodReport(report),
    summary: summaryLine(report),
    credits: report.credits,
    ...(table === undefined ? {} : { table }),
    ...(result === undefined || table?.items !== undefined ? {} : { json: Json.stringify(result, 2) }),
    ...(note === undefined ? {} : { note }),
    checks: report.checks.map(checkOf),
    ...(error === undefined ? {} : { error: errorOf(error) }),
  }
}

/** The first rows of a request that is still running. */
export const growingPayload = (request: BoundRequest, soFar: Table.Table): ResultPayload => {
  const summary = `${Table.summarize(soFar)} so far`
  return {
    id: 0,
    label: request.label,
    method: request.method?.name ?? request.call.method.text,
    ...(request.network === undefined ? {} : { network: request.network.id }),
    good: true,
    summary: `… ${summary}`,
    credits: 0,
    table: { summary, columns: soFar.columns.map(columnOf), rows: soFar.rows },
    checks: [],
    partial: true,
  }
}

const columnOf = ({ name, align }: Table.Column): PayloadTable["columns"][number] => ({
  name,
  numeric: align === "right",
})

/** All rows, and behind each the item it was made from where that is clear. */
const tableOf = ({ render, result, request }: RequestReport): PayloadTable | undefined => {
  if (render === undefined || result === undefined) return undefined
  const { columns, rows, headline, noun, total } = render(Number.POSITIVE_INFINITY)
  const items = noun === undefined ? undefined : itemsOf(request.method, result, rows.length)
  return {
    summary: Table.summarize({ columns, rows, total, ...(noun && { noun }), ...(headline && { headline }) }),
    columns: columns.map(columnOf),
    rows,
    ...(items === undefined ? {} : { items: items.map((item) => Json.stringify(item)) }),
  }
}

const checkOf = ({ text, ok, actual, problem }: CheckReport): ResultPayload["checks"][number] => ({
  text,
  ok,
  ...(problem === undefined ? {} : { problem }),
  ...(actual === undefined ? {} : { actual: Json.stringify(actual) }),
})

const errorOf = ({ message, advice, code }: ErrorReport): NonNullable<ResultPayload["error"]> => ({
  message,
  ...(advice === undefined ? {} : { advice }),
  ...(code === undefined ? {} : { code }),
})
