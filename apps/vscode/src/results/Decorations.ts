/** Writes one line beside each call: what it is doing, or what came back. Nothing is written into the file. */
import * as vscode from "vscode"

import type { RequestResult, Results } from "./Results.ts"
import { isGoodReport, summaryLine } from "./summary.ts"
import { Price, Visible } from "@dotrpc/spec"

export const provideDecorations = (results: Results): vscode.Disposable => {
  const types = {
    good: decorationType("dotrpc.passedForeground"),
    bad: decorationType("editorError.foreground"),
    quiet: decorationType("descriptionForeground"),
  }
  const show = (editor: vscode.TextEditor) => {
    const lines = results.of(editor.document.uri).flatMap((result) => {
      const line = lineFor(result)
      return line === undefined || result.place === undefined ? [] : [{ ...line, at: result.place.callLine }]
    })
    for (const kind of kinds) {
      const options = lines
        .filter((line) => line.kind === kind)
        .map(({ at, text }): vscode.DecorationOptions => {
          const { end } = editor.document.lineAt(Math.min(at, editor.document.lineCount - 1)).range
          return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: text } } }
        })
      editor.setDecorations(types[kind], options)
    }
  }
  const showIn = (uri: vscode.Uri) => {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() === uri.toString()) show(editor)
    }
  }
  return vscode.Disposable.from(
    ...Object.values(types),
    results.onDidChange(showIn),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(show)),
  )
}

const kinds = ["good", "bad", "quiet"] as const

interface Line {
  readonly kind: (typeof kinds)[number]
  readonly text: string
}

const lineFor = (result: RequestResult): Line | undefined => {
  if (result.activity !== undefined) return { kind: "quiet", text: Visible.oneLine(`… ${result.activity}`) }
  if (result.cancelled !== undefined) return { kind: "quiet", text: cancelledWords(result.cancelled.credits) }
  if (result.report === undefined) return undefined
  const text = summaryLine(result.report)
  if (result.stale) return { kind: "quiet", text: `${text} · stale` }
  return { kind: isGoodReport(result.report) ? "good" : "bad", text }
}

/** A call that was sent is charged, whether or not anybody waits for its reply. */
const cancelledWords = (credits: number): string =>
  credits === 0 ? "cancelled" : `cancelled · ${Price.showCredits(credits)}`

const decorationType = (color: string): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor(color) },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  })
