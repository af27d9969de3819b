/** Shows one of everything that the workbench's verbs act on: a lens, a decoration, a thread, a question. */
import * as vscode from "vscode"

/** What the bundle was made for; replaced when it is bundled. */
declare const madeFor: string

export function activate(context: vscode.ExtensionContext): string {
  const decoration = vscode.window.createTextEditorDecorationType({})
  const comments = vscode.comments.createCommentController("probe", "Probe")
  const show = (): void => {
    const editor = vscode.window.activeTextEditor
    if (editor === undefined) throw new Error("Open a file first.")
    const end = editor.document.lineAt(0).range.end
    const contentText = `  seen by the ${madeFor} host`
    editor.setDecorations(decoration, [
      { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } },
    ])
    const body = new vscode.MarkdownString("| key | value |\n| --- | --- |\n| answer | 42 |")
    const comment = { body, mode: vscode.CommentMode.Preview, author: { name: "probe" } }
    const thread = comments.createCommentThread(editor.document.uri, new vscode.Range(1, 0, 1, 0), [comment])
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded
  }
  context.subscriptions.push(
    decoration,
    comments,
    vscode.commands.registerCommand("probe.show", show),
    vscode.commands.registerCommand("probe.ask", ask),
    vscode.languages.registerCodeLensProvider({ language: "json" }, { provideCodeLenses: lenses }),
  )
  return madeFor
}

async function ask(): Promise<void> {
  const colour = await vscode.window.showQuickPick(["amber", "blue"])
  const word = await vscode.window.showInputBox({ password: true })
  await vscode.window.showInformationMessage(`${colour} and ${word}`)
}

function lenses(): Array<vscode.CodeLens> {
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: "Show it", command: "probe.show" })]
}
