/**
 * What is known of each request that was run in this window: where it is now, what it is doing, what came back.
 *
 * Invariant: a request has one result. It follows its request through edits; while its request is gone it has no place,
 * and is shown again when the request comes back.
 */
import type { Analysis, BoundRequest } from "@dotrpc/analysis"
import { type LineIndex, lineIndex, positionAt } from "@dotrpc/lang/locate"
import type { RequestReport, RunEvent } from "@dotrpc/runner"
import type { Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Analyses, DocumentAnalysis } from "../project/Analyses.ts"
import { progressWords } from "../run/progressWords.ts"
import type { RunSink, RunView } from "../run/RunSink.ts"
import type { KeptView } from "./ResultPayload.ts"
import { shownRows } from "./resultMarkdown.ts"
import { candidateAt, type Change, findAgain, follow } from "./tracking.ts"

export interface RequestResult {
  readonly id: number
  readonly uri: vscode.Uri
  /** The request as it is now; absent while it is gone. */
  readonly request: BoundRequest | undefined
  readonly place: RequestPlace | undefined
  /** What it is doing, in words; absent when it is not running. */
  readonly activity: string | undefined
  /** A run of it was asked for, and what that needs is being loaded. */
  readonly isStarting: boolean
  /** The rows that have come so far, while it is running and read in pieces. */
  readonly soFar: Table.Table | undefined
  /** What came back last. */
  readonly report: RequestReport | undefined
  /** What an earlier window kept of it, as long as nothing came back in this one. */
  readonly kept: KeptView | undefined
  /** What came back the time before. */
  readonly previous: RequestReport | undefined
  /** Set when the last run was stopped before anything came back: the credits it took. */
  readonly cancelled: { readonly credits: number } | undefined
  /** The request was changed since. */
  readonly stale: boolean
  /** Its section when it was sent. */
  readonly ranText: string
  /** It ran with so many others that its rows are shown when somebody opens them. */
  readonly folded: boolean
}

/** A result of an earlier window, and the request that it is of. */
export interface KeptEntry {
  readonly uri: string
  readonly name?: string | undefined
  /** Of its section; absent in what older versions kept. */
  readonly text?: string | undefined
  readonly run: KeptView
}

/** A request by its position in a document. */
export interface RequestTarget {
  /** Of the document, as text. */
  readonly uri: string
  readonly request: number
}

/** A request by its result, wherever it is by now. */
export interface ResultTarget {
  readonly result: number
}

/** Lines from zero. */
export interface RequestPlace {
  readonly callLine: number
  /** The last line of the call and its checks. */
  readonly lastLine: number
  /** The lines of its checks, in their order. */
  readonly checkLines: ReadonlyArray<number>
}

/** A text of requests: a document, or the cells of a notebook put together. */
export type RequestText = Pick<vscode.TextDocument, "uri" | "version" | "getText">

export class Results implements vscode.Disposable {
  readonly #analyses: Analyses
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly #starting = new vscode.EventEmitter<void>()
  readonly #finished = new vscode.EventEmitter<RequestResult>()
  readonly #moved = new vscode.EventEmitter<Moved>()
  readonly #restored = new vscode.EventEmitter<vscode.Uri>()
  readonly #entries = new Map<string, Array<Entry>>()
  readonly #byId = new Map<number, Entry>()
  /** Of each document, by the positions of their requests; missing since they moved. */
  readonly #byRequest = new Map<string, ReadonlyMap<number, Entry>>()
  /** Documents whose results changed since that was last said. */
  readonly #untold = new Map<string, vscode.Uri>()
  #telling: ReturnType<typeof setTimeout> | undefined
  readonly #subscriptions: ReadonlyArray<vscode.Disposable>
  /** The version of a document in which its results were found again last. */
  readonly #placedAt = new WeakMap<RequestText, number>()
  readonly #waiting = new WeakSet<vscode.TextDocument>()
  /** Documents that may have been changed while they were closed. */
  readonly #unfollowed = new WeakSet<vscode.TextDocument>()
  #lastId = 0

  /** Something about the results of a document changed. */
  readonly onDidChange = this.#changed.event
  /** A run was asked for, or came to nothing before it began. */
  readonly onDidStart = this.#starting.event
  /** A request has ended, and this is its result. */
  readonly onDidFinish = this.#finished.event
  /** A file has results of an earlier window. */
  readonly onDidRestore = this.#restored.event
  /** A file or a folder has another name, and its results with it. */
  readonly onDidMove = this.#moved.event

  constructor(analyses: Analyses) {
    this.#analyses = analyses
    this.#subscriptions = [
      this.#changed,
      this.#starting,
      this.#finished,
      this.#moved,
      this.#restored,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#edited(document, contentChanges),
      ),
      vscode.workspace.onDidOpenTextDocument((document) => this.#reopened(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === "untitled" && this.#forget(uri)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.#forget(uri))),
      vscode.workspace.onDidRenameFiles(({ files }) => files.forEach((moved) => this.#move(moved))),
    ]
  }

  of(uri: vscode.Uri): ReadonlyArray<RequestResult> {
    return this.#entries.get(uri.toString()) ?? []
  }

  get(id: number): RequestResult | undefined {
    return this.#byId.get(id)
  }

  /** The result whose last report has an id of {@link reportId}, or that an earlier window kept by this id. */
  reported(id: number): RequestResult | undefined {
    return this.all.find(({ kept, report }) => (report === undefined ? kept?.payload.id : reportId(report)) === id)
  }

  at({ uri, request }: RequestTarget): RequestResult | undefined {
    return this.#find({ uri, request })
  }

  /** What came back last, unless the request was changed since or is running again. */
  reportAt(target: RequestTarget): RequestReport | undefined {
    const entry = this.#find(target)
    return entry === undefined || entry.stale || entry.activity !== undefined ? undefined : entry.report
  }

  /** The results of a text, as what a run is shown in. */
  sinkOf(document: RequestText): RunSink {
    const uri = document.uri.toString()
    return {
      busy: (requests) =>
        requests.find(({ index }) => {
          const entry = this.#find({ uri, request: index })
          return entry?.activity !== undefined && !entry.isStarting
        }),
      begin: (requests, cancel) => this.#begin(document, requests, cancel),
    }
  }

  /** Every result, those of files that are closed included. */
  get all(): ReadonlyArray<RequestResult> {
    return [...this.#byId.values()]
  }

  /** Removes every result of a request that is not running. */
  clear(): void {
    for (const [key, entries] of this.#entries) {
      const left = entries.filter(({ activity }) => activity !== undefined)
      for (const entry of entries) {
        if (entry.activity === undefined) this.#byId.delete(entry.id)
        else entry.forgetReports()
      }
      if (left.length === 0) this.#entries.delete(key)
      else this.#entries.set(key, left)
      this.#byRequest.delete(key)
      const [{ uri } = {}] = entries
      if (uri !== undefined) this.#tell(uri)
    }
  }

  /**
   * Shows at once that requests start, by their positions: the first run of a window has much to load. Ends with the
   * answer, unless they have begun to run by then.
   */
  starting(document: vscode.TextDocument, requests: ReadonlyArray<number>): () => void {
    const known = this.#analyses.current(document)?.analysis.requests ?? []
    const idle = known.filter(
      ({ index }) => requests.includes(index) && this.#find(targetOf(document, index))?.activity === undefined,
    )
    const entries = idle.length === 0 ? [] : [...this.#entriesOf(document, idle).values()]
    for (const entry of entries) {
      entry.activity = "starting"
      entry.isStarting = true
    }
    const show = () => {
      this.#changed.fire(document.uri)
      this.#starting.fire()
    }
    if (entries.length > 0) show()
    return () => {
      const left = entries.filter(({ isStarting }) => isStarting)
      for (const entry of left) {
        entry.activity = undefined
        entry.isStarting = false
      }
      if (left.length > 0) show()
    }
  }

  /** Stops the run that a request is part of. */
  cancel(target: RequestTarget): void {
    this.#find(target)?.cancel?.()
  }

  /** Resolves when every result is where its request is in the document as it is by then. */
  async placed(document: vscode.TextDocument): Promise<void> {
    if (this.#entries.has(document.uri.toString())) this.#findAgain(document, await this.#analyses.loaded(document))
  }

  /** Adds what an earlier window kept; a request that has run by then keeps its own. */
  restore(kept: ReadonlyArray<KeptEntry>): void {
    const uris = new Map<string, vscode.Uri>()
    for (const { name, run, text, uri } of kept) {
      if (text === undefined) continue
      const all = this.#entries.get(uri) ?? []
      if (all.some((entry) => (name === undefined ? entry.text === text : entry.name === name))) continue
      const place = vscode.Uri.parse(uri)
      const entry = this.#newEntry(place, all)
      entry.keep(run, name, text)
      this.#entries.set(uri, all)
      uris.set(uri, place)
    }
    for (const document of vscode.workspace.textDocuments)
      if (uris.has(document.uri.toString())) this.#reopened(document)
    for (const uri of uris.values()) this.#restored.fire(uri)
  }

  /** Finds the results of a file again in a text of it whose edits were not followed, as a notebook's. */
  follow(uri: vscode.Uri, analysis: Pick<Analysis, "requests">, lines: LineIndex): void {
    this.#place(uri, analysis, lines, false)
  }

  /** What came back before stays until something new does. */
  #begin(document: RequestText, requests: ReadonlyArray<BoundRequest>, cancel: () => void): RunView {
    const own = requests.filter(({ origin }) => origin === undefined)
    const entries = this.#entriesOf(document, own)
    const update = (index: number, change: (entry: Entry) => void) => {
      const entry = entries.get(index)
      if (entry === undefined) return
      change(entry)
      this.#tell(entry.uri)
    }
    for (const entry of entries.values()) {
      entry.activity = "waiting for its turn"
      entry.isStarting = false
      entry.startedText = entry.text
      entry.cancelled = undefined
      entry.folded = entries.size > mostUnfolded
      entry.cancel = cancel
    }
    this.#tell(document.uri)
    return {
      receive: (event) => {
        receive(event, update)
        if (event._tag !== "RequestFinished") return
        const entry = entries.get(event.report.request.index)
        if (entry?.report === event.report) this.#finished.fire(entry)
      },
      abandon: (index, credits) => update(index, (entry) => stop(entry, credits)),
      end: () => undefined,
    }
  }

  dispose(): void {
    clearTimeout(this.#telling)
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  /** The results of requests, new ones where there were none, by the positions of the requests. */
  #entriesOf(document: RequestText, requests: ReadonlyArray<BoundRequest>): ReadonlyMap<number, Entry> {
    const key = document.uri.toString()
    const lines = lineIndex(document.getText())
    const all = this.#entries.get(key) ?? []
    this.#entries.set(key, all)
    const isPlaced = this.#placedAt.get(document) === document.version
    const known = isPlaced ? this.#placedIn(key) : inCalls(all, requests)
    const entries = new Map<number, Entry>()
    for (const request of requests) {
      const entry = known.get(request.index) ?? this.#newEntry(document.uri, all)
      entry.moveTo(request, lines)
      entries.set(request.index, entry)
    }
    this.#byRequest.delete(key)
    // When these are all of them, it needs no analysis to know where they are.
    if (entries.size === all.length) this.#placedAt.set(document, document.version)
    return entries
  }

  #newEntry(uri: vscode.Uri, among: Array<Entry>): Entry {
    const entry = new Entry(++this.#lastId, uri)
    among.push(entry)
    this.#byId.set(entry.id, entry)
    return entry
  }

  #find({ uri, request }: RequestTarget): Entry | undefined {
    return this.#placedIn(uri).get(request)
  }

  #placedIn(uri: string): ReadonlyMap<number, Entry> {
    const known = this.#byRequest.get(uri)
    if (known !== undefined) return known
    const entries = this.#entries.get(uri) ?? []
    const found = new Map(
      entries.flatMap((entry) => (entry.request === undefined ? [] : [[entry.request.index, entry] as const])),
    )
    this.#byRequest.set(uri, found)
    return found
  }

  /** All results of a document are drawn together, so many changes are one. */
  #tell(uri: vscode.Uri): void {
    this.#untold.set(uri.toString(), uri)
    this.#telling ??= setTimeout(
      () => {
        this.#telling = undefined
        const uris = [...this.#untold.values()]
        this.#untold.clear()
        for (const changed of uris) this.#changed.fire(changed)
      },
      frameMillis * Math.max(1, Math.min(longestFrame, this.of(uri).length / 25)),
    )
  }

  #edited(document: vscode.TextDocument, changes: ReadonlyArray<Change>): void {
    const entries = this.#entries.get(document.uri.toString())
    if (entries === undefined || changes.length === 0) return
    for (const entry of entries) entry.offset = entry.offset === undefined ? undefined : follow(entry.offset, changes)
    this.#followIn(document, entries)
  }

  /** While it was closed the file may have been changed by others, so places count last. */
  #reopened(document: vscode.TextDocument): void {
    const entries = this.#entries.get(document.uri.toString())
    if (entries === undefined) return
    this.#unfollowed.add(document)
    this.#placedAt.delete(document)
    this.#followIn(document, entries)
  }

  /** Until a document is analysed that takes long, results move with the text. */
  #followIn(document: vscode.TextDocument, entries: ReadonlyArray<Entry>): void {
    if (this.#analyses.refused(document) !== undefined) {
      for (const entry of entries) entry.lose()
      this.#byRequest.delete(document.uri.toString())
      return this.#tell(document.uri)
    }
    const known = this.#analyses.current(document)
    if (known !== undefined) return this.#findAgain(document, known)
    for (const entry of entries) entry.shift(document)
    this.#tell(document.uri)
    if (this.#waiting.has(document)) return
    this.#waiting.add(document)
    const stop = () => this.#waiting.delete(document)
    void this.placed(document).then(stop, stop)
  }

  #findAgain(document: vscode.TextDocument, { analysis, lines, version }: DocumentAnalysis): void {
    if (this.#placedAt.get(document) === version) return
    this.#placedAt.set(document, version)
    this.#place(document.uri, analysis, lines, !this.#unfollowed.delete(document))
  }

  #place(uri: vscode.Uri, { requests }: Pick<Analysis, "requests">, lines: LineIndex, isFollowed: boolean): void {
    const key = uri.toString()
    const entries = this.#entries.get(key)
    if (entries === undefined) return
    const candidates = requests.map((request) => ({
      start: request.call.start,
      end: request.call.end,
      name: request.name,
      text: textOf(request, lines),
    }))
    const found = findAgain(entries, candidates, isFollowed)
    entries.forEach((entry, position) => {
      const request = requests[found[position] ?? -1]
      if (request === undefined) entry.lose()
      else entry.moveTo(request, lines)
    })
    this.#byRequest.delete(key)
    this.#tell(uri)
  }

  #move(moved: Moved): void {
    for (const [key, entries] of this.#entries) {
      const now = movedUri(key, moved)
      const [{ uri: before } = {}] = entries
      if (now === undefined || before === undefined) continue
      const uri = vscode.Uri.parse(now)
      this.#forget(before)
      for (const entry of entries) {
        entry.uri = uri
        this.#byId.set(entry.id, entry)
      }
      this.#entries.set(now, entries)
      const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === now)
      if (document !== undefined) this.#reopened(document)
      this.#tell(uri)
    }
    this.#moved.fire(moved)
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString()
    const entries = this.#entries.get(key)
    if (entries === undefined) return
    for (const { id } of entries) this.#byId.delete(id)
    this.#entries.delete(key)
    this.#byRequest.delete(key)
    this.#tell(uri)
  }
}

/** A file or a folder, and its new name. */
export interface Moved {
  readonly oldUri: vscode.Uri
  readonly newUri: vscode.Uri
}

/** Where a file is after the move; `undefined` if it is where it was. */
export const movedUri = (file: string, { newUri, oldUri }: Moved): string | undefined => {
  const [before, after] = [oldUri.toString(), newUri.toString()]
  return file === before || file.startsWith(`${before}/`) ? after + file.slice(before.length) : undefined
}

/** An id that each report, and each result that was kept, has alone in this window. */
export const reportId = (report: RequestReport): number => {
  const known = reportIds.get(report) ?? nextId()
  reportIds.set(report, known)
  return known
}

export const nextId = (): number => ++lastId

let lastId = 0
const reportIds = new WeakMap<RequestReport, number>()

/** Redraws that follow each other faster than this are one: nobody sees more. With many results each takes longer. */
const frameMillis = 16
const longestFrame = 10

/** Requests of one run whose rows are all shown as they come. */
const mostUnfolded = 10

const targetOf = ({ uri }: vscode.TextDocument, request: number): RequestTarget => ({ uri: uri.toString(), request })

/** The results whose last place is in the call of a request, by the positions of the requests. */
const inCalls = (entries: ReadonlyArray<Entry>, requests: ReadonlyArray<BoundRequest>): ReadonlyMap<number, Entry> => {
  const inOrder = requests.toSorted((left, right) => left.call.start - right.call.start)
  const calls = inOrder.map(({ call }) => call)
  const found = new Map<number, Entry>()
  for (const entry of entries) {
    const request = inOrder[candidateAt(calls, entry.offset) ?? -1]
    if (request !== undefined && !found.has(request.index)) found.set(request.index, entry)
  }
  return found
}

class Entry implements RequestResult {
  readonly id: number
  uri: vscode.Uri
  request: BoundRequest | undefined
  place: RequestPlace | undefined
  offset: number | undefined
  name: string | undefined
  text = ""
  startedText = ""
  ranText = ""
  activity: string | undefined
  isStarting = false
  soFar: Table.Table | undefined
  report: RequestReport | undefined
  previous: RequestReport | undefined
  kept: KeptView | undefined
  cancelled: RequestResult["cancelled"]
  folded = false
  cancel: (() => void) | undefined

  constructor(id: number, uri: vscode.Uri) {
    this.id = id
    this.uri = uri
  }

  get stale(): boolean {
    return (this.report !== undefined || this.kept !== undefined) && this.text !== this.ranText
  }

  keep(run: KeptView, name: string | undefined, text: string): void {
    this.kept = run
    this.name = name
    this.text = text
    this.ranText = text
  }

  /** The text before its request has changed, and nobody knows yet what it means. */
  shift(document: vscode.TextDocument): void {
    if (this.offset === undefined || this.place === undefined) return
    const callLine = document.positionAt(this.offset).line
    const moved = callLine - this.place.callLine
    const checkLines = this.place.checkLines.map((line) => line + moved)
    this.place = { callLine, lastLine: this.place.lastLine + moved, checkLines }
  }

  moveTo(request: BoundRequest, lines: LineIndex): void {
    const { call, section } = request
    const lastEnd = Math.max(call.end, ...section.checks.map((check) => check.end))
    this.request = request
    this.offset = call.start
    this.name = request.name
    this.text = textOf(request, lines)
    this.place = {
      callLine: positionAt(lines, call.start).line,
      lastLine: positionAt(lines, lastEnd).line,
      checkLines: section.checks.map((check) => positionAt(lines, check.start).line),
    }
  }

  forgetReports(): void {
    this.report = undefined
    this.previous = undefined
    this.kept = undefined
    this.cancelled = undefined
  }

  lose(): void {
    this.request = undefined
    this.offset = undefined
    this.place = undefined
  }
}

const receive = (event: RunEvent, update: (index: number, change: (entry: Entry) => void) => void): void => {
  switch (event._tag) {
    case "RequestStarted":
      return update(event.request.index, (entry) => void (entry.activity = "running"))
    case "RequestProgress":
      return update(event.request.index, (entry) => {
        entry.activity = progressWords(event)
        entry.soFar = event.soFar?.(shownRows)
      })
    case "RequestFinished":
      return update(event.report.request.index, (entry) => finish(entry, event.report))
  }
}

const finish = (entry: Entry, report: RequestReport): void => {
  entry.activity = undefined
  entry.soFar = undefined
  entry.cancel = undefined
  if (entry.report?.result !== undefined) entry.previous = entry.report
  entry.report = report
  entry.kept = undefined
  entry.ranText = entry.startedText
}

const stop = (entry: Entry, credits: number): void => {
  entry.activity = undefined
  entry.soFar = undefined
  entry.cancel = undefined
  entry.cancelled = { credits }
}

/** The section without the empty lines that part it from the next. */
const textOf = ({ section }: BoundRequest, lines: LineIndex): string =>
  lines.text.slice(section.start, section.end).trimEnd()
