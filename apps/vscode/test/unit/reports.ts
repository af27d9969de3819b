/** Reports to render, around a request that was really analysed. */
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import type { RequestReport } from "@dotrpc/runner"
import type { Table } from "@dotrpc/spec"

import { makeProject } from "../../src/project/Project.ts"

const nothing = (): undefined => undefined

export const project = makeProject({ env: nothing, secret: nothing, now: 0 })

export const analysisOf = (text: string) => analyze(parse(text), project.workspace)

export const report = (parts: Partial<RequestReport> = {}): RequestReport => {
  const [request] = analysisOf("### Logs\n# @name logs\neth_getLogs [{}]\n").requests
  if (request === undefined) throw new Error("The sample has no request.")
  return { request, status: "ok", calls: 1, credits: 255, ms: 412, checks: [], ...parts }
}

/** A result of these rows; `total` may be more. */
export const rows = (cells: ReadonlyArray<ReadonlyArray<string>>, total = cells.length) => {
  const table: Table.Table = {
    noun: ["log", "logs"],
    total,
    columns: (cells[0] ?? []).map((_, index) => ({ name: `column ${index}`, align: index === 0 ? "right" : "left" })),
    rows: cells,
  }
  return { result: [], render: (limit: number) => ({ ...table, rows: cells.slice(0, limit) }) }
}
