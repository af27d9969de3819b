/**
 * Shows what came back below each request, as a comment that cannot be answered.
 *
 * The editor reads the text of a comment to a screen reader as its label, with all Markdown and the URL of every link, and
 * takes it when it first draws the comment. So each comment is drawn with a sentence first, and gets its Markdown afterwards.
 * When it has drawn one it does not say. But before an editor that comes into view draws its comments, it asks where comments
 * may be written, and waits for the answer; and what it is sent, it works off in order.
 *
 * Limit: it waits for the comments of other extensions too. One that answers late lets it draw the Markdown first.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import { type Table, Visible } from "@dotrpc/spec"
import * as vscode from "vscode"
import { permitFor } from "../credits/Permit.ts"
import type { Analyses } from "../project/Analyses.ts"
import { cameBack, resumptionOf } from "./cameBack.ts"
import { type Repair, repairsFor } from "./repairs.ts"
import { growingMarkdown, keptMarkdown, type ResultLink, resultMarkdown } from "./resultMarkdown.ts"
import type { ResultPayload } from "./ResultPayload.ts"
import type { RequestResult, Results, ResultTarget } from "./Results.ts"
import { headingOf, isGoodResult, savedWords, spokenWords, spokenWordsOfKept } from "./summary.ts"

export const provideThreads = (analyses: Analyses, results: Results): vscode.Disposable => {
  const threads = new Map<number, ShownThread>()
  const edited = new WeakSet<vscode.TextDocument>()
  let controller: vscode.CommentController | undefined

  const show = (uri: vscode.Uri) => {
    const kept = results.of(uri).filter((result) => result.place !== undefined && isShown(result))
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
      controller ??= openController(edited, speakIn)
      const thread = threads.get(result.id) ?? new ShownThread(controller, uri, (result) => repairsOf(analyses, result))
      threads.set(result.id, thread)
      thread.show(result)
    }
  }
  const speakIn = async (uri: string) => {
    await Promise.all([...threads.values()].filter((thread) => thread.uri === uri).map((thread) => thread.say()))
  }
  return vscode.Disposable.from(
    results.onDidChange(show),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("dotrpc.results")) return
      for (const uri of new Map(results.all.map(({ uri }) => [uri.toString(), uri])).values()) show(uri)
    }),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document } }) => {
      if (results.of(document.uri).some(({ folded }) => folded)) show(document.uri)
    }),
    vscode.workspace.onDidChangeTextDocument(({ contentChanges, document }) => {
      const isInView = vscode.window.visibleTextEditors.some((editor) => editor.document === document)
      if (contentChanges.length > 0 && isInView) edited.add(document)
    }),
    new vscode.Disposable(() => {
      for (const thread of threads.values()) thread.dispose()
      controller?.dispose()
    }),
  )
}

/**
 * @param edited documents that were edited in a view since the editor asked for them
 * @param speak called before an editor draws the comments of a document, which it does when this has ended
 */
const openController = (
  edited: WeakSet<vscode.TextDocument>,
  speak: (uri: string) => Promise<void>,
): vscode.CommentController => {
  const controller = vscode.comments.createCommentController("dotrpc.results", "dotrpc results")
  controller.commentingRangeProvider = {
    provideCommentingRanges: async (document) => {
      // It asks while people type as well, and draws nothing then.
      if (!edited.delete(document)) await speak(document.uri.toString())
      return undefined
    },
  }
  return controller
}

/** Rows are in the pane unless they are wanted here; what a person has to mend is here in any case. */
const isShown = ({ kept, report, soFar }: RequestResult): boolean =>
  resultsPlace() === "thread"
    ? report !== undefined || kept !== undefined || soFar !== undefined
    : (report ?? kept?.payload)?.error !== undefined

/** Where rows are, as the user wants it. */
export const resultsPlace = (): "pane" | "thread" =>
  vscode.workspace.getConfiguration("dotrpc").get("results") === "thread" ? "thread" : "pane"

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
  /** What it shows: a report, or what an earlier window kept. */
  #content: RequestResult["report"] | RequestResult["kept"]
  #line = -1
  #grewAt = 0
  /** The same object as long as it is the same comment to the editor, which keeps its label then. */
  #comment: vscode.Comment | undefined
  #spoken = ""
  #body: vscode.MarkdownString | undefined
  /** Counts sentences: only the last one is followed by what it stands for. */
  #turn = 0
  /** Whether it shows the Markdown. */
  #isTold = false
  #growing: ReturnType<typeof setTimeout> | undefined

  constructor(controller: vscode.CommentController, uri: vscode.Uri, repairs: FindRepairs) {
    this.#controller = controller
    this.#repairs = repairs
    this.#url = uri
    this.uri = uri.toString()
  }

  show(result: RequestResult): void {
    const { kept, place, report, soFar } = result
    if (place === undefined) return
    clearTimeout(this.#growing)
    const isGood = isGoodResult(result)
    // The editor folds a thread that is resolved, and what came back would be out of sight.
    if (isGood && this.#thread?.state === vscode.CommentThreadState.Unresolved) {
      this.#thread.dispose()
      this.#thread = undefined
    }
    const thread = (this.#thread ??= this.#open(place.lastLine))
    const label = headingOf(result.request?.label ?? "", result, result.stale)
    if (thread.label !== label) thread.label = label
    if (this.#line !== place.lastLine) thread.range = lineRange(place.lastLine)
    this.#line = place.lastLine
    if (soFar !== undefined) return this.#grow(thread, result, soFar)
    const content = report ?? kept
    if (content === undefined || this.#content === content) return
    this.#content = content
    const repairs = this.#repairs(result)
    this.#comment = commentOn(result)
    this.#spoken = report === undefined ? (kept === undefined ? "" : spokenWordsOfKept(kept)) : spokenWords(report)
    this.#body = bodyOf(result, "then" in repairs ? [] : repairs)
    void this.say()
    if ("then" in repairs) void repairs.then((found) => this.#addRepairs(result, content, found))
    // The editor draws what is not resolved in another colour.
    thread.state = isGood ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState
    thread.collapsibleState = result.folded ? Collapsed : Expanded
  }

  dispose(): void {
    this.#turn++
    clearTimeout(this.#growing)
    this.#thread?.dispose()
    this.#content = undefined
    this.#body = undefined
  }

  /** Shows the sentence, and what it stands for as soon as the editor has drawn it. Ends when the editor was sent the sentence. */
  say(): Promise<void> {
    const turn = ++this.#turn
    if (this.#body === undefined) return Promise.resolve()
    this.#isTold = false
    this.#set(this.#spoken)
    const sent = new Promise<void>((resolve) => setTimeout(resolve, sendingMillis))
    void this.#tell(turn, sent)
    return sent
  }

  async #tell(turn: number, sent: Promise<void>): Promise<void> {
    await sent
    await editorDrew()
    if (turn !== this.#turn) return
    this.#isTold = true
    this.#set(this.#body)
  }

  #set(body: vscode.Comment["body"] | undefined): void {
    if (this.#thread === undefined || this.#comment === undefined || body === undefined) return
    this.#comment.body = body
    this.#thread.comments = [this.#comment]
  }

  /** By then something else may be shown. */
  #addRepairs(
    result: RequestResult,
    content: RequestResult["report"] | RequestResult["kept"],
    repairs: ReadonlyArray<Repair>,
  ): void {
    if (this.#content !== content || repairs.length === 0) return
    this.#body = bodyOf(result, repairs)
    if (this.#isTold) this.#set(this.#body)
  }

  /** Pieces may come faster than they can be drawn or read; the last one is drawn in any case. */
  #grow(thread: vscode.CommentThread, result: RequestResult, soFar: Table.Table): void {
    const left = this.#grewAt + growingPauseMillis - Date.now()
    if (left > 0) {
      this.#growing = setTimeout(() => this.#grow(thread, result, soFar), left)
      return
    }
    this.#grewAt = Date.now()
    this.#content = undefined
    this.#body = undefined
    this.#turn++
    const body = new vscode.MarkdownString(growingMarkdown(soFar))
    thread.comments = [
      {
        body,
        mode: vscode.CommentMode.Preview,
        author: { name: Visible.oneLine(result.request === undefined ? "running" : callOf(result.request)) },
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

/**
 * The API sends changes of a thread 100 ms after the last one, so what is changed sooner is never drawn. Both timers run in
 * this process, and end in their order however busy it is.
 */
const sendingMillis = 150

/**
 * Whatever the editor was sent before is drawn. It works messages off in order: when it has answered the first one, it has
 * drawn the sentence or asked for what it draws with it; the answer to that reaches it before the second one.
 */
const editorDrew = async (): Promise<void> => {
  for (const times of [1, 2])
    await vscode.commands.executeCommand("setContext", "dotrpc.drawn", times).then(undefined, () => undefined)
}

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

const bodyOf = (result: RequestResult, repairs: ReadonlyArray<Repair>): vscode.MarkdownString => {
  const { kept, report } = result
  const links = linksOf(result, repairs)
  const text =
    report !== undefined ? resultMarkdown(report, links) : kept === undefined ? "" : keptMarkdown(kept, links)
  const body = new vscode.MarkdownString(text)
  body.isTrusted = { enabledCommands: linkCommands }
  // For the colour of what failed.
  body.supportHtml = true
  return body
}

/** Without its text. */
const commentOn = (result: RequestResult): vscode.Comment => {
  const author = { name: Visible.oneLine(sourceOf(result)), ...(isGoodResult(result) ? {} : { iconPath: failedIcon }) }
  return { body: "", mode: vscode.CommentMode.Preview, author }
}

const sourceOf = ({ kept, report }: RequestResult): string => {
  if (report !== undefined) return callOf(report.request)
  return kept === undefined ? "" : `${placeWords(kept.payload)} · ${savedWords(kept.at)}`
}

const callOf = ({ call, method, network, workspace: { environment } }: BoundRequest): string =>
  placeWords({ method: method?.name ?? call.method.text, network: network?.id, environment })

/** `eth_getLogs on main, environment staging` */
const placeWords = ({ environment, method, network }: Pick<ResultPayload, "environment" | "method" | "network">) =>
  [
    network === undefined ? method : `${method} on ${network}`,
    ...(environment === undefined ? [] : [`environment ${environment}`]),
  ].join(", ")

const linkCommands = [
  "dotrpc.allowOnce",
  "dotrpc.repair",
  "dotrpc.openRows",
  "dotrpc.pinResult",
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
  { id, kept, previous, report }: RequestResult,
  repairs: ReadonlyArray<Repair>,
): ReadonlyArray<ResultLink> => {
  const target: ResultTarget = { result: id }
  const link = (title: string, command: string): ResultLink => ({
    title,
    url: `command:${command}?${encodeURIComponent(JSON.stringify([target]))}`,
  })
  const ofResult = [
    link("Open rows", "dotrpc.openRows"),
    link("Pin", "dotrpc.pinResult"),
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
    ...((report === undefined ? kept?.json : cameBack(report)) === undefined ? [] : ofResult),
    link("Copy as curl", "dotrpc.copyAsCurl"),
    link("Run again", "dotrpc.run"),
  ]
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><circle cx="14" cy="14" r="11" fill="#d13438"/><path d="M10 10l8 8m0-8l-8 8" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>'

const failedIcon = vscode.Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`)
