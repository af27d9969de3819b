/**
 * Shows what came back below each request, as a comment that cannot be answered.
 *
 * The editor reads the text of a comment to a screen reader as its label, with all Markdown and the URL of every link, and
 * takes it when it first draws the comment. So each comment is drawn with a sentence first, and gets its Markdown afterwards.
 */
import type { Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { ResultTarget } from "../commands/Target.ts"
import { permitFor } from "../credits/Permit.ts"
import type { Analyses } from "../language/Analyses.ts"
import { cameBack, resumptionOf } from "./cameBack.ts"
import { type Repair, repairsFor } from "./repairs.ts"
import { growingMarkdown, type ResultLink, resultMarkdown } from "./resultMarkdown.ts"
import type { RequestResult, Results } from "./Results.ts"
import { failedIcon } from "./failedIcon.ts"
import { headingOf, isGoodReport, spokenWords } from "./summary.ts"
import { Visible } from "@dotrpc/spec"

export const provideThreads = (analyses: Analyses, results: Results): vscode.Disposable => {
  const threads = new Map<number, ShownThread>()
  let controller: vscode.CommentController | undefined

  const show = (uri: vscode.Uri) => {
    const kept = results
      .of(uri)
      .filter(({ place, report, soFar }) => place !== undefined && (report !== undefined || soFar !== undefined))
    const ids = new Set(kept.map(({ id }) => id))
    const isSeen = seenIn(uri)
    // Of a run of many, threads are made as they come into view: each takes the window some time.
    const shown = kept.filter(({ folded, id, place }) => !folded || threads.has(id) || isSeen(place?.lastLine ?? 0))
    for (const [id, thread] of threads) {
      if (thread.uri !== uri.toString() || ids.has(id)) continue
      thread.dispose()
      threads.delete(id)
    }
    for (const result of shown) {
      // A controller adds a view to the window, so there is none before the first result.
      controller ??= vscode.comments.createCommentController("dotrpc.results", "dotrpc results")
      const thread = threads.get(result.id) ?? new ShownThread(controller, uri, (result) => repairsOf(analyses, result))
      threads.set(result.id, thread)
      thread.show(result)
    }
  }
  return vscode.Disposable.from(
    results.onDidChange(show),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document } }) => {
      if (results.of(document.uri).some(({ folded }) => folded)) show(document.uri)
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const thread of threads.values()) thread.setEditors(editorsOf(thread.uri, editors))
    }),
    new vscode.Disposable(() => {
      for (const thread of threads.values()) thread.dispose()
      controller?.dispose()
    }),
  )
}

const editorsOf = (
  uri: string,
  editors: ReadonlyArray<vscode.TextEditor> = vscode.window.visibleTextEditors,
): ReadonlySet<vscode.TextEditor> => new Set(editors.filter(({ document }) => document.uri.toString() === uri))

/** Whether a line of a document is in view, or nearly. */
const seenIn = (uri: vscode.Uri): ((line: number) => boolean) => {
  const ranges = vscode.window.visibleTextEditors
    .filter(({ document }) => document.uri.toString() === uri.toString())
    .flatMap(({ visibleRanges }) => visibleRanges)
  return (line) => ranges.some(({ start, end }) => start.line - margin <= line && line <= end.line + margin)
}

const margin = 20

/** A thread, and what it shows: the editor redraws whatever is set, so only what differs is. */
class ShownThread {
  readonly uri: string
  readonly #controller: vscode.CommentController
  readonly #url: vscode.Uri
  readonly #repairs: FindRepairs
  #thread: vscode.CommentThread | undefined
  #report: RequestResult["report"]
  #line = -1
  #grewAt = 0
  /** The same object as long as it is the same comment to the editor, which keeps its label then. */
  #comment: vscode.Comment | undefined
  #spoken = ""
  #body: vscode.MarkdownString | undefined
  #telling: ReturnType<typeof setTimeout> | undefined
  #repeating: ReturnType<typeof setTimeout> | undefined
  #growing: ReturnType<typeof setTimeout> | undefined
  /** The editors in view that show its file. */
  #editors: ReadonlySet<vscode.TextEditor>

  constructor(controller: vscode.CommentController, uri: vscode.Uri, repairs: FindRepairs) {
    this.#controller = controller
    this.#repairs = repairs
    this.#url = uri
    this.uri = uri.toString()
    this.#editors = editorsOf(this.uri)
  }

  show(result: RequestResult): void {
    const { place, report, soFar } = result
    if (place === undefined) return
    clearTimeout(this.#growing)
    const isGood = report !== undefined && isGoodReport(report)
    // The editor folds a thread that is resolved, and what came back would be out of sight.
    if (isGood && this.#thread?.state === vscode.CommentThreadState.Unresolved) {
      this.#thread.dispose()
      this.#thread = undefined
    }
    const thread = (this.#thread ??= this.#open(place.lastLine))
    const label = headingOf(result.request?.label ?? "", report, result.stale)
    if (thread.label !== label) thread.label = label
    if (this.#line !== place.lastLine) thread.range = lineRange(place.lastLine)
    this.#line = place.lastLine
    if (soFar !== undefined) return this.#grow(thread, result, soFar)
    if (report === undefined || this.#report === report) return
    this.#report = report
    const repairs = this.#repairs(result)
    this.#comment = commentOn(report)
    this.#spoken = spokenWords(report)
    this.#body = bodyOf(result, report, "then" in repairs ? [] : repairs)
    this.#say()
    if ("then" in repairs) void repairs.then((found) => this.#addRepairs(result, report, found))
    // The editor draws what is not resolved in another colour.
    thread.state = isGood ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState
    thread.collapsibleState = result.folded ? Collapsed : Expanded
  }

  /** The editor draws the comments again when their file comes back into view, and takes their labels again. */
  setEditors(editors: ReadonlySet<vscode.TextEditor>): void {
    const before = this.#editors
    this.#editors = editors
    const isDrawn = [...editors].some((editor) => !before.has(editor))
    if (!isDrawn && editors.size > 0 === before.size > 0) return
    if (!isDrawn || before.size === 0) return this.#say()
    this.#sayAgain()
    // An editor that is drawn late takes the Markdown for its label.
    clearTimeout(this.#repeating)
    this.#repeating = setTimeout(() => this.#sayAgain(), lateMillis)
  }

  get #isSeen(): boolean {
    return this.#editors.size > 0
  }

  dispose(): void {
    clearTimeout(this.#telling)
    clearTimeout(this.#repeating)
    clearTimeout(this.#growing)
    this.#thread?.dispose()
    this.#report = undefined
    this.#body = undefined
  }

  /** The sentence, and what it stands for as soon as the editor has drawn it. */
  #say(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    if (this.#body === undefined) return
    this.#set(this.#spoken)
    if (!this.#isSeen) return
    this.#telling = setTimeout(() => {
      this.#telling = undefined
      this.#set(this.#body)
    }, spokenMillis)
  }

  /** What another editor has drawn beside this one is its Markdown: as another comment it is drawn again. */
  #sayAgain(): void {
    if (this.#comment !== undefined) this.#comment = { ...this.#comment }
    this.#say()
  }

  #set(body: vscode.Comment["body"] | undefined): void {
    if (this.#thread === undefined || this.#comment === undefined || body === undefined) return
    this.#comment.body = body
    this.#thread.comments = [this.#comment]
  }

  /** By then something else may be shown. */
  #addRepairs(
    result: RequestResult,
    report: NonNullable<RequestResult["report"]>,
    repairs: ReadonlyArray<Repair>,
  ): void {
    if (this.#report !== report || repairs.length === 0) return
    this.#body = bodyOf(result, report, repairs)
    if (this.#telling === undefined && this.#isSeen) this.#set(this.#body)
  }

  /** Pieces may come faster than they can be drawn or read; the last one is drawn in any case. */
  #grow(thread: vscode.CommentThread, result: RequestResult, soFar: Table.Table): void {
    const left = this.#grewAt + growingPauseMillis - Date.now()
    if (left > 0) {
      this.#growing = setTimeout(() => this.#grow(thread, result, soFar), left)
      return
    }
    this.#grewAt = Date.now()
    this.#report = undefined
    this.#body = undefined
    clearTimeout(this.#telling)
    const body = new vscode.MarkdownString(growingMarkdown(soFar))
    thread.comments = [
      {
        body,
        mode: vscode.CommentMode.Preview,
        author: { name: Visible.oneLine(result.request?.method?.name ?? "running") },
      },
    ]
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded
  }

  /** It is opened empty: a thread that comes with comments brings the Comments view to the front. */
  #open(line: number): vscode.CommentThread {
    const thread = this.#controller.createCommentThread(this.#url, lineRange(line), [])
    this.#line = line
    thread.canReply = false
    return thread
  }
}

const growingPauseMillis = 250

/** The editor takes changes of a thread every 100 ms: what changes sooner is never drawn. */
const spokenMillis = 150

/** A busy editor has drawn the threads of another view by then. */
const lateMillis = 1_500

const lineRange = (line: number): vscode.Range => new vscode.Range(line, 0, line, 0)

/** At once where the document is analysed, else when it is. */
type FindRepairs = (result: RequestResult) => ReadonlyArray<Repair> | Promise<ReadonlyArray<Repair>>

const repairsOf = (analyses: Analyses, { uri, report }: RequestResult): ReturnType<FindRepairs> => {
  const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString())
  if (document === undefined || report?.error === undefined || analyses.refused(document) !== undefined) return []
  const known = analyses.current(document)
  return known === undefined
    ? analyses.loaded(document).then((loaded) => repairsFor(loaded, report))
    : repairsFor(known, report)
}

const bodyOf = (
  result: RequestResult,
  report: NonNullable<RequestResult["report"]>,
  repairs: ReadonlyArray<Repair>,
): vscode.MarkdownString => {
  const body = new vscode.MarkdownString(resultMarkdown(report, linksOf(result, repairs)))
  body.isTrusted = { enabledCommands: linkCommands }
  // For the colour of what failed.
  body.supportHtml = true
  return body
}

/** Without its text. */
const commentOn = (report: NonNullable<RequestResult["report"]>): vscode.Comment => {
  const { request } = report
  const method = request.method?.name ?? request.call.method.text
  const { environment } = request.workspace
  const place = request.network === undefined ? method : `${method} on ${request.network.id}`
  const name = environment === undefined ? place : `${place}, environment ${environment}`
  const author = { name: Visible.oneLine(name), ...(isGoodReport(report) ? {} : { iconPath: failedIcon }) }
  return { body: "", mode: vscode.CommentMode.Preview, author }
}

const linkCommands = [
  "dotrpc.allowOnce",
  "dotrpc.repair",
  "dotrpc.openRows",
  "dotrpc.openResult",
  "dotrpc.copyResult",
  "dotrpc.saveResult",
  "dotrpc.compareResult",
  "dotrpc.compareNetworks",
  "dotrpc.compareSnapshot",
  "dotrpc.updateSnapshot",
  "dotrpc.copyAsCurl",
  "dotrpc.resume",
  "dotrpc.run",
]

const linksOf = (
  { id, report, previous }: RequestResult,
  repairs: ReadonlyArray<Repair>,
): ReadonlyArray<ResultLink> => {
  const target: ResultTarget = { result: id }
  const link = (title: string, command: string): ResultLink => ({
    title,
    url: `command:${command}?${encodeURIComponent(JSON.stringify([target]))}`,
  })
  const ofResult = [
    link("Open rows", "dotrpc.openRows"),
    link("Open full result", "dotrpc.openResult"),
    link("Copy", "dotrpc.copyResult"),
    link("Save as…", "dotrpc.saveResult"),
    ...(previous === undefined ? [] : [link("Compare with previous run", "dotrpc.compareResult")]),
  ]
  return [
    ...repairs.slice(0, 1).map(({ title }) => link(title, "dotrpc.repair")),
    ...(report === undefined || resumptionOf(report) === undefined ? [] : [link("Resume", "dotrpc.resume")]),
    ...(report === undefined || permitFor(report) === undefined ? [] : [link("Allow once", "dotrpc.allowOnce")]),
    ...(report?.compare?.equal === false ? [link("Compare networks", "dotrpc.compareNetworks")] : []),
    ...(report?.checks.some(({ differences }) => differences !== undefined) === true
      ? [link("Compare with snapshot", "dotrpc.compareSnapshot"), link("Update snapshot", "dotrpc.updateSnapshot")]
      : []),
    ...(report === undefined || cameBack(report) === undefined ? [] : ofResult),
    link("Copy as curl", "dotrpc.copyAsCurl"),
    link("Run again", "dotrpc.run"),
  ]
}
