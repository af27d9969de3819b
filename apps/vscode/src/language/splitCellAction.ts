/** Makes cells of the sections that an action would write into one. */
import { splitCell } from "@dotrpc/lang-service"
import * as vscode from "vscode"

import { cellOf } from "../notebook/cellOf.ts"
import { addedCell } from "../project/Serializer.ts"

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
