import type { BoundRequest } from "@dotrpc/analysis"
import { followRun, type RequestReport, type RunPlan, type RunSoFar } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { RunSink, RunView } from "./RunSink.ts"
import type { TimelineRecorder } from "./Timeline.ts"

/** A run in progress. */
export class ActiveRun {
  /** Where the text is. */
  readonly uri: vscode.Uri
  readonly view: RunView
  /** Positions of the requests that have not ended. */
  readonly open: Set<number>
  readonly soFar: RunSoFar
  /** Reports of those that were stopped, by their positions. */
  readonly stopped = new Map<number, RequestReport>()
  /** The first thing that was thrown and should not have been. */
  defect: { readonly thrown: unknown } | undefined
  /** What was sent for each request that has begun. */
  readonly timelines = new Map<BoundRequest, TimelineRecorder>()
  readonly labels: ReadonlyArray<string>
  /** What it is doing; `progress` tells when that changes. */
  words = ""
  readonly progress = new vscode.EventEmitter<string>()
  /** Stops what sends. */
  interrupt: () => void = () => undefined
  readonly #end = Promise.withResolvers<void>()

  constructor(uri: vscode.Uri, plan: RunPlan, running: ReadonlyArray<BoundRequest>, sink: RunSink) {
    this.uri = uri
    this.view = sink.begin(running, this.cancel)
    this.open = new Set(running.map(({ index }) => index))
    this.soFar = followRun(plan)
    this.labels = running.map(({ label }) => Visible.oneLine(label))
  }

  get ended(): Promise<void> {
    return this.#end.promise
  }

  readonly cancel = (): void => this.interrupt()

  end(): void {
    this.progress.dispose()
    this.#end.resolve()
  }
}
