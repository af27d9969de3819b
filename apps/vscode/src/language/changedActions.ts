/** What the editor adds to the language server's actions: a secret that leaves a file is kept, and a new section is a cell of its own. */
import * as vscode from "vscode"
import type { TypedSecret } from "../project/Secrets.ts"
import { splitCell } from "@dotrpc/lang-service"
import { cellOf } from "../notebook/openNotebooks.ts"
import { addedCell } from "../project/Serializer.ts"

/** The action as it is, unless its only edit replaces a value by `{{$secret.NAME}}`. */
export const keepSecretAction = (
  action: vscode.CodeAction | vscode.Command,
  document: vscode.TextDocument,
): vscode.CodeAction | vscode.Command => {
  if (!("edit" in action) || action.edit === undefined) return action
  const [edit, ...others] = action.edit.get(document.uri)
  const name = /^\{\{\$secret\.(\w+)\}\}$/.exec(edit?.newText ?? "")?.[1]
  if (edit === undefined || name === undefined || others.length > 0) return action
  const value = document.getText(edit.range).replace(/^(["'])(.*)\1$/s, "$2")
  action.title = `Move to the secret store as ${name}`
  action.command = {
    title: action.title,
    command: "dotrpc.keepSecret",
    arguments: [{ name, value } satisfies TypedSecret],
  }
  return action
}

/** The action as it is, unless it adds a section to a cell: one edit of the text, as the protocol has it, cannot make cells. */
export const splitCellAction = (
  action: vscode.CodeAction | vscode.Command,
  document: vscode.TextDocument,
): vscode.CodeAction | vscode.Command => {
  const cell = cellOf(document)
  if (cell === undefined || !("edit" in action) || action.edit === undefined) return action
  const before = document.getText()
  const split = splitCell(edited(document, action.edit.get(document.uri)))
  if (split === undefined || split.added.length === splitCell(before)?.added.length) return action
  const edit = new vscode.WorkspaceEdit()
  for (const [uri, edits] of action.edit.entries()) if (uri.toString() !== document.uri.toString()) edit.set(uri, edits)
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(before.length)), split.value)
  const added = split.added.map(({ kind, value }) => addedCell(kind, value))
  edit.set(cell.notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, added)])
  action.edit = edit
  return action
}

/** Edits of one action refer to the text before all of them, and none overlaps another. */
const edited = (document: vscode.TextDocument, edits: ReadonlyArray<vscode.TextEdit>): string =>
  edits
    .toSorted((left, right) => right.range.start.compareTo(left.range.start))
    .reduce(
      (text, { newText, range }) =>
        text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end)),
      document.getText(),
    )
