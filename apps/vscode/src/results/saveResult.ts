/** Writes a result into a file of the user's choice, with every digit. */
import type { RequestReport } from "@dotrpc/runner"
import type { Json } from "@dotrpc/spec"
import * as vscode from "vscode"

import { cameBack } from "./cameBack.ts"
import { joinInTurns } from "./chunks.ts"
import { fileNameOf } from "./fileNameOf.ts"
import { askWhere } from "./saveBeside.ts"
import { type SaveFormat, savedText } from "./savedText.ts"
import { type Choice, pick, showDone } from "../Shown.ts"

/** @param of the file of the request */
export const saveResult = async (report: RequestReport, of: vscode.Uri): Promise<void> => {
  const result = resultOf(report)
  const picked = await pick(formats, { title: `Save the result of ${report.request.label} as` })
  if (picked === undefined) return
  const name = `${fileNameOf(report.request.label)}.${picked.format}`
  const target = await askWhere("Save the result", of, { name, format: picked.name, extension: picked.format })
  if (target === undefined) return
  const text = await joinInTurns(savedText(picked.format, report, result))
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text))
  showDone(`Saved ${name}`)
}

/** What came back, also when it is not what its method promises; says so when nothing did. */
export const resultOf = (report: RequestReport): Json.Json => {
  const result = cameBack(report)
  if (result === undefined) throw new Error("This request has no result: run it first.")
  return result
}

const formats: ReadonlyArray<Choice<{ readonly format: SaveFormat; readonly name: string }>> = [
  { value: { format: "json", name: "JSON" }, label: "JSON", description: "the whole result as the server sent it" },
  { value: { format: "ndjson", name: "NDJSON" }, label: "NDJSON", description: "one item per line" },
  { value: { format: "csv", name: "CSV" }, label: "CSV", description: "one item per line, for a spreadsheet" },
]
