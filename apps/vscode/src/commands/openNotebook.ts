/** Changes between the two views of a file of requests. */
import * as vscode from "vscode"

import { checkNotebook } from "../notebook/Serializer.ts"
import { notebookType } from "../notebook/notebookType.ts"
import { activeEditor } from "./Target.ts"

/** `target` is the file of a menu; without it the editor in front is meant. */
export const openNotebook = async (target: unknown): Promise<void> => {
  const uri = target instanceof vscode.Uri ? target : activeEditor().document.uri
  if (uri.scheme === "untitled") throw new Error("Save the file first: a notebook is a view of a file.")
  await checkNotebook(uri)
  await vscode.commands.executeCommand("vscode.openWith", uri, notebookType)
}

export const openText = async (): Promise<void> => {
  const notebook = vscode.window.activeNotebookEditor?.notebook
  if (notebook?.notebookType !== notebookType) throw new Error("Open an .rpc file as a notebook first.")
  await vscode.commands.executeCommand("vscode.openWith", notebook.uri, "default")
}
