/** One pane: a page of the editor that shows a request with its result, and takes the clicks of its user. */
import * as vscode from "vscode"

import { joinInTurns } from "../run/chunks.ts"
import { nextTurn, Visible } from "@dotrpc/spec"
import { compareRuns } from "./compareRuns.ts"
import type { DiffKind, PaneMessage, PaneRequest } from "./PaneMessage.ts"
import type { PaneRequestEntry, PaneRequests } from "./PaneRequests.ts"
import type { PaneRun } from "./PaneRun.ts"
import type { KeptNames } from "../names/KeptNames.ts"
import type { KeptColumns } from "../results/KeptColumns.ts"
import { resultCommands } from "../results/ResultPayload.ts"
import { savedWords } from "../results/summary.ts"
import { savePicture } from "../results/savePicture.ts"
import { showError } from "../Shown.ts"

/** What a pane cannot do by itself. */
export interface PaneActions {
  /** Runs the command on the request of the pane. */
  readonly run: (command: string, entry: PaneRequestEntry) => Promise<void>
  readonly beside: (key: string) => void
  readonly stop: (entry: PaneRequestEntry) => void
  readonly open: (entry: PaneRequestEntry) => Promise<void>
  readonly compare: (entry: PaneRequestEntry, before: PaneRun, after: PaneRun) => Promise<void>
}

/** As much of a view or an editor of the editor as a pane needs. */
export interface PanePlace {
  readonly webview: vscode.Webview
  /** Names the pane after its request. */
  readonly setTitle: (label: string) => void
  readonly isVisible: () => boolean
  /** It shows one request, and lists no others. */
  readonly isBeside: boolean
}

/** What all panes share. */
export interface ResultPaneParts {
  readonly actions: PaneActions
  readonly columns: KeptColumns
  readonly names: KeptNames
  readonly requests: PaneRequests
}

export class ResultPane implements vscode.Disposable {
  readonly #place: PanePlace
  readonly #requests: PaneRequests
  readonly #actions: PaneActions
  readonly #columns: KeptColumns
  readonly #names: KeptNames
  readonly #subscriptions: ReadonlyArray<vscode.Disposable>
  #key: string | undefined
  #pinned: PaneRun | undefined
  /** The content of the page, so that it is not rendered again without a change. */
  #shown = ""
  #isStarted = false

  /** @param key of the request to show; without it, the latest */
  constructor(place: PanePlace, root: vscode.Uri, parts: ResultPaneParts, key?: string) {
    const { actions, columns, names, requests } = parts
    this.#place = place
    this.#requests = requests
    this.#actions = actions
    this.#columns = columns
    this.#names = names
    this.#key = key
    const { webview } = place
    webview.options = { enableScripts: true, localResourceRoots: [root] }
    this.#subscriptions = [
      webview.onDidReceiveMessage((message: PaneRequest) => void this.#receive(message).catch(showError)),
      requests.onDidChange(() => this.#draw()),
      columns.onDidChange((message) => this.#send(message)),
      names.onDidChange((message) => this.#send(message)),
    ]
    webview.html = page(webview, vscode.Uri.joinPath(root, "renderer.js"))
  }

  get isPinned(): boolean {
    return this.#pinned !== undefined
  }

  get isVisible(): boolean {
    return this.#place.isVisible()
  }

  /** Shows a request, also in a pane that is pinned to another, and stays with its last result if that is pinned. */
  show(key: string, isPinned = false): void {
    if (key !== this.#key) this.#pinned = undefined
    this.#key = key
    if (isPinned) this.#pinned = this.#entry?.run
    this.#draw()
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  get #entry(): PaneRequestEntry | undefined {
    const { all } = this.#requests
    const wanted = this.#key === undefined ? undefined : this.#requests.now(this.#key)
    return all.find(({ key }) => key === wanted) ?? (this.#place.isBeside ? undefined : all[0])
  }

  #draw(): void {
    if (!this.#isStarted) return
    const entry = this.#entry
    if (entry === undefined) {
      if (this.#shown !== "") this.#send({ kind: "nothing" })
      this.#shown = ""
      return
    }
    const { isBeside } = this.#place
    const { run } = entry
    const others = this.#others(entry).map((other) => ({
      id: other.id,
      title: `${other === this.#pinned ? "pinned, " : ""}${timeOf(other)} · ${other.payload.summary}`,
    }))
    const content = {
      key: entry.key,
      activity: entry.result?.activity,
      pinned: this.#pinned !== undefined,
      others,
      kept: entry.isKept ? savedWords(run.at) : undefined,
      requests: isBeside ? [] : this.#requests.all.slice(0, mostListed).map(({ key, label }) => ({ key, label })),
      isBeside,
    }
    const now = JSON.stringify([run.id, content])
    if (now === this.#shown) return
    this.#shown = now
    this.#place.setTitle(Visible.oneLine(entry.label))
    const { network } = run.report?.request ?? {}
    if (run.payload.names !== undefined && network !== undefined) this.#send(this.#names.message(network))
    this.#send({ kind: "content", content: { ...content, payload: run.payload, timeline: run.timeline } })
  }

  /** Results to compare with, the pinned one first. */
  #others({ earlier, run }: PaneRequestEntry): ReadonlyArray<PaneRun> {
    return [...new Set([...(this.#pinned === undefined ? [] : [this.#pinned]), ...earlier])].filter(
      (other) => other !== run,
    )
  }

  #send(message: PaneMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is a page of the editor, not a window.
    void this.#place.webview.postMessage(message)
  }

  async #receive(message: PaneRequest): Promise<void> {
    if (message.kind === "started") {
      this.#isStarted = true
      this.#shown = "?"
      this.#key ??= message.key
      this.#send(this.#columns.all())
      return this.#draw()
    }
    if (message.kind === "columns") return this.#columns.take(message)
    const entry = this.#entry
    if (entry === undefined) return
    const { run } = entry
    switch (message.kind) {
      case "rows":
        return this.#send(
          message.id === run.id
            ? run.rows(message.from)
            : { kind: "rows", id: message.id, from: message.from, columns: [], rows: [] },
        )
      case "json":
        return this.#sendJson(run)
      case "diff":
        return this.#sendDiff(
          run,
          this.#others(entry).find(({ id }) => id === message.other),
          message.as,
        )
      case "compare": {
        const other = this.#others(entry).find(({ id }) => id === message.other)
        return other === undefined ? undefined : this.#actions.compare(entry, other, run)
      }
      case "choose":
        return this.show(message.key)
      case "pin":
        this.#pinned = this.#pinned === undefined ? run : undefined
        return this.#draw()
      case "beside":
        return this.#actions.beside(entry.key)
      case "stop":
        return this.#actions.stop(entry)
      case "copy":
        return vscode.env.clipboard.writeText(message.text)
      case "open":
        return this.#actions.open(entry)
      case "picture":
        return savePicture(message, vscode.Uri.parse(entry.uri))
      case "ready":
        return undefined
      default:
        return this.#actions.run(paneCommands[message.kind], entry)
    }
  }

  async #sendJson({ id, json }: PaneRun): Promise<void> {
    let text = ""
    for (const piece of json?.() ?? []) {
      text += piece
      if (text.length > longestJson) break
      await nextTurn()
    }
    const isWhole = text.length <= longestJson
    this.#send({ kind: "json", id, text: isWhole ? text : text.slice(0, longestJson), isWhole })
  }

  async #sendDiff(run: PaneRun, other: PaneRun | undefined, asked: DiffKind): Promise<void> {
    if (other === undefined) return
    this.#send({ kind: "diff", id: run.id, other: other.id, asked, ...(await compareRuns(other, run, asked)) })
  }
}

const paneCommands = {
  ...resultCommands,
  curl: "dotrpc.copyAsCurl",
  export: "dotrpc.exportResult",
  run: "dotrpc.run",
} as const

/** The most requests that a pane lists. */
const mostListed = 50
/** The most characters of JSON that a page shows; the full result has all of them. */
const longestJson = 200_000
/** The whole JSON text of a result. */
export const wholeJson = ({ json }: PaneRun): Promise<string> => joinInTurns(json?.() ?? [])

export const timeOf = ({ at }: PaneRun): string => new Date(at).toLocaleTimeString()

/** The page loads its script and nothing else, and sends nothing anywhere. */
const page = (webview: vscode.Webview, script: vscode.Uri): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; script-src ${webview.cspSource}; style-src ${webview.cspSource} 'unsafe-inline'; img-src data:">
</head>
<body>
  <script type="module" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>
`
