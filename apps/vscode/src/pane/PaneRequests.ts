/** The requests that a pane can show: those that ran in this window, and those whose results were kept from an earlier one. */
import * as vscode from "vscode"

import { type Moved, movedUri, type RequestResult, type Results } from "../results/Results.ts"
import type { KeptResult } from "./KeptResult.ts"
import { identityOf, movedKey } from "./KeptResults.ts"
import { type PaneRun, runOfReport } from "./PaneRun.ts"

export interface PaneRequestEntry {
  /** Identifies it in this window and the next one. */
  readonly key: string
  readonly label: string
  readonly uri: string
  readonly name?: string | undefined
  /** The request in this window; absent when nobody knows where it is. */
  readonly result?: RequestResult | undefined
  readonly run: PaneRun
  /** Earlier results, the latest first. */
  readonly earlier: ReadonlyArray<PaneRun>
  /** It is from an earlier window. */
  readonly isKept: boolean
}

export class PaneRequests implements vscode.Disposable {
  readonly #results: Results
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscriptions: ReadonlyArray<vscode.Disposable>
  /** By the identity of a request in every window. */
  readonly #kept = new Map<string, KeptResult>()
  /** Results of this window, the latest last. */
  readonly #order = new Set<number>()
  /** In this window. */
  readonly #moves: Array<Moved> = []

  /** There is something else to show. */
  readonly onDidChange = this.#changed.event

  constructor(results: Results) {
    this.#results = results
    this.#subscriptions = [
      this.#changed,
      results.onDidFinish(({ id }) => {
        this.#order.delete(id)
        this.#order.add(id)
      }),
      results.onDidChange(() => this.#changed.fire()),
      results.onDidMove((moved) => this.#move(moved)),
    ]
  }

  /** Adds what was kept; a request that has run by then keeps its own. */
  restore(kept: ReadonlyArray<KeptResult>): void {
    for (const result of kept) this.#kept.set(identityOf(result, result.label), result)
    this.#results.restore(kept)
    this.#changed.fire()
  }

  /** Kept results are no longer shown. */
  clear(): void {
    this.#kept.clear()
    this.#order.clear()
    this.#changed.fire()
  }

  /** Requests with a result, the latest first. */
  get all(): ReadonlyArray<PaneRequestEntry> {
    const own = [...this.#order].toReversed().flatMap((id) => {
      const result = this.#results.get(id)
      return result === undefined ? [] : this.#live(result)
    })
    const ran = new Set(own.map(({ key }) => key))
    const kept = [...this.#kept].flatMap(([key, result]) => (ran.has(key) ? [] : [this.#restored(key, result)]))
    return [...own, ...kept]
  }

  /** The key that a request has now: its file may have been moved since a pane got this one. */
  now(key: string): string {
    return this.#moves.reduce((now, moved) => movedKey(now, moved) ?? now, key)
  }

  /** The entry of a result, one of an earlier window included. */
  of(id: number): PaneRequestEntry | undefined {
    const result = this.#results.get(id)
    const live = result === undefined ? undefined : this.#live(result)[0]
    return live ?? this.all.find((entry) => entry.result?.id === id)
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #restored(key: string, { label, name, run, uri }: KeptResult): PaneRequestEntry {
    const result = this.#results.all.find(({ kept }) => kept === run)
    return { key, label, uri, name, result, run, earlier: [], isKept: true }
  }

  #move(moved: Moved): void {
    this.#moves.push(moved)
    for (const [key, result] of this.#kept) {
      const [uri, now] = [movedUri(result.uri, moved), movedKey(key, moved)]
      if (uri === undefined || now === undefined) continue
      this.#kept.delete(key)
      this.#kept.set(now, { ...result, uri })
    }
    this.#changed.fire()
  }

  #live(result: RequestResult): ReadonlyArray<PaneRequestEntry> {
    const { previous, report } = result
    if (report === undefined) return []
    const { label, name } = report.request
    const place = { uri: result.uri.toString(), name }
    const key = identityOf(place, label)
    const before = [
      ...(previous === undefined ? [] : [runOfReport(previous)]),
      ...[this.#kept.get(key)].flatMap((kept) => (kept === undefined ? [] : [kept.run])),
    ]
    return [{ key, label, ...place, result, run: runOfReport(report), earlier: before, isKept: false }]
  }
}
