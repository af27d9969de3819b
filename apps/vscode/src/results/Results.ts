/**
 * What is known of each request that was run in this window: where it is now, what it is doing, what came back.
 *
 * Invariant: a request has one result. It follows its request through edits; while its request is gone it has no place,
 * and is shown again when the request comes back.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import { positionAt } from "@dotrpc/lang"
import type { RequestReport } from "@dotrpc/runner"
import * as vscode from "vscode"

import type { RequestTarget } from "../commands/Target.ts"
import type { Analyses, DocumentAnalysis } from "../language/Analyses.ts"
import { type Change, findAgain, follow } from "./tracking.ts"

export interface RequestResult {
  readonly id: number
  readonly uri: vscode.Uri
  /** The request as it is now; absent while it is gone. */
  readonly request: BoundRequest | undefined
  readonly place: Place | undefined
  /** What it is doing, in words; absent when it is not running. */
  readonly activity: string | undefined
  /** What came back last. */
  readonly report: RequestReport | undefined
  /** The last run was stopped before anything came back. */
  readonly cancelled: boolean
  /** The request was changed since. */
  readonly stale: boolean
}

/** Lines from zero. */
export interface Place {
  readonly callLine: number
  /** The last line of the call and its checks. */
  readonly lastLine: number
}

export class Results implements vscode.Disposable {
  readonly #analyses: Analyses
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly #entries = new Map<string, Array<Entry>>()
  readonly #subscriptions: ReadonlyArray<vscode.Disposable>
  #lastId = 0

  /** Something about the results of a document changed. */
  readonly onDidChange = this.#changed.event

  constructor(analyses: Analyses) {
    this.#analyses = analyses
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#edited(document, contentChanges),
      ),
      vscode.workspace.onDidOpenTextDocument((document) => this.#reopened(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === "untitled" && this.#forget(uri)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.#forget(uri))),
      vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri }) => this.#forget(oldUri))),
    ]
  }

  of(uri: vscode.Uri): ReadonlyArray<RequestResult> {
    return this.#entries.get(uri.toString()) ?? []
  }

  get(id: number): RequestResult | undefined {
    return [...this.#entries.values()].flat().find((entry) => entry.id === id)
  }

  at({ uri, request }: RequestTarget): RequestResult | undefined {
    return this.#entries.get(uri)?.find((entry) => entry.request?.index === request)
  }

  /** A request starts, or waits for its turn. What came back before stays until something new does. */
  begin(document: vscode.TextDocument, index: number): number {
    const analysis = this.#analyses.of(document)
    const entry = this.#entryOf(document, analysis, index)
    entry.activity = "waiting for its turn"
    entry.startedText = entry.text
    entry.cancelled = false
    this.#changed.fire(document.uri)
    return entry.id
  }

  /** Says what a running request is doing. */
  progress(id: number, words: string): void {
    this.#update(id, (entry) => {
      entry.activity = words
    })
  }

  finish(id: number, report: RequestReport): void {
    this.#update(id, (entry) => {
      entry.activity = undefined
      entry.report = report
      entry.ranText = entry.startedText
    })
  }

  /** The run was stopped. */
  abandon(id: number): void {
    this.#update(id, (entry) => {
      entry.activity = undefined
      entry.cancelled = true
    })
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #entryOf(document: vscode.TextDocument, analysis: DocumentAnalysis, index: number): Entry {
    const key = document.uri.toString()
    const entries = this.#entries.get(key) ?? []
    this.#entries.set(key, entries)
    const known = entries.find((entry) => entry.request?.index === index)
    if (known !== undefined) return known
    const entry = new Entry(++this.#lastId, document.uri)
    const request = analysis.analysis.requests[index]
    if (request !== undefined) entry.moveTo(request, analysis)
    entries.push(entry)
    return entry
  }

  #update(id: number, change: (entry: Entry) => void): void {
    for (const entries of this.#entries.values()) {
      const entry = entries.find((candidate) => candidate.id === id)
      if (entry === undefined) continue
      change(entry)
      this.#changed.fire(entry.uri)
    }
  }

  #edited(document: vscode.TextDocument, changes: ReadonlyArray<Change>): void {
    const entries = this.#entries.get(document.uri.toString())
    if (entries === undefined || changes.length === 0) return
    for (const entry of entries) entry.offset = entry.offset === undefined ? undefined : follow(entry.offset, changes)
    this.#findAgain(document, entries)
  }

  /** While it was closed the file may have been changed by others, so places mean nothing any more. */
  #reopened(document: vscode.TextDocument): void {
    const entries = this.#entries.get(document.uri.toString())
    if (entries === undefined) return
    for (const entry of entries) entry.offset = undefined
    this.#findAgain(document, entries)
  }

  #findAgain(document: vscode.TextDocument, entries: ReadonlyArray<Entry>): void {
    const analysis = this.#analyses.of(document)
    const { requests } = analysis.analysis
    const candidates = requests.map((request) => ({
      start: request.call.start,
      end: request.call.end,
      name: request.name,
      text: textOf(request, analysis),
    }))
    const found = findAgain(entries, candidates)
    entries.forEach((entry, position) => {
      const request = requests[found[position] ?? -1]
      if (request === undefined) entry.lose()
      else entry.moveTo(request, analysis)
    })
    this.#changed.fire(document.uri)
  }

  #forget(uri: vscode.Uri): void {
    if (this.#entries.delete(uri.toString())) this.#changed.fire(uri)
  }
}

class Entry implements RequestResult {
  readonly id: number
  readonly uri: vscode.Uri
  request: BoundRequest | undefined
  place: Place | undefined
  offset: number | undefined
  name: string | undefined
  text = ""
  startedText = ""
  ranText = ""
  activity: string | undefined
  report: RequestReport | undefined
  cancelled = false

  constructor(id: number, uri: vscode.Uri) {
    this.id = id
    this.uri = uri
  }

  get stale(): boolean {
    return this.report !== undefined && this.text !== this.ranText
  }

  moveTo(request: BoundRequest, analysis: DocumentAnalysis): void {
    const { call, section } = request
    const lastEnd = Math.max(call.end, ...section.checks.map((check) => check.end))
    this.request = request
    this.offset = call.start
    this.name = request.name
    this.text = textOf(request, analysis)
    this.place = {
      callLine: positionAt(analysis.lines, call.start).line,
      lastLine: positionAt(analysis.lines, lastEnd).line,
    }
  }

  lose(): void {
    this.request = undefined
    this.offset = undefined
    this.place = undefined
  }
}

/** The section without the empty lines that part it from the next. */
const textOf = ({ section }: BoundRequest, { lines }: DocumentAnalysis): string =>
  lines.text.slice(section.start, section.end).trimEnd()
