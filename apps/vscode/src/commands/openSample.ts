/** Opens one of the samples that come with the extension, as a document that is not saved anywhere yet. */
import * as vscode from "vscode"
import { type Choice, pick } from "../Shown.ts"

export const openSample = async (extension: vscode.Uri): Promise<vscode.TextDocument | undefined> => {
  const folder = vscode.Uri.joinPath(extension, "samples")
  const samples = await readSamples(folder)
  const picked = await pick(samples, { title: "Open a sample" })
  if (picked === undefined) return undefined
  const document = await vscode.workspace.openTextDocument({ language: "rpc", content: picked })
  await vscode.window.showTextDocument(document)
  return document
}

/** The sample to begin with. */
const first = "quickstart"

/** A web extension cannot list its folders, so the packed samples are one file. */
const readSamples = async (folder: vscode.Uri): Promise<ReadonlyArray<Choice<string>>> => {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, "samples.json"))
  const texts: Readonly<Record<string, string>> = JSON.parse(new TextDecoder().decode(bytes))
  return Object.entries(texts)
    .map(([name, text]) => ({ label: name, detail: firstComment(text), value: text }))
    .toSorted((one, other) => Number(other.label === first) - Number(one.label === first))
}

/** A sample says in its first line what it is. */
const firstComment = (text: string): string => /^#\s+(.+)$/m.exec(text)?.[1] ?? ""
