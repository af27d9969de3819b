/** Tells the session of every document of the language, before anyone asks about it. Those that are open already are reported one by one. */
import * as vscode from "vscode"

import type { EditorTexts } from "../project/EditorTexts.ts"
import { isRpc } from "../project/ranges.ts"

export const followDocuments = (texts: EditorTexts): vscode.Disposable => {
  const read = (document: vscode.TextDocument): void => {
    if (isRpc(document)) texts.of(document)
  }
  // Reading a large one takes a moment, and all of them at once would take many.
  const turns = vscode.workspace.textDocuments.map((document, index) => setTimeout(() => read(document), index))
  return vscode.Disposable.from(
    { dispose: () => turns.forEach(clearTimeout) },
    vscode.workspace.onDidOpenTextDocument(read),
    vscode.workspace.onDidChangeTextDocument(({ document }) => read(document)),
    // A change of the language closes a document as well.
    vscode.workspace.onDidCloseTextDocument((document) => texts.close(document)),
  )
}
