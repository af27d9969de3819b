/**
 * Writes one line beside each call, what it is doing or what came back, and a mark beside each of its checks. Nothing is
 * written into the file, and only what is in view is drawn.
 */
import * as vscode from "vscode"

import { actualWords } from "./actualWords.ts"
import { keptCheck, type MarkedCheck } from "./resultMarkdown.ts"
import type { RequestResult, Results } from "./Results.ts"
import { isGoodResult, summaryLine, summaryPlace } from "./summary.ts"
import { excerpt } from "./text.ts"
import { Price, Visible } from "@dotrpc/spec"

export const provideDecorations = (results: Results): vscode.Disposable => {
  const types = {
    good: decorationType("dotrpc.passedForeground"),
    bad: decorationType("editorError.foreground"),
    quiet: decorationType("descriptionForeground"),
  }
  const failed = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor("editorError.foreground"),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
  })
  /** What each editor shows, so that what stays the same is not drawn again. */
  const shown = new WeakMap<vscode.TextEditor, string>()
  const show = (editor: vscode.TextEditor) => {
    const { document, visibleRanges } = editor
    const isSeen = (line: number) =>
      visibleRanges.some(({ start, end }) => start.line - margin <= line && line <= end.line + margin)
    const all = results
      .of(document.uri)
      .flatMap((result) => linesFor(result, document))
      .filter(({ at }) => at < document.lineCount)
    const lines = all.filter(({ at }) => isSeen(at))
    const bad = all.filter(({ kind }) => kind === "bad").map(({ at }) => at)
    const drawn = JSON.stringify([document.version, lines, bad])
    if (shown.get(editor) === drawn) return
    shown.set(editor, drawn)
    // All of them, however far away: the scrollbar shows where they are.
    editor.setDecorations(
      failed,
      bad.map((at) => new vscode.Range(at, 0, at, 0)),
    )
    for (const kind of kinds) {
      const options = lines
        .filter((line) => line.kind === kind)
        .map(({ at, text }): vscode.DecorationOptions => {
          const { end } = document.lineAt(at).range
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
    failed,
    results.onDidChange(showIn),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(show)),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => show(textEditor)),
  )
}

/** Lines above and below those in view that are drawn as well, so that scrolling shows no gaps. */
const margin = 60

const kinds = ["good", "bad", "quiet"] as const

interface Line {
  readonly kind: (typeof kinds)[number]
  readonly text: string
  /** The line of the document, from zero. */
  readonly at: number
}

/** The line of the call or the one above it, and those of its checks. */
const linesFor = (result: RequestResult, document: vscode.TextDocument): ReadonlyArray<Line> => {
  const { place } = result
  const line = lineFor(result)
  if (place === undefined || line === undefined) return []
  const { activity, kept, report, stale } = result
  const checks = activity !== undefined || stale ? [] : (report?.checks ?? kept?.payload.checks.map(keptCheck) ?? [])
  const marks = checks.flatMap((check, index) => {
    const at = place.checkLines[index]
    return at === undefined ? [] : [{ ...markFor(check), at }]
  })
  return [{ ...line, at: summaryPlace(place.callLine, (at) => document.lineAt(at).text) }, ...marks]
}

const markFor = (check: MarkedCheck): Omit<Line, "at"> => {
  if (check.ok) return { kind: "good", text: "✓" }
  if (check.skipped === true) return { kind: "quiet", text: "– not checked" }
  const why = check.problem ?? actualWords(check)
  const words = why === undefined ? "" : check.problem === undefined ? ` actual ${why}` : ` ${why}`
  return { kind: "bad", text: Visible.oneLine(excerpt(`✗${words}`, longestMark)) }
}

const longestMark = 100

const lineFor = (result: RequestResult): Omit<Line, "at"> | undefined => {
  if (result.activity !== undefined) return { kind: "quiet", text: Visible.oneLine(`… ${result.activity}`) }
  if (result.cancelled !== undefined) return { kind: "quiet", text: cancelledWords(result, result.cancelled.credits) }
  const { kept, report } = result
  if (report === undefined && kept === undefined) return undefined
  const text = report === undefined ? (kept?.payload.summary ?? "") : summaryLine(report)
  if (result.stale) return { kind: "quiet", text: `${text} · outdated` }
  return { kind: isGoodResult(result) ? "good" : "bad", text }
}

/** A call that was sent is charged, whether or not anybody waits for its reply. */
const cancelledWords = ({ request }: RequestResult, credits: number): string =>
  credits === 0 ? "cancelled" : `cancelled · ${Price.showCredits(credits, request?.network?.prices?.unit)}`

const decorationType = (color: string): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor(color) },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  })
