/** The requests that a pane can show: those that ran in this window, and those whose results were kept from an earlier one. */
import * as vscode from "vscode"

import type { RequestResult, Results } from "../results/Results.ts"
import type { KeptResult } from "./KeptResult.ts"
import { identityOf } from "./KeptResults.ts"
import { type PaneRun, runOfReport } from "./PaneRun.ts"

export interface PaneRequestEntry {
  /** Identifies it in this window and the next one. */
  readonly key: string
  readonly label: string
  readonly uri: string
  readonly name?: string | undefined
  /** The request in this window; absent when it has not run in it. */
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
    ]
  }

  /** Adds what was kept; a request that has run by then keeps its own. */
  restore(kept: ReadonlyArray<KeptResult>): void {
    for (const result of kept) this.#kept.set(identityOf(result, result.label), result)
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
    const kept = [...this.#kept].flatMap(([key, result]) => (ran.has(key) ? [] : [keptEntry(key, result)]))
    return [...own, ...kept]
  }

  /** The entry of a result of this window. */
  of(id: number): PaneRequestEntry | undefined {
    const result = this.#results.get(id)
    return result === undefined ? undefined : this.#live(result)[0]
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
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

const keptEntry = (key: string, { label, name, run, uri }: KeptResult): PaneRequestEntry => ({
  key,
  label,
  uri,
  name,
  run,
  earlier: [],
  isKept: true,
})
