/** Offers to replace a name that is misspelt in `rpc.config.json` by the one that its message names. */
import * as vscode from "vscode"

export const provideConfigRepairs = (): vscode.Disposable =>
  vscode.languages.registerCodeActionsProvider(
    { pattern: "**/rpc.config.json" },
    {
      provideCodeActions: (document, _range, { diagnostics }) =>
        diagnostics.flatMap((diagnostic) => repairOf(document, diagnostic) ?? []),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  )

const repairOf = (document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction | undefined => {
  const meant = diagnostic.source === "dotrpc" ? meantIn(diagnostic.message) : undefined
  // The text may have changed since it was marked.
  if (meant === undefined || !/^".*"$/.test(document.getText(diagnostic.range))) return undefined
  const action = new vscode.CodeAction(`Change to "${meant}"`, vscode.CodeActionKind.QuickFix)
  action.diagnostics = [diagnostic]
  action.isPreferred = true
  action.edit = new vscode.WorkspaceEdit()
  action.edit.replace(document.uri, diagnostic.range, JSON.stringify(meant))
  return action
}

/** The name at the end of `unknown plugin "emv"; did you mean "evm"?` */
const meantIn = (message: string): string | undefined => /did you mean "([^"]+)"\?$/.exec(message)?.[1]
