/** Offers the repair that a problem comes with. */
import { diagnostics } from "@dotrpc/lang-service"
import * as vscode from "vscode"

import type { Analyses } from "./Analyses.ts"
import { selector, toRange } from "./ranges.ts"

export const provideQuickFixes = (analyses: Analyses): vscode.Disposable =>
  vscode.languages.registerCodeActionsProvider(
    selector,
    { provideCodeActions: (document, range, context) => fixesAt(document, range, context, analyses) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  )

const fixesAt = (
  document: vscode.TextDocument,
  range: vscode.Range,
  context: vscode.CodeActionContext,
  analyses: Analyses,
): Array<vscode.CodeAction> => {
  const { analysis, lines } = analyses.of(document)
  return diagnostics(analysis, lines).flatMap((problem) => {
    const place = toRange(problem.range)
    if (problem.fix === undefined || place.intersection(range) === undefined) return []
    const action = new vscode.CodeAction(problem.fix.title, vscode.CodeActionKind.QuickFix)
    action.isPreferred = true
    action.diagnostics = context.diagnostics.filter(({ code, range }) => code === problem.code && range.isEqual(place))
    action.edit = new vscode.WorkspaceEdit()
    for (const edit of problem.fix.edits) action.edit.replace(document.uri, toRange(edit.range), edit.text)
    return [action]
  })
}
