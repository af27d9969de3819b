/** Writes a result into a file of the user's choice, with every digit. */
import type { ColumnFormat } from "@dotrpc/columns"
import type { RequestReport } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"
import * as vscode from "vscode"

import { cameBack } from "./cameBack.ts"
import { joinBytesInTurns, joinInTurns } from "../run/chunks.ts"
import { fileNameOf } from "./fileNameOf.ts"
import { askWhere } from "./saveBeside.ts"
import { visiblePieces } from "./jsonPieces.ts"
import { type Choice, pick, showDone, showInformation, showInStatusBar } from "../Shown.ts"

/** @param of the file of the request */
export const saveResult = async (report: RequestReport, of: vscode.Uri): Promise<void> => {
  const result = resultOf(report)
  const picked = await pick(formats, { title: `Save the result of ${report.request.label} as` })
  if (picked === undefined) return
  const name = `${fileNameOf(report.request.label)}.${picked.format}`
  const target = await askWhere("Save the result", of, { name, format: picked.name, extension: picked.format })
  if (target === undefined) return
  const { bytes, undecoded } = await showInStatusBar(`Saving ${name}`, () => fileOf(picked.format, report, result))
  await vscode.workspace.fs.writeFile(target, bytes)
  showDone(`Saved ${name}`)
  if (undecoded !== undefined) showInformation(`${name}: ${undecoded}.`)
}

/** Writes a result that is JSON text already. */
export const saveText = async (label: string, text: string, of: vscode.Uri): Promise<void> => {
  const name = `${fileNameOf(label)}.json`
  const target = await askWhere("Save the result", of, { name, format: "JSON", extension: "json" })
  if (target === undefined) return
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(`${text}\n`))
  showDone(`Saved ${name}`)
}

/** The writers of columns are loaded by the first file. */
const fileOf = async (
  format: Format,
  report: RequestReport,
  result: Json.Json,
): Promise<{ readonly bytes: Uint8Array; readonly undecoded?: string | undefined }> => {
  if (format === "json") return { bytes: new TextEncoder().encode(`${await joinInTurns(visiblePieces(result))}\n`) }
  const { savedColumns } = await import("./savedColumns.ts")
  const { bytes, end } = await joinBytesInTurns(savedColumns(format, report, result))
  return { bytes, undecoded: end }
}

type Format = ColumnFormat | "json"

/** What came back, also when it is not what its method promises; says so when nothing did. */
export const resultOf = (report: RequestReport): Json.Json => {
  const result = cameBack(report)
  if (result === undefined) throw new Error("This request has no result: run it first.")
  return result
}

const formats: ReadonlyArray<Choice<{ readonly format: Format; readonly name: string }>> = [
  { value: { format: "json", name: "JSON" }, label: "JSON", description: "the whole result as the server sent it" },
  { value: { format: "ndjson", name: "NDJSON" }, label: "NDJSON", description: "one item per line" },
  { value: { format: "csv", name: "CSV" }, label: "CSV", description: "one item per line, for a spreadsheet" },
  {
    value: { format: "parquet", name: "Parquet" },
    label: "Parquet",
    description: "typed columns, for DuckDB and pandas",
  },
]
