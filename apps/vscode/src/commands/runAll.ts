/** Runs every request of a file: of the one in front, as text or as a notebook, else of one that is open behind it. */
import * as vscode from "vscode"

import { isRpc } from "../project/ranges.ts"
import { notebookType } from "../project/notebookType.ts"
import type { Results } from "../results/Results.ts"
import { runDocument } from "../results/runDocument.ts"
import type { Runs } from "../run/Runs.ts"
import { openSample } from "./openSample.ts"

/** @param extension where the samples are, one of which is opened when no file of requests is */
export const runAll = async (runs: Runs, results: Results, extension: vscode.Uri): Promise<void> => {
  const { activeNotebookEditor, activeTextEditor } = vscode.window
  if (activeTextEditor !== undefined && isRpc(activeTextEditor.document) && !isCell(activeTextEditor.document))
    return runDocument(runs, results, activeTextEditor.document)
  if (activeNotebookEditor?.notebook.notebookType === notebookType)
    return vscode.commands.executeCommand("notebook.execute", activeNotebookEditor.notebook.uri)
  const document = (await openBehind()) ?? (await openSample(extension))
  if (document !== undefined) await runDocument(runs, results, document)
}

const isCell = ({ uri }: vscode.TextDocument): boolean => uri.scheme === "vscode-notebook-cell"

/** A file that is open in some tab, brought to the front: the walkthrough, a result or a configuration may hide it. */
const openBehind = async (): Promise<vscode.TextDocument | undefined> => {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs)
  const active = tabs.filter((tab) => tab.isActive)
  for (const { input } of [...active, ...tabs.toReversed()]) {
    if (!(input instanceof vscode.TabInputText)) continue
    const document = await vscode.workspace.openTextDocument(input.uri)
    if (!isRpc(document)) continue
    await vscode.window.showTextDocument(document)
    return document
  }
  return undefined
}
