import type { BoundRequest } from "@dotrpc/analysis"
import type { RequestReport, RunSoFar } from "@dotrpc/runner"
import type * as vscode from "vscode"

import type { RunView } from "./RunSink.ts"
import type { TimelineRecorder } from "./Timeline.ts"

/** A run in progress. */
export interface ActiveRun {
  /** Where the text is. */
  readonly uri: vscode.Uri
  readonly view: RunView
  /** Positions of the requests that have not ended. */
  readonly open: Set<number>
  readonly soFar: RunSoFar
  /** Reports of those that were stopped, by their positions. */
  readonly stopped: Map<number, RequestReport>
  /** The first thing that was thrown and should not have been. */
  defect?: { readonly thrown: unknown } | undefined
  /** What was sent for each request that has begun. */
  readonly timelines: Map<BoundRequest, TimelineRecorder>
  readonly labels: ReadonlyArray<string>
  /** What it is doing; `progress` tells when that changes. */
  words: string
  readonly progress: vscode.EventEmitter<string>
  readonly ended: Promise<void>
  readonly cancel: () => void
}
