/** What one request runs with, and what is known of it while it runs. */
import type { BoundPrivates, BoundRequest } from "@dotrpc/analysis"
import type { CallObserver, CreditBudget, RangeScan, SeenBlocks } from "@dotrpc/core"
import type { Json, Method, Network, RenderContext, Sent } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import type { BlockTimes } from "../BlockTimes.ts"
import type { PartialResult, RequestReport, Resumption, RunEvent } from "../RunEvent.ts"
import type { UnitsMemory } from "../UnitsMemory.ts"
import type { Checked } from "./checks.ts"
import type { Pins } from "./pins.ts"

export interface Execution extends Checked {
  /** The run's allowance; the request gets one of its own below it. */
  readonly allowance: CreditBudget.Allowance
  readonly emit: (event: RunEvent) => void
  /** Other observers of a request's calls. */
  readonly observe: ((request: BoundRequest) => CallObserver) | undefined
  /** Gets the report when the request is interrupted. */
  readonly onStopped: ((report: RequestReport) => void) | undefined
  /** Where an earlier run of the request was stopped. */
  readonly resume: Resumption | undefined
  /** The result that an earlier run paid for, with `# @each` that of every row: it is checked and shown, and not sent. */
  readonly kept?: Json.Json | undefined
  /** The message for an unexpected error, without secrets of networks and these. */
  readonly wordsOf: (defect: unknown, secrets?: Network["secrets"]) => string
  /** How rows are shown, as the reader wants it. */
  readonly shown: Pick<RenderContext, "timeZone">
  /** Where the units of the tokens of a network are kept. */
  readonly unitsOf: (network: Network) => UnitsMemory
  /** Where scans keep what they learn and, where that is wanted, what they read; without a memory each learns by itself. */
  readonly scans: Pick<RangeScan.ScanOptions, "kept" | "memory">
  /** Which blocks the results of this run have shown. */
  readonly seenBlocks: SeenBlocks.SeenBlocks
  /** Times of blocks that results have shown. */
  readonly blockTimes: BlockTimes
  /** The blocks that comparisons of this run were pinned to. */
  readonly pins: Pins
}

/** A request that may be sent. */
export interface Sendable extends Execution {
  readonly method: Method
  readonly network: Network
  readonly bound: Sent & BoundPrivates
}

/** What is known of a request while it is read. */
export interface Noted {
  partial: () => PartialResult | undefined
}

export type Spending = Effect.Effect<Pick<RequestReport, "calls" | "credits" | "ms">>

/** What a side has spent, and how long its call takes since it began. */
export const spendingSince = (started: bigint | undefined, allowance: CreditBudget.Allowance): Spending =>
  Effect.map(Clock.currentTimeNanos, (now) => ({
    calls: allowance.calls,
    credits: allowance.spent,
    ms: started === undefined ? 0 : Math.round(Number(now - started) / 1e5) / 10,
  }))
