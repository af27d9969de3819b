/** Where a run is shown: in a text editor, in the cells of a notebook, in the Test Explorer. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { RunEvent } from "@dotrpc/runner"

export interface RunSink {
  /** The first of these requests that is running here already. */
  readonly busy: (requests: ReadonlyArray<BoundRequest>) => BoundRequest | undefined
  /** The requests start, or wait for their turn. Called once, right after `busy` found none. */
  readonly begin: (requests: ReadonlyArray<BoundRequest>, cancel: () => void) => RunView
}

/** One run in its sink. */
export interface RunView {
  readonly receive: (event: RunEvent) => void
  /** A request of the run was stopped before anything came; `credits` is what it took until then. */
  readonly abandon: (request: number, credits: number) => void
  /** Nothing more will come. */
  readonly end: () => void
}
