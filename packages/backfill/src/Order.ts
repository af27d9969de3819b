/** What a backfill reads: one query over a range of blocks that is pinned when it starts. Plain data, kept in the store. */
import type { Layout } from "./Layout.ts"

/** How the parts of a backfill are written. */
export type Format = "ndjson" | "csv" | "parquet"

/** A query, its blocks, and what it may spend. It names its network and holds no URL and no key. */
export interface Order {
  /** Names the backfill in its store. */
  readonly id: string
  readonly method: string
  /** The id of the network, which each worker finds in its own configuration. */
  readonly network: string
  /** The params as JSON. */
  readonly params: string
  /** The first block. */
  readonly from: number
  /** The last block, included. */
  readonly to: number
  readonly format: Format
  /** Credits that all workers together may spend. */
  readonly maxCredits?: number | undefined
  /** Credits that all workers together may spend within an hour of the clock. */
  readonly perHour?: number | undefined
  /** Whether blocks that become final later are appended. */
  readonly follow: boolean
  /** Milliseconds between two looks for them; an hour by default. Each look that finds some adds a part. */
  readonly every?: number | undefined
}

/** Where an order's parts go, and how they are written. Workers do not need it before they write one. */
export interface Output {
  /** The folder as the machine that started it names it: an absolute path. */
  readonly folder: string
  /** The columns of the parts; absent where they have the items as received. */
  readonly layout?: Layout | undefined
}

/** Where a backfill stands. `failed` says why in `why`, and `resume` starts it again. */
export type State = "running" | "paused" | "cancelled" | "failed" | "done"

/** A backfill as the store has it. */
export interface Backfill extends Order {
  readonly every: number
  /** When a worker looked for final blocks last, in milliseconds since 1970. */
  readonly lookedAt: number
  /** Of all of these looks. */
  readonly lookCalls: number
  readonly lookCredits: number
  readonly state: State
  /** Why it does not run; empty otherwise. */
  readonly why: string
  /** How often a piece was divided. */
  readonly divisions: number
  /** Grows with each part that is committed. */
  readonly version: number
  /** The version that the manifest has. */
  readonly manifest: number
  /** The hour of the clock in which something was spent last, since 1970, and what was spent in it. */
  readonly hour: number
  readonly hourSpent: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** One stretch of a backfill's blocks, which one worker reads in order. */
export interface Piece {
  readonly backfill: string
  /** Chosen by the worker that has time for the piece: the cluster decides by it who reads it. */
  readonly id: number
  readonly from: number
  /** The last block, included; it moves towards the first one when another worker takes the rest. */
  readonly to: number
  /** The first block that is not in a committed part. */
  readonly base: number
  /** The first block that was not read. */
  readonly next: number
  readonly state: "new" | "running" | "waiting" | "done"
  /** Grows with each worker that takes it over: only the newest may write. */
  readonly epoch: number
  /** The epoch whose spool has the items from `base` to `next`. */
  readonly spool: number
  /** The number of the leg that waits to be resumed; below zero when none does. */
  readonly leg: number
  /** When a piece that waits goes on by itself, in milliseconds since 1970; zero when it does not. */
  readonly wake: number
  /** Rows in its spool. */
  readonly rows: number
  readonly calls: number
  readonly credits: number
  /** Credits that it may spend on top of those. */
  readonly granted: number
  /** Blocks that a call is likely to cover. */
  readonly span: number
  /** What its calls have taught, as the JSON of a checkpoint; empty before the first one. */
  readonly learned: string
  /** Who works on it, or did. */
  readonly worker: string
  /** When it was written last, in milliseconds since 1970. */
  readonly seenAt: number
  /** Milliseconds that its reading took, without what it waited. */
  readonly busy: number
}

/** A file that a reader may use. */
export interface Part {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly rows: number
  readonly bytes: number
}
