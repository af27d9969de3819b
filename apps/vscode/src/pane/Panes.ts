/** The result pane in the panel, those beside the editors, and the results that are kept for the next window. */
import { Redaction, Visible } from "@dotrpc/spec"
import { inSlices } from "@dotrpc/analysis"
import * as vscode from "vscode"

import { filesIn } from "../history/HistoryFiles.ts"
import { runIdOf } from "../history/recordRuns.ts"
import { findingSecrets, secretsOf } from "../history/withoutSecrets.ts"
import type { Analyses } from "../project/Analyses.ts"
import type { KeptNames } from "../names/KeptNames.ts"
import type { KeptColumns } from "../results/KeptColumns.ts"
import type { ResultDocument } from "../results/ResultDocument.ts"
import type { RequestResult, Results } from "../results/Results.ts"
import { resultOf } from "../results/saveResult.ts"
import type { FinishedRequest, Runs } from "../run/Runs.ts"
import { resultsPlace } from "../results/Threads.ts"
import { type Log, plain } from "../Shown.ts"
import { keptText } from "./KeptResult.ts"
import { KeptResults } from "./KeptResults.ts"
import { type PaneRequestEntry, PaneRequests } from "./PaneRequests.ts"
import { runOfReport } from "./PaneRun.ts"
import { type PaneActions, ResultPane, type ResultPaneParts, timeOf, wholeJson } from "./ResultPane.ts"

export interface PaneParts {
  readonly analyses: Analyses
  readonly columns: KeptColumns
  readonly context: vscode.ExtensionContext
  readonly log: Log
  readonly names: KeptNames
  readonly resultDocument: ResultDocument
  readonly results: Results
  readonly runs: Runs
}

/** The view of the panel; the manifest names it too. Its tab is there once there is a result. */
const viewId = "dotrpc.result"

/** In the workspace: whether the view was in sight last. */
const seenKey = "dotrpc.resultSeen"

export class Panes implements vscode.Disposable {
  readonly #parts: PaneParts
  readonly #root: vscode.Uri
  readonly #requests: PaneRequests
  readonly #kept: KeptResults
  readonly #beside = new Map<string, { readonly pane: ResultPane; readonly panel: vscode.WebviewPanel }>()
  readonly #subscription: vscode.Disposable
  /** The view, once it has been opened. */
  #view: { readonly pane: ResultPane; readonly view: vscode.WebviewView } | undefined
  #wanted: string | undefined
  /** Whether it is to be pinned as soon as the view is there. */
  #isPinned = false
  #isOffered = false

  constructor(parts: PaneParts) {
    const { context, results, runs } = parts
    this.#parts = parts
    this.#root = vscode.Uri.joinPath(context.extensionUri, "dist")
    this.#requests = new PaneRequests(results)
    this.#kept = new KeptResults(
      filesIn(vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, "results")),
    )
    this.#subscription = vscode.Disposable.from(
      this.#requests,
      results.onDidFinish((result) => this.#follow(result)),
      results.onDidMove((moved) => void this.#kept.move(moved).catch(() => undefined)),
      runs.onDidFinish((finished) => {
        this.#keep(finished).catch((error: unknown) => parts.log.error(`The result was not kept: ${String(error)}`))
      }),
      vscode.window.registerWebviewViewProvider(viewId, { resolveWebviewView: (view) => this.#resolve(view) }),
      vscode.window.registerWebviewPanelSerializer(viewId, {
        deserializeWebviewPanel: async (panel, state) => this.#adopt(panel, keyIn(state)),
      }),
    )
    void this.#restore()
  }

  /** Opens the result of a request in the panel; a pinned one stays there, and later runs are compared with it. */
  async show(id: number, isPinned = false): Promise<void> {
    this.#wanted = this.#requests.of(id)?.key
    this.#isPinned = isPinned && this.#view === undefined
    if (this.#wanted !== undefined) this.#view?.pane.show(this.#wanted, isPinned)
    await this.#offer()
    await vscode.commands.executeCommand(`${viewId}.focus`)
  }

  /** Opens the result of a request in an editor beside the one in front; each request has one. */
  showBeside(id: number): void {
    const key = this.#requests.of(id)?.key
    if (key !== undefined) this.#openBeside(key)
  }

  /** Removes every result from panes and from storage. */
  async clear(): Promise<void> {
    this.#requests.clear()
    await this.#kept.clear()
  }

  dispose(): void {
    this.#view?.pane.dispose()
    for (const { pane } of this.#beside.values()) pane.dispose()
    this.#subscription.dispose()
  }

  /** The tab of the view; without a result it would stand in every workspace, with nothing to show. */
  async #offer(): Promise<void> {
    if (this.#isOffered) return
    this.#isOffered = true
    await vscode.commands.executeCommand("setContext", "dotrpc.hasResult", true)
  }

  /** Shows the request that ran last, unless the pane is pinned or many ran at once: also in a pane that nobody sees at that moment. */
  #follow({ folded, id, uri }: RequestResult): void {
    const offered = this.#offer()
    const { pane } = this.#view ?? {}
    const key = this.#requests.of(id)?.key
    if (key === undefined || folded || pane?.isPinned === true) return
    const isVisible = pane?.isVisible === true
    this.#wanted = key
    pane?.show(key)
    // Cells have their rows below them.
    const isText = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString())
    if (isVisible || resultsPlace() !== "pane" || !isText) return
    void offered.then(() => vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus: true }))
  }

  #resolve(view: vscode.WebviewView): void {
    this.#view?.pane.dispose()
    const place = {
      webview: view.webview,
      setTitle: (label: string) => {
        view.description = plain(label)
      },
      isVisible: () => view.visible,
      isBeside: false,
    }
    const pane = new ResultPane(place, this.#root, this.#paneParts, this.#wanted)
    this.#view = { pane, view }
    if (this.#isPinned && this.#wanted !== undefined) pane.show(this.#wanted, true)
    this.#isPinned = false
    const { workspaceState } = this.#parts.context
    const note = () => void workspaceState.update(seenKey, view.visible)
    note()
    view.onDidChangeVisibility(note)
    view.onDidDispose(() => {
      pane.dispose()
      if (this.#view?.pane === pane) this.#view = undefined
    })
  }

  #openBeside(key: string): void {
    const [, known] = [...this.#beside].find(([before]) => this.#requests.now(before) === key) ?? []
    if (known !== undefined) return known.panel.reveal(undefined, true)
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }
    this.#adopt(vscode.window.createWebviewPanel(viewId, "", column), key)
  }

  #adopt(panel: vscode.WebviewPanel, key: string | undefined): void {
    if (key === undefined || this.#beside.has(key)) return panel.dispose()
    const place = {
      webview: panel.webview,
      setTitle: (label: string) => {
        panel.title = plain(label)
      },
      isVisible: () => panel.visible,
      isBeside: true,
    }
    const pane = new ResultPane(place, this.#root, this.#paneParts, key)
    this.#beside.set(key, { pane, panel })
    panel.onDidDispose(() => {
      pane.dispose()
      this.#beside.delete(key)
    })
  }

  get #paneParts(): ResultPaneParts {
    const { columns, names } = this.#parts
    return { actions: this.#actions, columns, names, requests: this.#requests }
  }

  readonly #actions: PaneActions = {
    run: async (command, entry) => {
      await vscode.commands.executeCommand(command, await this.#targetOf(entry))
    },
    beside: (key) => this.#openBeside(key),
    stop: ({ result }) => {
      const request = result?.request
      if (result !== undefined && request !== undefined)
        this.#parts.results.cancel({ uri: result.uri.toString(), request: request.index })
    },
    open: async ({ label, run }) => {
      const { resultDocument } = this.#parts
      if (run.report !== undefined) return resultDocument.show(label, resultOf(run.report))
      return resultDocument.showText(label, await wholeJson(run))
    },
    compare: async ({ label }, before, after) => {
      const { resultDocument } = this.#parts
      await resultDocument.compareTexts(
        Visible.oneLine(label),
        { text: await wholeJson(before), title: timeOf(before) },
        { text: await wholeJson(after), title: timeOf(after) },
      )
    },
  }

  /** The argument for commands: the result of this window, or the current place of the request of a kept one. */
  async #targetOf({ label, name, result, uri }: PaneRequestEntry): Promise<object> {
    if (result !== undefined) return { result: result.id }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))
    const { analysis } = await this.#parts.analyses.loaded(document)
    const found = analysis.requests.find(
      (request) => (name === undefined ? request.label : request.name) === (name ?? label),
    )
    if (found === undefined) throw new Error(`"${Visible.oneLine(label)}" is no longer in its file.`)
    return { uri, request: found.index }
  }

  async #restore(): Promise<void> {
    const isKeeping = isOn()
    const kept = isKeeping ? await this.#kept.load() : []
    if (!isKeeping) await this.#kept.clear()
    this.#requests.restore(kept)
    if (kept.length === 0) return
    await this.#offer()
    // Before this the editor did not know the view, and could not bring it back.
    const wasSeen = this.#parts.context.workspaceState.get(seenKey, false)
    if (wasSeen) await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus: true })
  }

  /** A result of a text editor; results of cells are shown below them, and are not kept. */
  async #keep({ project, report, text, uri }: FinishedRequest): Promise<void> {
    const result = this.#parts.results.of(uri).find((candidate) => candidate.report === report)
    // In a run of many, each result would be written and soon replaced by the others.
    if (result === undefined || result.folded || !isOn()) return
    const secrets = (await inSlices(findingSecrets(text, project.workspace))) ?? secretsOf(text, project.workspace)
    const { label, name } = report.request
    const clean = (words: string): string => Redaction.scrub(words, secrets)
    const place = {
      uri: uri.toString(),
      name: name === undefined ? undefined : clean(name),
      text: clean(result.ranText),
      runId: runIdOf(report),
    }
    await this.#kept.keep(place, clean(label), await keptText(place, runOfReport(report), secrets))
  }
}

/** The setting for the history of runs applies to results too. */
const isOn = (): boolean => vscode.workspace.getConfiguration("dotrpc.history").get("enabled", true)

const keyIn = (state: unknown): string | undefined =>
  typeof state === "object" && state !== null && "key" in state && typeof state.key === "string" ? state.key : undefined
