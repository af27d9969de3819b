/** Writes a result as one page of HTML, as `dotrpc run --format html` does: prices, checks, charts and rows. */
import { htmlReport } from "@dotrpc/report"
import { isGood, type RequestReport } from "@dotrpc/runner"
import * as vscode from "vscode"

import { joinInTurns } from "../run/chunks.ts"
import { showDone, showInStatusBar } from "../Shown.ts"
import { fileNameOf } from "./fileNameOf.ts"
import { askWhere } from "./saveBeside.ts"

/** @param of the file of the request */
export const exportPage = async (report: RequestReport, of: vscode.Uri): Promise<void> => {
  const { label } = report.request
  const name = `${fileNameOf(label)}.html`
  const target = await askWhere("Export the result", of, { name, format: "HTML", extension: "html" })
  if (target === undefined) return
  const text = await showInStatusBar(`Exporting ${name}`, () => joinInTurns(pageOf(report, of)))
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text))
  showDone(`Exported ${name}`)
}

const pageOf = (report: RequestReport, of: vscode.Uri): Iterable<string> => {
  const { network, price = { min: 0, max: 0, assumed: false } } = report.request
  const file = vscode.workspace.asRelativePath(of, false)
  const unit = network?.prices?.unit
  return htmlReport({
    files: [{ name: file, problems: [], requests: [{ report, place: file }] }],
    credits: { spent: report.credits, estimated: { ...price, unit } },
    ok: isGood(report),
    problems: [],
    rows: Number.POSITIVE_INFINITY,
  })
}
