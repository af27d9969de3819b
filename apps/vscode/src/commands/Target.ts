/** The target of a command: lenses and links name it, menus and keys leave it to the cursor. */
import { sectionAt } from "@dotrpc/lang/locate"
import * as vscode from "vscode"
import type { Analyses } from "../project/Analyses.ts"
import { isRpc } from "../project/ranges.ts"
import type { RequestTarget, Results, ResultTarget } from "../results/Results.ts"
import { notebookType } from "../project/notebookType.ts"
import type { Runs } from "../run/Runs.ts"

/** Requests of a document as it is now. */
export interface Targets {
  readonly document: vscode.TextDocument
  readonly requests: ReadonlyArray<number>
}

/** Resolves what a command was called with; without a target, the requests that the cursors are in. */
export const resolveTargets = async (argument: unknown, analyses: Analyses, results: Results): Promise<Targets> => {
  if (isResultTarget(argument)) {
    const uri = results.get(argument.result)?.uri
    const document = uri === undefined ? undefined : await vscode.workspace.openTextDocument(uri)
    if (document !== undefined) await results.placed(document)
    const request = results.get(argument.result)?.request
    if (document === undefined || request === undefined) throw new Error("The request is no longer in its file.")
    return { document, requests: [request.index] }
  }
  if (isRequestTarget(argument)) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(argument.uri))
    return { document, requests: [argument.request] }
  }
  const { document, selections } = activeEditor()
  const { analysis } = await analyses.loaded(document)
  const selected = analysis.requests.filter(({ section }) =>
    selections.some((selection) => {
      if (selection.isEmpty) return sectionAt(analysis.tree, document.offsetAt(selection.active)) === section
      return section.start < document.offsetAt(selection.end) && document.offsetAt(selection.start) < section.end
    }),
  )
  if (selected.length === 0) throw new Error("There is no request at the cursor: move it below a ### line with a call.")
  return { document, requests: selected.map(({ index }) => index) }
}

/** The request whose section a line is in, as the menu of line numbers says it: from one. */
export const resolveLine = async (argument: unknown, analyses: Analyses): Promise<Targets> => {
  const { document, selection } = activeEditor()
  const said =
    typeof argument === "object" && argument !== null && "lineNumber" in argument
      ? Number(argument.lineNumber) - 1
      : NaN
  const line = Number.isInteger(said) ? said : selection.active.line
  const { analysis } = await analyses.loaded(document)
  const section = sectionAt(analysis.tree, document.offsetAt(new vscode.Position(line, 0)))
  const found = analysis.requests.find((request) => request.section === section)
  if (found === undefined) throw new Error("There is no request on this line: choose one below a ### line with a call.")
  return { document, requests: [found.index] }
}

/** The editor in front, when it shows requests. */
export const activeEditor = (): vscode.TextEditor => {
  const editor = vscode.window.activeTextEditor
  if (editor === undefined || !isRpc(editor.document)) throw new Error("Open an .rpc file first.")
  return editor
}

export const isResultTarget = (value: unknown): value is ResultTarget =>
  typeof value === "object" && value !== null && "result" in value && typeof value.result === "number"

export const isRequestTarget = (value: unknown): value is RequestTarget =>
  typeof value === "object" &&
  value !== null &&
  "uri" in value &&
  typeof value.uri === "string" &&
  "request" in value &&
  typeof value.request === "number"

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
