/** Stops what is running: one request, a file, or, away from files of requests, everything. */
import * as vscode from "vscode"

import { notebookType } from "../project/notebookType.ts"
import type { Results } from "../results/Results.ts"
import type { Runs } from "../run/Runs.ts"
import { isRpc } from "../project/ranges.ts"
import { isRequestTarget } from "./Target.ts"

/** `target` is a request or the file of a menu; without it the file in front is meant. */
export const cancel = (target: unknown, results: Results, runs: Runs): void => {
  if (isRequestTarget(target)) return results.cancel(target)
  const file = target instanceof vscode.Uri ? target : fileInFront()
  if (file === undefined) return runs.cancelAll()
  if (!runs.cancelIn(file)) throw new Error("No request of this file is running.")
}

const fileInFront = (): vscode.Uri | undefined => {
  const { activeNotebookEditor, activeTextEditor } = vscode.window
  if (activeNotebookEditor?.notebook.notebookType === notebookType) return activeNotebookEditor.notebook.uri
  return activeTextEditor !== undefined && isRpc(activeTextEditor.document) ? activeTextEditor.document.uri : undefined
}
