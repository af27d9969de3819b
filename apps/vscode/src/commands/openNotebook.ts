/** Changes between the two views of a file of requests. */
import * as vscode from "vscode"

import { assembleNotebook, cellsIn, checkNotebook } from "../project/Serializer.ts"
import { notebookType } from "../project/notebookType.ts"
import { activeEditor } from "./Target.ts"

/** What is not saved becomes an unsaved change of the text, so that it is neither lost nor written; undo takes it back. */
const moveChanges = async (notebook: vscode.NotebookDocument): Promise<void> => {
  const document = await vscode.workspace.openTextDocument(notebook.uri)
  if (document.isDirty)
    throw new Error("The file has unsaved changes in both views: save or undo those of one of them first.")
  const edit = new vscode.WorkspaceEdit()
  const end = document.lineAt(document.lineCount - 1).range.end
  edit.replace(
    notebook.uri,
    new vscode.Range(new vscode.Position(0, 0), end),
    withoutMark(assembleNotebook(notebook).text),
  )
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error("The changes of the notebook cannot be moved: save it first.")
  // The command closes whatever is in front, and somebody may have turned to another file by now.
  if (vscode.window.activeNotebookEditor?.notebook !== notebook) await vscode.window.showNotebookDocument(notebook)
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor")
}

/** The other way round: the notebook is read from the file, and what is not saved is in none of its cells. */
const moveText = async (document: vscode.TextDocument, hasMark: boolean): Promise<void> => {
  const { uri } = document
  const notebook = await vscode.workspace.openNotebookDocument(uri)
  if (notebook.isDirty)
    throw new Error("The file has unsaved changes in both views: save or undo those of one of them first.")
  const cells = await cellsIn(`${hasMark ? mark : ""}${document.getText()}`)
  const edit = new vscode.WorkspaceEdit()
  const all = new vscode.NotebookRange(0, notebook.cellCount)
  edit.set(uri, [vscode.NotebookEdit.replaceCells(all, [...cells])])
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error("The changes of the text cannot be moved: save the file first.")
  await vscode.window.showTextDocument(document)
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor")
}

/** `target` is the file of a menu; without it the editor in front is meant. */
export const openNotebook = async (target: unknown): Promise<void> => {
  const uri = target instanceof vscode.Uri ? target : activeEditor().document.uri
  if (uri.scheme === "untitled") throw new Error("Save the file first: a notebook is a view of a file.")
  const { hasMark } = await checkNotebook(uri)
  const text = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())
  if (text?.isDirty === true) await moveText(text, hasMark)
  await vscode.commands.executeCommand("vscode.openWith", uri, notebookType)
}

export const openText = async (): Promise<void> => {
  const notebook = vscode.window.activeNotebookEditor?.notebook
  if (notebook?.notebookType !== notebookType) throw new Error("Open an .rpc file as a notebook first.")
  if (notebook.isDirty) await moveChanges(notebook)
  await vscode.commands.executeCommand("vscode.openWith", notebook.uri, "default")
}

/** A byte order mark is a character of the notebook's first cell, and belongs to the encoding of the text. */
const mark = "\uFEFF"

const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(mark.length) : text)
